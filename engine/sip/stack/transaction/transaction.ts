// The four transaction machines of RFC 3261 17, with the Accepted states of RFC 6026, as pure steps: one function per
// state, named after the machine and the state in the RFC's figure. A state ignores events that its function does not
// list. Time comes in as fired timers and goes out as timers to arm; transaction-layer.ts performs the effects.
import { unreachable } from '../../../../db/domain/unexpected.ts';

/** RFC 3261 17.1.1.1 and table 4, milliseconds. */
export const T1_MS = 500;
export const T2_MS = 4_000;
const T4_MS = 5_000;
/** 64*T1: timers B, F, H, J, L and M. */
export const TRANSACTION_TIMEOUT_MS = 64 * T1_MS;
const TIMER_D_MS = 32_000;

export type TimerName = 'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M';
export type TransactionKind = Transaction['kind'];

interface Retransmission {
  /** TCP or TLS: nothing is retransmitted. */
  reliable: boolean;
  /** Current interval of the retransmission timer (A, E or G). */
  intervalMs: number;
}

interface InviteClient extends Retransmission {
  kind: 'invite-client';
  phase: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated';
}

interface Client extends Retransmission {
  kind: 'client';
  phase: 'trying' | 'proceeding' | 'completed' | 'terminated';
}

interface InviteServer extends Retransmission {
  kind: 'invite-server';
  phase: 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';
}

interface Server extends Retransmission {
  kind: 'server';
  phase: 'trying' | 'proceeding' | 'completed' | 'terminated';
}

export type Transaction = InviteClient | Client | InviteServer | Server;

export type TransactionEvent =
  | { type: 'started' }
  /** INVITE client without any response: another process first sent it so long ago. */
  | { type: 'resumed'; elapsedMs: number }
  | { type: 'timer-fired'; timer: TimerName }
  | { type: 'transport-failed' }
  /** INVITE client: it was cancelled, or its dialog is over. */
  | { type: 'given-up' }
  /** Client: a response arrived. */
  | { type: 'response-received'; status: number }
  /** Server: the same request again. */
  | { type: 'request-received' }
  | { type: 'ack-received' }
  /** Server: the transaction user sends a response. */
  | { type: 'response-sent'; status: number };

type TransactionEffect =
  /** The request (client) or the last response (server). */
  | { type: 'transmit' }
  | { type: 'transmit-ack' }
  | { type: 'deliver' }
  | { type: 'arm'; timer: TimerName; delayMs: number }
  | { type: 'disarm'; timer: TimerName }
  | { type: 'fail'; cause: 'timeout' | 'transport' }
  | { type: 'end' };

type Step = [Transaction, TransactionEffect[]];

export function newTransaction(kind: TransactionKind, reliable: boolean): Transaction {
  const fresh = { reliable, intervalMs: T1_MS };
  switch (kind) {
    case 'invite-client':
      return { kind, phase: 'calling', ...fresh };
    case 'invite-server':
      return { kind, phase: 'proceeding', ...fresh };
    case 'client':
    case 'server':
      return { kind, phase: 'trying', ...fresh };
    default:
      return unreachable(kind);
  }
}

/** An INVITE of ours that rings in another process so far. */
export const proceedingInvite = (reliable: boolean): Transaction => ({
  kind: 'invite-client',
  phase: 'proceeding',
  reliable,
  intervalMs: T1_MS,
});

/** Takes one event; returns the next state and the effects to perform. */
export function stepTransaction(state: Transaction, event: TransactionEvent): Step {
  switch (state.kind) {
    case 'invite-client':
      return stepInviteClient(state, event);
    case 'client':
      return stepClient(state, event);
    case 'invite-server':
      return stepInviteServer(state, event);
    case 'server':
      return stepServer(state, event);
    default:
      return unreachable(state);
  }
}

// INVITE client: RFC 3261 17.1.1.2, figure 5; RFC 6026 8.4 adds Accepted.
//
//   calling ──1xx──► proceeding ──300-699──► completed ──D──► terminated
//      │                 └──────2xx──► accepted ──M──► terminated
//      └── 2xx, 300-699: as from proceeding; B, transport error: terminated
//
// RFC 3261 9.1: some peers never answer an INVITE that was cancelled after a 1xx. B, armed anew, ends it.
function stepInviteClient(state: InviteClient, event: TransactionEvent): Step {
  switch (state.phase) {
    case 'calling':
      return inviteClientCalling(state, event);
    case 'proceeding':
      return inviteClientProceeding(state, event);
    case 'completed':
      return inviteClientCompleted(state, event);
    case 'accepted':
      return inviteClientAccepted(state, event);
    case 'terminated':
      return stay(state);
    default:
      return unreachable(state.phase);
  }
}

function inviteClientCalling(state: InviteClient, event: TransactionEvent): Step {
  if (event.type === 'started') return start(state, 'A', 'B');
  if (event.type === 'resumed') return resumeCalling(state, event.elapsedMs);
  if (isTimer(event, 'A')) return retransmit(state, 'A', state.intervalMs * 2);
  if (isTimer(event, 'B')) return fail(state, 'timeout');
  if (event.type === 'transport-failed') return fail(state, 'transport');
  if (event.type === 'response-received') {
    return inviteClientResponse(state, event.status, [disarm('A'), disarm('B')]);
  }
  return stay(state);
}

