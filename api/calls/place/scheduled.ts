// Calls that are to be placed later: POST /calls with `scheduledAt`, and what agents promise. They are listed with
// status SCHEDULED until their time; one API of the installation places them then, by the rules of a call that is
// placed at once.

import { DateTime } from 'luxon';
import type { EndReason } from '../../../db/domain/calls/ends.ts';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { endUndialledCall, insertCall } from '../../../db/queries/calls/life.ts';
import { asksForResults, type CallFilter } from '../../../db/queries/calls/list/counts.ts';
import {
  dueScheduled,
  getScheduled,
  listScheduled,
  putOffScheduled,
  type ScheduledCall,
  scheduledResource,
  takeScheduled,
} from '../../../db/queries/calls/scheduled.ts';
import { trunkOfNumber } from '../../../db/rules/destinations.ts';
import { isReminderMoot, isReminderOfErased } from '../../../db/rules/reminding.ts';
import {
  callableAt,
  insertScheduled,
  SCHEDULED_CALLS_MAX,
  SCHEDULED_DAYS_MAX,
  type ScheduleFault,
  scheduleFault,
} from '../../../db/rules/scheduling.ts';
import type { ScheduledCallTable } from '../../../db/schema/calls.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import type { Db } from '../../../db/schema.ts';
import { transact } from '../../../db/scope.ts';
import { namedCampaign } from '../../campaigns/named-campaign.ts';
import type { ApiContext } from '../../context.ts';
import type { ErrorCode } from '../../frame/error-codes.ts';
import { ApiError, invalid, refused } from '../../frame/errors.ts';
import { offsetOf } from '../../frame/pagination.ts';
import { checkDestination } from '../../spend/destinations.ts';
import { checkMayCall } from '../../spend/may-call.ts';
import type { CallQuery } from '../list/query-schema.ts';
import { beginCall, callingNumber, type Remember, wishOf } from './place.ts';
import type { CallCreate } from './schema.ts';

/** How long after its time a call for which there is no room is still placed. */
const PATIENCE_MS = 15 * MINUTE_MS;
const RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 60;
/** Calls begun in one run, and of one account; the next run is a second later. */
const AT_ONCE = 100;
const OF_ACCOUNT_AT_ONCE = 20;
const OUR_FAULT = 'It could not be placed for the moment';

/** @throws {ApiError} 422 on `scheduledAt` and as for a call that is placed at once; 409 */
export async function scheduleCall(
  context: ApiContext,
  accountId: string,
  body: CallCreate & { scheduledAt: string },
  remember: Remember<ScheduledCall>,
): Promise<ScheduledCall> {
  const { toNumber, variables, metadata } = wishOf(body);
  const scheduledAt = Date.parse(body.scheduledAt);
  // A leap second is a time by the standard, and none here.
  if (!Number.isFinite(scheduledAt)) throw invalid([{ field: 'scheduledAt', message: 'must be an ISO-8601 time' }]);
  const nowMs = context.now();
  return transact(context.db, { accounts: [accountId] }, async (trx) => {
    const campaign = await namedCampaign(trx, accountId, body.campaignId);
    const number = await callingNumber(trx, accountId, campaign.id, body.fromPhoneNumberId);
    await checkForGood(trx, campaign, { nowMs, toNumber });
    const trunkId = await trunkOfNumber(trx, number.trunkId);
    await checkDestination(trx, 'toNumber', { accountId, toNumber, trunkId });
    const fault = await scheduleFault(trx, campaign, { toNumber, atMs: scheduledAt, nowMs });
    if (fault !== null) throw faultOf(fault);
    const { id: campaignId, businessId, agentId } = campaign;
    const row = await insertScheduled(trx, {
      ...{ accountId, campaignId, businessId, agentId, toNumber, variables, metadata, scheduledAt },
      phoneNumberId: number.id,
      fromNumber: number.phoneNumber,
      requestedBy: 'api',
      inCallId: null,
      reason: null,
      createdAt: nowMs,
    });
    const answer = (await getScheduled(trx, accountId, row.id)) ?? scheduledResource({ ...row, callerName: null });
    await remember(trx, answer);
    return answer;
  });
}

