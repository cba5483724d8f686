// The four transaction machines of RFC 3261 17, with the Accepted states of RFC 6026, as pure steps. Time comes in as
// fired timers, leaves as timers to arm; the driver in transaction-layer.ts performs the effects.

/** RFC 3261 17.1.1.1 and table 4, milliseconds. */
export const T1_MS = 500;
export const T2_MS = 4_000;
const T4_MS = 5_000;
/** How long either side waits for the other: timers B, F, H, J, L, M. */
export const TRANSACTION_TIMEOUT_MS = 64 * T1_MS;
const TIMER_D_MS = 32_000;

export type TimerName = 'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M';
export type TransactionKind = 'invite-client' | 'client' | 'invite-server' | 'server';
type Phase = 'calling' | 'trying' | 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

export interface Transaction {
  kind: TransactionKind;
  phase: Phase;
  /** TCP or TLS: nothing is retransmitted. */
  reliable: boolean;
  /** Current interval of the retransmission timer (A, E or G). */
  intervalMs: number;
}

export type TransactionEvent =
  | { type: 'started' }
  | { type: 'timer-fired'; timer: TimerName }
  | { type: 'transport-failed' }
  /** Client: a response arrived. */
  | { type: 'response-received'; status: number }
  /** Server: the same request again. */
  | { type: 'request-received' }
  | { type: 'ack-received' }
  /** Server: the user sends a response. */
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
  return {
    kind,
    phase: kind === 'invite-client' ? 'calling' : kind === 'invite-server' ? 'proceeding' : 'trying',
    reliable,
    intervalMs: T1_MS,
  };
}

function arm(timer: TimerName, delayMs: number): TransactionEffect {
  return { type: 'arm', timer, delayMs };
}

function disarm(timer: TimerName): TransactionEffect {
  return { type: 'disarm', timer };
}
function end(state: Transaction, ...effects: TransactionEffect[]): Step {
  return [{ ...state, phase: 'terminated' }, [...effects, { type: 'end' }]];
}
function to(state: Transaction, phase: Phase, ...effects: TransactionEffect[]): Step {
  return [{ ...state, phase }, effects];
}
function stay(state: Transaction, ...effects: TransactionEffect[]): Step {
  return [state, effects];
}

/** RFC 3261 17.1.1.2 and RFC 6026 8.4. */
function stepInviteClient(state: Transaction, event: TransactionEvent): Step {
  if (event.type === 'started') {
    const retransmit = state.reliable ? [] : [arm('A', T1_MS)];
    return stay(state, { type: 'transmit' }, ...retransmit, arm('B', TRANSACTION_TIMEOUT_MS));
  }
  if (event.type === 'transport-failed') {
    if (state.phase === 'accepted' || state.phase === 'completed') return stay(state);
    return end(state, { type: 'fail', cause: 'transport' });
  }
  if (event.type === 'timer-fired') {
    if (event.timer === 'A' && state.phase === 'calling') {
      const intervalMs = state.intervalMs * 2;
      return [{ ...state, intervalMs }, [{ type: 'transmit' }, arm('A', intervalMs)]];
    }
    if (event.timer === 'B' && state.phase === 'calling') return end(state, { type: 'fail', cause: 'timeout' });
    if (event.timer === 'D' && state.phase === 'completed') return end(state);
    if (event.timer === 'M' && state.phase === 'accepted') return end(state);
    return stay(state);
  }
  if (event.type !== 'response-received') return stay(state);
  const { status } = event;
  if (state.phase === 'calling' || state.phase === 'proceeding') {
    const quiet = [disarm('A'), disarm('B')];
    if (status < 200) return to(state, 'proceeding', ...quiet, { type: 'deliver' });
    if (status < 300) return to(state, 'accepted', ...quiet, { type: 'deliver' }, arm('M', TRANSACTION_TIMEOUT_MS));
    const acknowledged: TransactionEffect[] = [...quiet, { type: 'transmit-ack' }, { type: 'deliver' }];
    return state.reliable ? end(state, ...acknowledged) : to(state, 'completed', ...acknowledged, arm('D', TIMER_D_MS));
  }
  if (state.phase === 'completed' && status >= 300) return stay(state, { type: 'transmit-ack' });
  // Further 2xx are retransmissions or come from other forks: the dialog layer acknowledges each.
  if (state.phase === 'accepted' && status >= 200 && status < 300) return stay(state, { type: 'deliver' });
  return stay(state);
}