/**
 * Sent again at once, because a response may have come while nobody listened; then A and B go on as they were. Nothing
 * is sent again over TCP: a server whose transaction has ended would take it for another call.
 */
function resumeCalling(state: InviteClient, elapsedMs: number): Step {
  const giveUp = arm('B', Math.max(0, TRANSACTION_TIMEOUT_MS - elapsedMs));
  if (state.reliable || elapsedMs >= TRANSACTION_TIMEOUT_MS) return stay(state, giveUp);
  let intervalMs = T1_MS;
  // A fires T1, 3*T1, 7*T1 … after the first transmission.
  while (2 * intervalMs - T1_MS <= elapsedMs) intervalMs *= 2;
  const repeat = arm('A', 2 * intervalMs - T1_MS - elapsedMs);
  return [{ ...state, intervalMs }, [{ type: 'transmit' }, repeat, giveUp]];
}

function inviteClientProceeding(state: InviteClient, event: TransactionEvent): Step {
  if (event.type === 'given-up') return stay(state, arm('B', TRANSACTION_TIMEOUT_MS));
  if (isTimer(event, 'B')) return fail(state, 'timeout');
  if (event.type === 'transport-failed') return fail(state, 'transport');
  if (event.type === 'response-received') {
    return inviteClientResponse(state, event.status, event.status < 200 ? [] : [disarm('B')]);
  }
  return stay(state);
}

function inviteClientResponse(state: InviteClient, status: number, before: TransactionEffect[]): Step {
  if (status < 200) return to(state, 'proceeding', ...before, { type: 'deliver' });
  if (status < 300) return to(state, 'accepted', ...before, { type: 'deliver' }, arm('M', TRANSACTION_TIMEOUT_MS));
  const acknowledged: TransactionEffect[] = [...before, { type: 'transmit-ack' }, { type: 'deliver' }];
  if (state.reliable) return end(state, ...acknowledged);
  return to(state, 'completed', ...acknowledged, arm('D', TIMER_D_MS));
}

function inviteClientCompleted(state: InviteClient, event: TransactionEvent): Step {
  if (event.type === 'response-received' && event.status >= 300) return stay(state, { type: 'transmit-ack' });
  if (isTimer(event, 'D')) return end(state);
  return stay(state);
}

/** Further 2xx are retransmissions or come from other forks: the dialog layer acknowledges each. */
function inviteClientAccepted(state: InviteClient, event: TransactionEvent): Step {
  if (event.type === 'response-received' && isSuccess(event.status)) return stay(state, { type: 'deliver' });
  if (isTimer(event, 'M')) return end(state);
  return stay(state);
}

// Non-INVITE client: RFC 3261 17.1.2.2, figure 6.
//
//   trying ──1xx──► proceeding ──200-699──► completed ──K──► terminated
//      └── 200-699: as from proceeding; F, transport error in both: terminated
function stepClient(state: Client, event: TransactionEvent): Step {
  switch (state.phase) {
    case 'trying':
      return clientTrying(state, event);
    case 'proceeding':
      return clientProceeding(state, event);
    case 'completed':
      return isTimer(event, 'K') ? end(state) : stay(state);
    case 'terminated':
      return stay(state);
    default:
      return unreachable(state.phase);
  }
}

function clientTrying(state: Client, event: TransactionEvent): Step {
  if (event.type === 'started') return start(state, 'E', 'F');
  if (isTimer(event, 'E')) return retransmit(state, 'E', Math.min(state.intervalMs * 2, T2_MS));
  return clientWaiting(state, event);
}

function clientProceeding(state: Client, event: TransactionEvent): Step {
  if (isTimer(event, 'E')) return retransmit(state, 'E', T2_MS);
  return clientWaiting(state, event);
}

function clientWaiting(state: Client, event: TransactionEvent): Step {
  if (isTimer(event, 'F')) return fail(state, 'timeout');
  if (event.type === 'transport-failed') return fail(state, 'transport');
  if (event.type !== 'response-received') return stay(state);
  if (event.status < 200) return to(state, 'proceeding', { type: 'deliver' });
  const done: TransactionEffect[] = [disarm('E'), disarm('F'), { type: 'deliver' }];
  return state.reliable ? end(state, ...done) : to(state, 'completed', ...done, arm('K', T4_MS));
}

// INVITE server: RFC 3261 17.2.1, figure 7; RFC 6026 8.5 adds Accepted, where the transaction user itself repeats its
// 2xx.
//
//   proceeding ──300-699──► completed ──ACK──► confirmed ──I──► terminated
//      │                        └──H, transport error──► terminated
//      ├──2xx──► accepted ──L──► terminated
//      └──transport error──► terminated
function stepInviteServer(state: InviteServer, event: TransactionEvent): Step {
  switch (state.phase) {
    case 'proceeding':
      return inviteServerProceeding(state, event);
    case 'completed':
      return inviteServerCompleted(state, event);
    case 'confirmed':
      return isTimer(event, 'I') ? end(state) : stay(state);
    case 'accepted':
      return inviteServerAccepted(state, event);
    case 'terminated':
      return stay(state);
    default:
      return unreachable(state.phase);
  }
}