/** An obstacle that may be gone by then (a pause, used-up minutes) is none now. @throws {ApiError} */
async function checkForGood(
  db: Db,
  campaign: CampaignTable,
  asked: { nowMs: number; toNumber: string },
): Promise<void> {
  await checkMayCall(db, campaign, 'single', asked).catch((error: unknown) => {
    if (!isPassing(error)) throw error;
  });
}

/** Waiting may help. */
const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 429 || error.status === 503);

function faultOf(fault: ScheduleFault): ApiError {
  const at = (message: string) => invalid([{ field: 'scheduledAt', message }]);
  switch (fault.reason) {
    case 'past':
      return at('must lie ahead');
    case 'too_far':
      return at(`must lie within ${SCHEDULED_DAYS_MAX} days`);
    case 'outside_window': {
      const next =
        fault.nextAtMs === null
          ? 'it is never open in all time zones that the number may be in'
          : `the next time inside it is ${DateTime.fromMillis(fault.nextAtMs, { zone: 'utc' }).toISO()}`;
      return at(`lies outside the campaign's callingWindow where the number rings; ${next}`);
    }
    case 'too_many':
      return refused('QUOTA_EXCEEDED', `At most ${SCHEDULED_CALLS_MAX} calls of an account may be scheduled`);
    case 'not_allowed':
      return at('is not allowed');
  }
}

/** @throws never: a filter that no scheduled call can match gives an empty page */
export async function scheduledPage(
  db: Db,
  accountId: string,
  filter: CallFilter,
  query: Pick<CallQuery, 'page' | 'limit' | 'sort'>,
): Promise<{ records: ScheduledCall[]; total: number }> {
  const { direction = 'outbound', outcome, sentiment } = filter;
  const isOfEnded = outcome !== undefined || sentiment !== undefined || asksForResults(filter);
  if (isOfEnded || direction !== 'outbound' || /score/.test(query.sort ?? '')) return { records: [], total: 0 };
  const order = query.sort === 'startedAt' ? 'asc' : 'desc';
  return listScheduled(db, accountId, filter, { limit: query.limit, offset: offsetOf(query), order });
}

/** Cancels it: it becomes a call that was never dialled. False if it waits no longer. */
export function cancelScheduled(trx: Db, accountId: string, id: string, nowMs: number): Promise<boolean> {
  return endScheduled(trx, { accountId, id, endReason: 'api', nowMs });
}

async function endScheduled(
  trx: Db,
  { accountId, id, endReason, nowMs }: { accountId: string; id: string; endReason: EndReason; nowMs: number },
): Promise<boolean> {
  const row = await takeScheduled(trx, accountId, id);
  return row === undefined ? false : endTaken(trx, row, endReason, nowMs);
}

async function endTaken(trx: Db, row: ScheduledCallTable, endReason: EndReason, nowMs: number): Promise<boolean> {
  // The erasure has taken its row with it, but for one of an earlier release.
  if (row.requestedBy === 'reminder' && (await isReminderOfErased(trx, row))) return true;
  await insertCall(trx, row.accountId, {
    ...row,
    contactId: null,
    direction: 'outbound',
    medium: 'sip',
    forwardedFrom: null,
    callerName: null,
    variables: row.variables ?? '{}',
    metadata: row.metadata ?? '{}',
    trunkId: null,
    engineId: null,
    nowMs,
  });
  return endUndialledCall(trx, { callId: row.id, endReason, nowMs, contact: null });
}

/** Places the calls whose time has come: those of an account one after the other, accounts beside each other. */
export async function placeDue(context: ApiContext): Promise<void> {
  const due = await dueScheduled(context.read, context.now(), { each: OF_ACCOUNT_AT_ONCE, limit: AT_ONCE });
  const ofAccounts = [...Map.groupBy(due, ({ accountId }) => accountId).values()];
  await Promise.all(ofAccounts.map((rows) => placeInOrder(context, rows)));
}

