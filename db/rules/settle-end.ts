// Settles what depends on a call's end besides the call's own row: its attempt, its contact, the account's minutes and
// spending, and the rows that are kept for a running call only.
import type { Use } from '../domain/cost/uses.ts';
import { usesWrite } from '../queries/costs/uses.ts';
import type { ContactStatus } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import { type Write, writeTogether } from '../statements/write-together.ts';
import { monthOfAccount, usageWrite } from './minutes.ts';
import { type ClosedLeg, countTransferLeg, outboundWrites, transferLegsWrite } from './spend.ts';

interface EndSettlement {
  callId: string;
  accountId: string;
  endedAtMs: number;
  outcome: string;
  /** Answered seconds, as they are counted to the month. */
  durationSeconds: number;
  /** When an outbound call was answered; null for others. */
  outboundFromMs: number | null;
  contact: { id: string; status: ContactStatus; nextAttemptAt: number | null } | null;
  /** The message to live views. */
  feed: unknown;
  /** To be priced. */
  uses: readonly Use[];
}

export async function settleEnd(db: Db, end: EndSettlement): Promise<void> {
  const { callId, accountId, endedAtMs, durationSeconds, outboundFromMs } = end;
  const month = durationSeconds > 0 ? await monthOfAccount(db, accountId, endedAtMs) : '';
  const legs = await writeTogether<ClosedLeg>(db, 'settle-end', (dialect) => [
    transferLegsWrite(callId),
    usageWrite(dialect, accountId, month, durationSeconds),
    ...outboundWrites(dialect, accountId, outboundFromMs, endedAtMs),
    ...ownWrites(end),
  ]);
  for (const leg of legs) await countTransferLeg(db, leg, endedAtMs);
}

/** The rows that bear the call's id. */
const ownWrites = ({ callId, accountId, endedAtMs, outcome, contact, feed, uses }: EndSettlement): Write[] => [
  usesWrite(callId, uses, endedAtMs),
  {
    name: 'contact',
    // Keeps a do-not-call request that was made during the call.
    text: `update contacts set status = ?, next_attempt_at = ? where id = ? and status = 'CALLING'`,
    values: [contact?.status ?? null, contact?.nextAttemptAt ?? null, contact?.id ?? null],
    isNeeded: contact !== null,
  },
  {
    name: 'attempts',
    text: 'update dial_attempts set ended_at = ?, outcome = ? where call_id = ? and ended_at is null',
    values: [endedAtMs, outcome, callId],
  },
  { name: 'dialogs', text: 'delete from call_dialogs where call_id = ?', values: [callId] },
  { name: 'continuations', text: 'delete from call_continuations where call_id = ?', values: [callId] },
  { name: 'views', text: 'delete from live_views where call_id = ?', values: [callId] },
  {
    name: 'feed',
    text: `insert into call_feed (account_id, call_id, type, data, created_at) values (?, ?, 'ended', ?, ?)`,
    values: [accountId, callId, JSON.stringify(feed), endedAtMs],
  },
];
