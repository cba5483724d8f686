// Decides whether engine and trunk have room for a call, and answers if they have not. Checked inside the transaction
// that inserts the call, so that two requests cannot both take the last slot.

import { sharedPlaces } from '../../../db/domain/places.ts';
import { trunkFault } from '../../../db/domain/trunk-state.ts';
import { pendingCallRequests } from '../../../db/queries/engine/engine-requests.ts';
import { isTrunkDown, outboundTrunk } from '../../../db/queries/trunks/trunk-states.ts';
import { type CallShare, callShare, ownCalls, PACE_SPAN_MS, recentCalls } from '../../../db/rules/call-share.ts';
import type { EngineTable } from '../../../db/schema/processes.ts';
import type { Db } from '../../../db/schema.ts';
import { alsoExclude, PLACES } from '../../../db/scope.ts';
import type { ApiContext } from '../../context.ts';
import { type ApiError, engineDown, retryLater } from '../../frame/errors.ts';
import { readEngines, roomOfAll } from '../../peers/engines.ts';

const CAPACITY_RETRY_SECONDS = 10;
const PACE_WAIT_MAX_MS = 2_000;
const TRUNK_RETRY_SECONDS = 30;
/** With so few places left, calls of different accounts are placed one after the other: more never begin at once. */
const FEW_LEFT = 50;

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
    throw engineDown(reason ?? 'The engine has not started yet');
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