function inviteServerProceeding(state: InviteServer, event: TransactionEvent): Step {
  if (event.type === 'request-received') return stay(state, { type: 'transmit' });
  if (event.type === 'transport-failed') return fail(state, 'transport');
  if (event.type !== 'response-sent') return stay(state);
  if (event.status < 200) return stay(state, { type: 'transmit' });
  if (event.status < 300) return to(state, 'accepted', { type: 'transmit' }, arm('L', TRANSACTION_TIMEOUT_MS));
  const repeat = state.reliable ? [] : [arm('G', T1_MS)];
  return to(state, 'completed', { type: 'transmit' }, ...repeat, arm('H', TRANSACTION_TIMEOUT_MS));
}

function inviteServerCompleted(state: InviteServer, event: TransactionEvent): Step {
  if (event.type === 'request-received') return stay(state, { type: 'transmit' });
  if (isTimer(event, 'G')) return retransmit(state, 'G', Math.min(state.intervalMs * 2, T2_MS));
  if (isTimer(event, 'H')) return fail(state, 'timeout');
  if (event.type === 'transport-failed') return fail(state, 'transport');
  if (event.type !== 'ack-received') return stay(state);
  const quiet = [disarm('G'), disarm('H')];
  return state.reliable ? end(state, ...quiet) : to(state, 'confirmed', ...quiet, arm('I', T4_MS));
}

/** A retransmitted INVITE is absorbed here: the 2xx is repeated on its own timer until the ACK. */
function inviteServerAccepted(state: InviteServer, event: TransactionEvent): Step {
  if (event.type === 'response-sent' && isSuccess(event.status)) return stay(state, { type: 'transmit' });
  if (event.type === 'ack-received') return stay(state, { type: 'deliver' });
  if (isTimer(event, 'L')) return end(state);
  return stay(state);
}

// Non-INVITE server: RFC 3261 17.2.2, figure 8.
//
//   trying ──1xx──► proceeding ──200-699──► completed ──J──► terminated
//      └── 200-699: as from proceeding; transport error in any state: terminated
function stepServer(state: Server, event: TransactionEvent): Step {
  switch (state.phase) {
    case 'trying':
      return serverAnswering(state, event);
    case 'proceeding':
      return event.type === 'request-received' ? stay(state, { type: 'transmit' }) : serverAnswering(state, event);
    case 'completed':
      return serverCompleted(state, event);
    case 'terminated':
      return stay(state);
    default:
      return unreachable(state.phase);
  }
}

function serverAnswering(state: Server, event: TransactionEvent): Step {
  if (event.type === 'transport-failed') return fail(state, 'transport');
  if (event.type !== 'response-sent') return stay(state);
  if (event.status < 200) return to(state, 'proceeding', { type: 'transmit' });
  if (state.reliable) return end(state, { type: 'transmit' });
  return to(state, 'completed', { type: 'transmit' }, arm('J', TRANSACTION_TIMEOUT_MS));
}

function serverCompleted(state: Server, event: TransactionEvent): Step {
  if (event.type === 'request-received') return stay(state, { type: 'transmit' });
  if (event.type === 'transport-failed') return fail(state, 'transport');
  return isTimer(event, 'J') ? end(state) : stay(state);
}

function isTimer(event: TransactionEvent, timer: TimerName): boolean {
  return event.type === 'timer-fired' && event.timer === timer;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function arm(timer: TimerName, delayMs: number): TransactionEffect {
  return { type: 'arm', timer, delayMs };
}

function disarm(timer: TimerName): TransactionEffect {
  return { type: 'disarm', timer };
}

/** The first transmission of a request: `repeat` (A, E) retransmits it, `giveUp` (B, F) bounds the wait. */
function start(state: Transaction, repeat: TimerName, giveUp: TimerName): Step {
  const retransmission = state.reliable ? [] : [arm(repeat, T1_MS)];
  return stay(state, { type: 'transmit' }, ...retransmission, arm(giveUp, TRANSACTION_TIMEOUT_MS));
}

function retransmit(state: Transaction, timer: TimerName, intervalMs: number): Step {
  return [{ ...state, intervalMs }, [{ type: 'transmit' }, arm(timer, intervalMs)]];
}

function stay(state: Transaction, ...effects: TransactionEffect[]): Step {
  return [state, effects];
}

function to<T extends Transaction>(
  state: T,
  phase: T['phase'],
  ...effects: TransactionEffect[]
): [T, TransactionEffect[]] {
  return [{ ...state, phase }, effects];
}

function end(state: Transaction, ...effects: TransactionEffect[]): Step {
  return [{ ...state, phase: 'terminated' }, [...effects, { type: 'end' }]];
}

function fail(state: Transaction, cause: 'timeout' | 'transport'): Step {
  return end(state, { type: 'fail', cause });
}
