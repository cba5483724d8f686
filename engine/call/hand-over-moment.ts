// When a call may change hands at an upgrade.
import type { TurnPhase } from '../turn/machine.ts';
import type { Continuation, HandOverMoment } from './continuation.ts';
import { RINGING_VERSION, type RingingContinuation } from './ringing.ts';

/** `described`: what another process would go on with; null if none could. `phase`: who has the floor. */
export function handOverMoment(
  described: Continuation | RingingContinuation | null,
  phase: TurnPhase,
  isThinking: boolean,
): HandOverMoment {
  if (described === null || needsConnection(described)) return 'never';
  if (isThinking || phase === 'pausing' || phase === 'thinking' || phase === 'doubting') return 'busy';
  return phase === 'hearing' ? 'hearing' : 'good';
}

/**
 * The answer to an INVITE over TCP or TLS comes over its connection, which ends with the process. A peer may open
 * another one for it (RFC 3261 18.2.2): after a crash that is a chance, but here the answer can be waited for.
 */
const needsConnection = (described: Continuation | RingingContinuation): boolean =>
  described.version === RINGING_VERSION && described.leg.dialog.transport !== 'udp';
