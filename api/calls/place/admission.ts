// Decides whether a call may begin now, and answers if it may not. Checked inside the transaction that inserts the call
// or starts the campaign, so that two requests cannot both take the last slot.

import { sharedPlaces } from '../../../db/domain/places.ts';
import { spendLimitName } from '../../../db/domain/spend.ts';
import { trunkFault } from '../../../db/domain/trunk-state.ts';
import { unreachable } from '../../../db/domain/unexpected.ts';
import { getCampaign } from '../../../db/queries/campaigns/campaigns.ts';
import { pendingCallRequests } from '../../../db/queries/engine/engine-requests.ts';
import { isTrunkDown, outboundTrunk } from '../../../db/queries/trunks/trunk-states.ts';
import { type CallShare, callShare, ownCalls, PACE_SPAN_MS, recentCalls } from '../../../db/rules/call-share.ts';
import { type CallObstacle, callObstacle, type Placing } from '../../../db/rules/may-call.ts';
import { monthlyMinutes } from '../../../db/rules/minutes.ts';
import { type SpendStop, spendStop } from '../../../db/rules/spend.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import type { EngineTable } from '../../../db/schema/processes.ts';
import type { Db } from '../../../db/schema.ts';
import { alsoExclude, PLACES } from '../../../db/scope.ts';
import type { ApiContext } from '../../context.ts';
import { type ApiError, invalid, refused, retryLater } from '../../frame/errors.ts';
import { readEngines, roomOfAll } from '../../peers/engines.ts';

const ENGINE_RETRY_SECONDS = 5;
const CAPACITY_RETRY_SECONDS = 10;
const PACE_WAIT_MAX_MS = 2_000;
const TRUNK_RETRY_SECONDS = 30;
const PAUSED_RETRY_SECONDS = 60;
/** With so few places left, calls of different accounts are placed one after the other: more never begin at once. */
const FEW_LEFT = 50;
/** Clients should retry within a day, because plan and overage can change. */
const MINUTES_RETRY_MAX_SECONDS = 86_400;

/** @throws {ApiError} 422 on `campaignId` */
export async function namedCampaign(db: Db, accountId: string, id: string): Promise<CampaignTable> {
  const campaign = await getCampaign(db, accountId, id);
  if (campaign === undefined || campaign.deletedAt !== null) {
    throw invalid([{ field: 'campaignId', message: 'names no campaign' }]);
  }
  return campaign;
}

/**
 * Whether a call may be placed, by the rules of db/rules/may-call.ts.
 * @throws {ApiError} 429 if waiting helps, else 409
 */
export async function checkMayCall(
  db: Db,
  campaign: CampaignTable,
  placing: Placing,
  asked: { nowMs: number; toNumber?: string },
): Promise<void> {
  const obstacle = await callObstacle(db, campaign, placing, asked);
  if (obstacle !== null) throw await refusal(db, campaign, obstacle, asked);
}

async function refusal(
  db: Db,
  { accountId, status }: CampaignTable,
  obstacle: CallObstacle,
  { nowMs, toNumber }: { nowMs: number; toNumber?: string },
): Promise<ApiError> {
  switch (obstacle) {
    case 'do_not_call':
      return refused('ON_DO_NOT_CALL_LIST', `${toNumber} is on the do-not-call list`);
    case 'campaign_paused':
      return retryLater('CAMPAIGN_PAUSED', 'Campaign is paused', PAUSED_RETRY_SECONDS);
    case 'campaign_ended':
      return refused('CAMPAIGN_ENDED', `Campaign is ${status}`);
    case 'agent_deleted':
      return refused('AGENT_DELETED', "The campaign's agent is deleted");
    case 'agent_inactive':
      return refused('AGENT_INACTIVE', "The campaign's agent is not active");
    case 'business_deleted':
      return refused('BUSINESS_DELETED', "The campaign's business is deleted");
    case 'no_number':
      return refused('CAMPAIGN_NEEDS_NUMBER', 'Campaign has no phone number');
    case 'no_active_number':
      return refused(
        'CAMPAIGN_NEEDS_NUMBER',
        'No phone number of the campaign is active: activate one of them, or give the campaign another',
      );
    case 'minutes': {
      const { resetsAtMs } = await monthlyMinutes(db, accountId, nowMs);
      const waitSeconds = Math.min(MINUTES_RETRY_MAX_SECONDS, Math.ceil((resetsAtMs - nowMs) / 1000));
      return retryLater('MINUTES_EXHAUSTED', 'Monthly minute limit reached', waitSeconds);
    }
    case 'spend': {
      const stop = await spendStop(db, accountId, nowMs);
      return stop === null ? retryLater('SPEND_LIMIT_REACHED', 'The spend limit is reached', 1) : spent(stop, nowMs);
    }
    default:
      return unreachable(obstacle);
  }
}

