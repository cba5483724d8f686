// When a single call may be scheduled: within the calling window of its campaign where the callee is, as for contacts.
// A client schedules one by POST /calls, an agent by its tool, when somebody asks to be called back.
import { DAY_MS } from '../domain/hours/durations.ts';
import { nextCallableAt } from '../domain/hours/window-of-contact.ts';
import { countScheduled } from '../queries/calls/scheduled.ts';
import { doNotCallEntry } from '../queries/dialling/do-not-call.ts';
import { mayPlaceCalls } from '../queries/numbers/calling-numbers.ts';
import { callingWindow } from '../records/resources.ts';
import type { ScheduledCallTable } from '../schema/calls.ts';
import type { CampaignTable } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import { newId } from '../shared/id.ts';
import { destinationObstacle, trunkOfNumber } from './destinations.ts';

export const SCHEDULED_DAYS_MAX = 90;
/** Of an account. */
export const SCHEDULED_CALLS_MAX = 10_000;

export type ScheduleFault =
  | { reason: 'past' | 'too_far' | 'too_many' | 'not_allowed' }
  /** `nextAtMs`: the first time after it that is inside; null: there is none. */
  | { reason: 'outside_window'; nextAtMs: number | null };

type Campaign = Pick<CampaignTable, 'accountId' | 'businessId' | 'callingWindow'>;

/** Why the number may not be called at that time; null: it may. */
export async function scheduleFault(
  db: Db,
  campaign: Campaign,
  { toNumber, atMs, nowMs }: { toNumber: string; atMs: number; nowMs: number },
): Promise<ScheduleFault | null> {
  if (atMs <= nowMs) return { reason: 'past' };
  if (atMs > nowMs + SCHEDULED_DAYS_MAX * DAY_MS) return { reason: 'too_far' };
  const nextAtMs = await callableAt(db, campaign, toNumber, atMs);
  if (nextAtMs !== atMs) return { reason: 'outside_window', nextAtMs };
  return (await countScheduled(db, campaign.accountId)) >= SCHEDULED_CALLS_MAX ? { reason: 'too_many' } : null;
}

/** When the number may be called, at or after that time; null: never. */
export async function callableAt(db: Db, campaign: Campaign, toNumber: string, atMs: number): Promise<number | null> {
  const business = await db
    .selectFrom('businesses')
    .select('timezone')
    .where('id', '=', campaign.businessId)
    .where('accountId', '=', campaign.accountId)
    .executeTakeFirst();
  return nextCallableAt(callingWindow(campaign), toNumber, business?.timezone ?? 'UTC', atMs);
}

type Placed = 'accountId' | 'campaignId' | 'businessId' | 'agentId' | 'phoneNumberId' | 'fromNumber' | 'toNumber';

/** Nothing is asked: `scheduleFault` before it, in the same transaction. */
export async function insertScheduled(
  db: Db,
  call: Pick<
    ScheduledCallTable,
    Placed | 'variables' | 'metadata' | 'scheduledAt' | 'requestedBy' | 'inCallId' | 'reason' | 'createdAt'
  >,
): Promise<ScheduledCallTable> {
  const row = { ...call, id: newId('call'), nextTryAt: call.scheduledAt, problem: null };
  await db.insertInto('scheduledCalls').values(row).execute();
  return row;
}

type CallbackAnswer = { scheduled: true; callId: string } | ({ scheduled: false } & ScheduleFault);

/**
 * Schedules a call to the other side of a call, which asked for it: one for each call, and one that an agent has
 * scheduled for each number. A later wish takes the place of the one before.
 */
export async function scheduleCallback(
  db: Db,
  wish: { accountId: string; callId: string; atMs: number; reason: string | null; nowMs: number },
): Promise<CallbackAnswer> {
  const { accountId, callId, atMs, reason, nowMs } = wish;
  const notAllowed = { scheduled: false, reason: 'not_allowed' } as const;
  const call = await db
    .selectFrom('calls')
    .innerJoin('campaigns', 'campaigns.id', 'calls.campaignId')
    .innerJoin('phoneNumbers', 'phoneNumbers.id', 'calls.phoneNumberId')
    .select(['calls.direction', 'calls.fromNumber', 'calls.toNumber', 'calls.variables', 'calls.metadata'])
    .select(['campaigns.id as campaignId', 'campaigns.businessId', 'campaigns.agentId', 'campaigns.callingWindow'])
    .select(['phoneNumbers.id as phoneNumberId', 'phoneNumbers.phoneNumber', 'phoneNumbers.trunkId'])
    .where('calls.id', '=', callId)
    .where('calls.accountId', '=', accountId)
    .whereRef('phoneNumbers.campaignId', '=', 'campaigns.id')
    .where(mayPlaceCalls)
    .executeTakeFirst();
  if (call === undefined) return notAllowed;
  const toNumber = call.direction === 'inbound' ? call.fromNumber : call.toNumber;
  if (!toNumber.startsWith('+')) return notAllowed;
  if ((await doNotCallEntry(db, accountId, toNumber)) !== undefined) return notAllowed;
  const trunkId = await trunkOfNumber(db, call.trunkId);
  if (trunkId === null || (await destinationObstacle(db, { accountId, trunkId, toNumber })) !== null) return notAllowed;
  const fault = await scheduleFault(db, { ...call, accountId }, { toNumber, atMs, nowMs });
  if (fault !== null) return { scheduled: false, ...fault };
  await db
    .deleteFrom('scheduledCalls')
    .where('accountId', '=', accountId)
    .where('requestedBy', '=', 'agent')
    .where((eb) => eb.or([eb('inCallId', '=', callId), eb('toNumber', '=', toNumber)]))
    .execute();
  const { campaignId, businessId, agentId, phoneNumberId, phoneNumber, direction, variables, metadata } = call;
  const { id } = await insertScheduled(db, {
    ...{ accountId, campaignId, businessId, agentId, phoneNumberId, toNumber, reason },
    fromNumber: phoneNumber,
    // A caller's variables are of that call alone.
    variables: direction === 'outbound' ? variables : null,
    metadata: direction === 'outbound' ? metadata : null,
    scheduledAt: atMs,
    requestedBy: 'agent',
    inCallId: callId,
    createdAt: nowMs,
  });
  return { scheduled: true, callId: id };
}
