// When a call may change hands at an upgrade.
import type { StoredDialog } from '../../sip/telephony.ts';
import type { TurnPhase } from '../../turn/machine.ts';
import { BRIDGED_VERSION, type Continuation, type HandOverMoment } from './continuation.ts';
import { RINGING_VERSION, type RingingContinuation } from './ringing.ts';

type Described = Continuation | RingingContinuation;

/** `described`: what another process would go on with; null if none could. `phase`: who has the floor. */
export function handOverMoment(described: Described | null, phase: TurnPhase, isThinking: boolean): HandOverMoment {
  if (described === null || needsConnection(described) || looksForPerson(described)) return 'never';
  // The caller talks to a person, not to us.
  if (described.version === BRIDGED_VERSION) return 'good';
  if (described.version !== RINGING_VERSION && isBetweenTwoSteps(described)) return 'busy';
  if (isThinking || phase === 'pausing' || phase === 'thinking' || phase === 'doubting') return 'busy';
  return phase === 'hearing' ? 'hearing' : 'good';
}

/**
 * The answer to an INVITE over TCP or TLS comes over its connection, which ends with the process. A peer may open
 * another one for it (RFC 3261 18.2.2): after a crash that is a chance, but here the answer can be waited for.
 */
function needsConnection(described: Described): boolean {
  const invite = unanswered(described);
  return invite !== null && invite.transport !== 'udp';
}

/** Persons are called or told who waits: another process would let go of all of them. */
const looksForPerson = (described: Described): boolean =>
  described.version !== RINGING_VERSION &&
  described.transfer?.state.phase === 'opening' &&
  described.transfer.person === null;

/** The INVITE of ours that is out: of the call itself, or to the person. */
function unanswered(described: Described): StoredDialog | null {
  if (described.version === RINGING_VERSION) return described.leg.dialog;
  return described.transfer?.person?.ringing?.dialog ?? null;
}

/** Of a transfer: its REFER has no answer, the person's INVITE is about to leave, or their answer is being settled. */
function isBetweenTwoSteps({ state, transfer = null }: Continuation): boolean {
  const isPending = state.phase === 'answered' && state.answered.transfer.state === 'pending';
  if (transfer === null || transfer.state.phase === 'referring') return isPending;
  return !transfer.person?.ringing && !transfer.person?.leg;
}