/** RFC 3261 17.1.2.2. */
function stepClient(state: Transaction, event: TransactionEvent): Step {
  if (event.type === 'started') {
    const retransmit = state.reliable ? [] : [arm('E', T1_MS)];
    return stay(state, { type: 'transmit' }, ...retransmit, arm('F', TRANSACTION_TIMEOUT_MS));
  }
  const waiting = state.phase === 'trying' || state.phase === 'proceeding';
  if (event.type === 'transport-failed') {
    return waiting ? end(state, { type: 'fail', cause: 'transport' }) : stay(state);
  }
  if (event.type === 'timer-fired') {
    if (event.timer === 'E' && waiting) {
      const intervalMs = state.phase === 'proceeding' ? T2_MS : Math.min(state.intervalMs * 2, T2_MS);
      return [{ ...state, intervalMs }, [{ type: 'transmit' }, arm('E', intervalMs)]];
    }
    if (event.timer === 'F' && waiting) return end(state, { type: 'fail', cause: 'timeout' });
    if (event.timer === 'K' && state.phase === 'completed') return end(state);
    return stay(state);
  }
  if (event.type !== 'response-received' || !waiting) return stay(state);
  if (event.status < 200) return to(state, 'proceeding', { type: 'deliver' });
  const done: TransactionEffect[] = [disarm('E'), disarm('F'), { type: 'deliver' }];
  return state.reliable ? end(state, ...done) : to(state, 'completed', ...done, arm('K', T4_MS));
}

/** RFC 3261 17.2.1 and RFC 6026 8.5. The transaction user retransmits its 2xx itself. */
function stepInviteServer(state: Transaction, event: TransactionEvent): Step {
  if (event.type === 'response-sent') {
    if (state.phase === 'accepted' && event.status >= 200 && event.status < 300) {
      return stay(state, { type: 'transmit' });
    }
    if (state.phase !== 'proceeding') return stay(state);
    if (event.status < 200) return stay(state, { type: 'transmit' });
    if (event.status < 300) return to(state, 'accepted', { type: 'transmit' }, arm('L', TRANSACTION_TIMEOUT_MS));
    const retransmit = state.reliable ? [] : [arm('G', T1_MS)];
    return to(
      { ...state, intervalMs: T1_MS },
      'completed',
      { type: 'transmit' },
      ...retransmit,
      arm('H', TRANSACTION_TIMEOUT_MS),
    );
  }
  if (event.type === 'request-received') {
    // In Accepted the retransmitted INVITE is absorbed: the 2xx has its own clock.
    return state.phase === 'proceeding' || state.phase === 'completed'
      ? stay(state, { type: 'transmit' })
      : stay(state);
  }
  if (event.type === 'ack-received') {
    if (state.phase === 'accepted') return stay(state, { type: 'deliver' });
    if (state.phase !== 'completed') return stay(state);
    const quiet = [disarm('G'), disarm('H')];
    return state.reliable ? end(state, ...quiet) : to(state, 'confirmed', ...quiet, arm('I', T4_MS));
  }
  if (event.type === 'timer-fired') {
    if (event.timer === 'G' && state.phase === 'completed') {
      const intervalMs = Math.min(state.intervalMs * 2, T2_MS);
      return [{ ...state, intervalMs }, [{ type: 'transmit' }, arm('G', intervalMs)]];
    }
    if (event.timer === 'H' && state.phase === 'completed') return end(state, { type: 'fail', cause: 'timeout' });
    if (event.timer === 'I' && state.phase === 'confirmed') return end(state);
    if (event.timer === 'L' && state.phase === 'accepted') return end(state);
    return stay(state);
  }
  if (event.type === 'transport-failed' && (state.phase === 'proceeding' || state.phase === 'completed')) {
    return end(state, { type: 'fail', cause: 'transport' });
  }
  return stay(state);
}

/** RFC 3261 17.2.2. */
function stepServer(state: Transaction, event: TransactionEvent): Step {
  if (event.type === 'response-sent') {
    if (state.phase !== 'trying' && state.phase !== 'proceeding') return stay(state);
    if (event.status < 200) return to(state, 'proceeding', { type: 'transmit' });
    return state.reliable
      ? end(state, { type: 'transmit' })
      : to(state, 'completed', { type: 'transmit' }, arm('J', TRANSACTION_TIMEOUT_MS));
  }
  if (event.type === 'request-received') {
    return state.phase === 'proceeding' || state.phase === 'completed'
      ? stay(state, { type: 'transmit' })
      : stay(state);
  }
  if (event.type === 'timer-fired' && event.timer === 'J' && state.phase === 'completed') return end(state);
  if (event.type === 'transport-failed' && state.phase !== 'terminated') {
    return end(state, { type: 'fail', cause: 'transport' });
  }
  return stay(state);
}

/** One event in, the next state and what is to be done out. A terminated transaction takes nothing any more. */
export function stepTransaction(state: Transaction, event: TransactionEvent): Step {
  if (state.phase === 'terminated') return [state, []];
  switch (state.kind) {
    case 'invite-client':
      return stepInviteClient(state, event);
    case 'client':
      return stepClient(state, event);
    case 'invite-server':
      return stepInviteServer(state, event);
    case 'server':
      return stepServer(state, event);
  }
}