function spent({ by, window, limitMinutes, endsAtMs }: SpendStop, nowMs: number): ApiError {
  const where = by === 'account' ? 'PATCH /admin/accounts/:id' : 'PATCH /admin/settings';
  const message = `The ${by}'s ${limitMinutes} outbound minutes of this ${window} are spent: an ADMIN changes ${spendLimitName('stop', window)} by ${where}`;
  return retryLater('SPEND_LIMIT_REACHED', message, Math.ceil((endsAtMs - nowMs) / 1_000));
}

/** The engine with most room for one more call of the account, and what the account shares. @throws {ApiError} 503 */
export async function checkEngine(
  context: ApiContext,
  db: Db,
  accountId: string,
): Promise<{ engine: EngineTable; share: CallShare | null }> {
  const nowMs = context.now();
  const { up, reason } = await readEngines(context, db);
  const [engine] = up;
  if (engine === undefined) {
    throw retryLater('ENGINE_DOWN', reason ?? 'The engine has not started yet', ENGINE_RETRY_SECONDS);
  }
  const { maxCalls, activeCalls } = roomOfAll(up);
  // Requests not yet taken will use their slots within milliseconds.
  let taken = activeCalls + (await pendingCallRequests(db, nowMs));
  if (taken >= maxCalls - FEW_LEFT) {
    await alsoExclude(db, PLACES);
    taken = activeCalls + (await pendingCallRequests(db, nowMs));
  }
  const full = (message: string): ApiError => retryLater('CAPACITY_REACHED', message, CAPACITY_RETRY_SECONDS);
  if (engine.isLate === 1) throw full('The running calls take all of this machine: no more are begun for the moment');
  if (taken >= maxCalls) throw full(`All ${maxCalls} calls that this system can hold are in use`);
  const share = await callShare(db, accountId, maxCalls, nowMs);
  if (share === null) return { engine, share };
  const own = await ownCalls(db, accountId);
  if (own >= share.places) {
    const whose = `The account has ${own} calls under way, its share of the ${maxCalls} that this system can hold`;
    throw full(`${whose}: an ADMIN changes callShare by PATCH /admin/settings`);
  }
  if (taken >= maxCalls - share.reserve)
    throw full(`${share.reserve} of the ${maxCalls} places are kept for calls that come in, and the others are in use`);
  return { engine, share };
}

/**
 * The outbound trunk of a number. @throws {ApiError} 503 if there is none, or it is full or known to be down
 */
export async function checkTrunk(
  db: Db,
  { accountId, numberTrunkId, share }: { accountId: string; numberTrunkId: string | null; share: CallShare | null },
  nowMs: number,
): Promise<string> {
  const trunk = await outboundTrunk(db, numberTrunkId);
  if (trunk === null) throw retryLater('NO_TRUNK', 'No SIP trunk is configured', TRUNK_RETRY_SECONDS);
  const { state } = trunk;
  if (isTrunkDown(state) && (trunk.backup === null || isTrunkDown(trunk.backup.state))) {
    const why = state?.lastError ? `: ${state.lastError}` : '';
    // Unanswered OPTIONS may be all that is wrong.
    const isSilent = state !== undefined && trunkFault(state.registrationState, state.healthState) === 'silent';
    const hint = isSilent ? '; if its peer ignores OPTIONS, set optionsPing of the trunk to false' : '';
    throw retryLater('TRUNK_DOWN', `The SIP trunk is down${why}${hint}`, TRUNK_RETRY_SECONDS);
  }
  if (trunk.activeCalls >= trunk.maxConcurrentCalls) {
    throw retryLater(
      'TRUNK_FULL',
      `All ${trunk.maxConcurrentCalls} calls that the SIP trunk can hold are in use`,
      CAPACITY_RETRY_SECONDS,
    );
  }
  if (share !== null) {
    const most = sharedPlaces((trunk.callsPerSecond * PACE_SPAN_MS) / 1_000, share.percent);
    if ((await recentCalls(db, accountId, trunk.trunkId, nowMs)) >= most)
      throw retryLater('TRUNK_BUSY', 'The account has used its share of the calls a second of the SIP trunk', 1);
  }
  // An accepted call is placed within about 2 s, or it is not accepted.
  if (trunk.paceWaitMs > PACE_WAIT_MAX_MS) {
    throw retryLater(
      'TRUNK_BUSY',
      'The SIP trunk places no more calls a second',
      Math.ceil((trunk.paceWaitMs - PACE_WAIT_MAX_MS) / 1000),
    );
  }
  return trunk.trunkId;
}
