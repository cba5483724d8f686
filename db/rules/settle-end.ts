// What the end of a call settles besides its own row: its attempt, its contact, the account's minutes and spending, and
// what was kept for its time only. PostgreSQL takes one statement for it, because each costs more than its rows do.
import { runText } from '../compiled-statement.ts';
import { dialectOf } from '../dialect.ts';
import { secondsByHour } from '../domain/spend.ts';
import { deleteContinuation } from '../queries/calls/continuations.ts';
import { addFeed } from '../queries/calls/feed.ts';
import { deleteViews } from '../queries/calls/live-views.ts';
import { deleteDialogs, endAttempts, settleContact } from '../queries/calls/statements.ts';
import type { ContactStatus } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import { addUsage, monthOfAccount } from './minutes.ts';
import { addOutbound, closeTransferLegs, countTransferLeg, transferLegKeys } from './spend.ts';

export interface EndSettlement {
  callId: string;
  accountId: string;
  endedAtMs: number;
  outcome: string;
  /** Answered seconds, as they are counted to the month. */
  durationSeconds: number;
  /** When an outbound call was answered; null for others. */
  outboundFromMs: number | null;
  contact: { id: string; status: ContactStatus; nextAttemptAt: number | null } | null;
  /** What live views are told. */
  feed: unknown;
}

export const settleEnd = (db: Db, end: EndSettlement): Promise<void> =>
  dialectOf(db).writesInWith ? settleAtOnce(db, end) : settleEach(db, end);

async function settleEach(db: Db, end: EndSettlement): Promise<void> {
  const { callId, accountId, endedAtMs, outcome, durationSeconds, outboundFromMs, contact, feed } = end;
  if (durationSeconds > 0) await addUsage(db, accountId, endedAtMs, durationSeconds);
  if (outboundFromMs !== null) await addOutbound(db, accountId, outboundFromMs, endedAtMs);
  await closeTransferLegs(db, { callId, endedAtMs });
  // Keeps a do-not-call request that was made during the call.
  if (contact !== null) await settleContact(db, contact);
  await endAttempts(db, { callId, endedAt: endedAtMs, outcome });
  await deleteDialogs(db, { callId });
  await deleteContinuation(db, { callId });
  await deleteViews(db, [callId]);
  await addFeed(db, { accountId, callId, type: 'ended', data: feed, nowMs: endedAtMs });
}

/** The same as `settleEach`. */
const AT_ONCE = `
  with leg as (delete from transfer_legs where call_id = any(?::text[]) returning account_id, answered_at),
  dialogs as (delete from call_dialogs where call_id = ?),
  continuations as (delete from call_continuations where call_id = ?),
  views as (delete from live_views where call_id = ?),
  attempts as (update dial_attempts set ended_at = ?, outcome = ? where call_id = ? and ended_at is null),
  contact as (update contacts set status = ?, next_attempt_at = ? where id = ? and status = 'CALLING'),
  used as (insert into usage_changes (account_id, month, seconds) select ?, ?, used::bigint from (values (?::bigint)) as of_call (used)
    where used > 0),
  spent as (insert into hour_changes (account_id, hour, outbound_seconds, calls)
    select ?, hour, seconds, 0 from unnest(?::bigint[], ?::bigint[]) as each (hour, seconds)),
  feed as (insert into call_feed (account_id, call_id, type, data, created_at) values (?, ?, 'ended', ?, ?))
  select account_id as "accountId", answered_at as "answeredAt" from leg`;

async function settleAtOnce(db: Db, end: EndSettlement): Promise<void> {
  const { callId, accountId, endedAtMs, outcome, durationSeconds, outboundFromMs, contact, feed } = end;
  const month = durationSeconds > 0 ? await monthOfAccount(db, accountId, endedAtMs) : '';
  const hours = outboundFromMs === null ? [] : secondsByHour(outboundFromMs, endedAtMs);
  const list = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;
  const legs = await runText<{ accountId: string; answeredAt: number | null }>(db, 'settle-end', () => AT_ONCE, [
    ...[`{${transferLegKeys(callId).join(',')}}`, callId, callId, callId],
    ...[endedAtMs, outcome, callId],
    ...[contact?.status ?? null, contact?.nextAttemptAt ?? null, contact?.id ?? null],
    ...[accountId, month, durationSeconds],
    ...[accountId, list(hours.map(({ hour }) => hour)), list(hours.map(({ seconds }) => seconds))],
    ...[accountId, callId, JSON.stringify(feed), endedAtMs],
  ]);
  for (const leg of legs) await countTransferLeg(db, leg, endedAtMs);
}