async function placeInOrder(context: ApiContext, rows: readonly ScheduledCallTable[]): Promise<void> {
  const waiting = new Set<string>();
  for (const row of rows) {
    if (waiting.has(row.campaignId)) continue;
    try {
      if (!(await placeOne(context, row))) waiting.add(row.campaignId);
    } catch (error) {
      // The database is away: all of them wait. Any other fault is of this call alone.
      if (context.outage.explains(error)) throw error;
      context.log.error({ callId: row.id, err: error }, 'a scheduled call could not be placed');
      const nextTryAt = context.now() + LONGEST_RETRY_SECONDS * 1_000;
      await putOffScheduled(context.db, { ...row, nextTryAt, problem: OUR_FAULT }, context.now()).catch(
        () => undefined,
      );
      waiting.add(row.campaignId);
    }
  }
}

/** False: there is no room for it, and for no other of its campaign. */
async function placeOne(context: ApiContext, due: ScheduledCallTable): Promise<boolean> {
  const { db, log } = context;
  const { id, accountId } = due;
  const scope = { accounts: [accountId], calls: [id] };
  const nowMs = context.now();
  const giveUp = async (problem: string, endReason: EndReason): Promise<boolean> => {
    log.warn({ callId: id, problem }, 'a scheduled call was not placed');
    await transact(db, scope, (trx) => endScheduled(trx, { accountId, id, endReason, nowMs }));
    return true;
  };
  // Nobody placed calls for a while: whoever was to be called then is not called at another hour.
  if (nowMs > due.scheduledAt + PATIENCE_MS) return giveUp(due.problem ?? 'its time has passed', 'expired');
  try {
    await transact(db, scope, async (trx) => {
      const row = await takeScheduled(trx, accountId, id);
      if (row === undefined) return;
      if (row.requestedBy === 'reminder' && (await isReminderMoot(trx, row))) {
        await endTaken(trx, row, 'api', nowMs);
        return;
      }
      await checkHour(trx, row, nowMs);
      await beginCall(context, trx, accountId, id, row);
    });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { retrySeconds, problem, endReason } = obstacleOf(error);
    const nextTryAt = nowMs + retrySeconds * 1_000;
    if (!isPassing(error) || nextTryAt > due.scheduledAt + PATIENCE_MS) return giveUp(problem, endReason);
    await putOffScheduled(db, { ...due, nextTryAt, problem }, nowMs);
    return false;
  }
}

/** Its window may have changed, or has closed while there was no room for it. @throws {ApiError} 422 */
async function checkHour(db: Db, row: ScheduledCallTable, nowMs: number): Promise<void> {
  const campaign = await namedCampaign(db, row.accountId, row.campaignId);
  const nextAtMs = await callableAt(db, campaign, row.toNumber, nowMs);
  if (nextAtMs !== nowMs) throw faultOf({ reason: 'outside_window', nextAtMs });
}

/** The obstacle to a call, and the call's end if it stays. */
function obstacleOf(error: ApiError): { retrySeconds: number; problem: string; endReason: EndReason } {
  const { code, fields, message, retryAfterSeconds = RETRY_SECONDS } = error;
  return {
    // The obstacle may be gone much sooner than it has to be.
    retrySeconds: Math.min(retryAfterSeconds, LONGEST_RETRY_SECONDS),
    problem: fields?.map((fault) => `${fault.field} ${fault.message}`).join('; ') ?? message,
    endReason: END_REASONS[code] ?? (isPassing(error) ? 'expired' : 'refused'),
  };
}

const END_REASONS: Partial<Record<ErrorCode, EndReason>> = {
  ON_DO_NOT_CALL_LIST: 'do_not_call',
  CAMPAIGN_PAUSED: 'campaign_paused',
  NO_TRUNK: 'no_trunk',
  CAPACITY_REACHED: 'capacity',
};
