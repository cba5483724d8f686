// The four transaction machines, timer by timer (RFC 3261 17, RFC 6026).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  newTransaction,
  stepTransaction,
  type TimerName,
  type Transaction,
  type TransactionEvent,
  type TransactionKind,
} from '../../../../../engine/sip/stack/transaction/transaction.ts';

/** Runs a machine on its own timers; records what it does and when. */
class Bench {
  state: Transaction;
  nowMs = 0;
  readonly log: string[] = [];
  readonly #due = new Map<TimerName, number>();

  constructor(kind: TransactionKind, reliable = false) {
    this.state = newTransaction(kind, reliable);
  }

  event(event: TransactionEvent): this {
    const [state, effects] = stepTransaction(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === 'arm') this.#due.set(effect.timer, this.nowMs + effect.delayMs);
      else if (effect.type === 'disarm') this.#due.delete(effect.timer);
      else this.log.push(`${this.nowMs / 1000} ${effect.type === 'fail' ? effect.cause : effect.type}`);
    }
    if (state.phase === 'terminated') this.#due.clear();
    return this;
  }

  until(ms: number): this {
    for (;;) {
      const next = [...this.#due].sort((a, b) => a[1] - b[1])[0];
      if (!next || next[1] > ms) break;
      this.nowMs = next[1];
      this.#due.delete(next[0]);
      this.event({ type: 'timer-fired', timer: next[0] });
    }
    this.nowMs = ms;
    return this;
  }
}

function response(status: number): TransactionEvent {
  return { type: 'response-received', status };
}

function sent(status: number): TransactionEvent {
  return { type: 'response-sent', status };
}

test('INVITE client: timer A doubles, timer B gives up at 32 s', () => {
  const bench = new Bench('invite-client').event({ type: 'started' }).until(40_000);
  assert.deepEqual(bench.log, [
    '0 transmit',
    '0.5 transmit',
    '1.5 transmit',
    '3.5 transmit',
    '7.5 transmit',
    '15.5 transmit',
    '31.5 transmit',
    '32 timeout',
    '32 end',
  ]);
});

test('INVITE client over TCP sends once and still gives up at 32 s', () => {
  const bench = new Bench('invite-client', true).event({ type: 'started' }).until(40_000);
  assert.deepEqual(bench.log, ['0 transmit', '32 timeout', '32 end']);
});

test('INVITE client of another process: sent again at once, then A and B as they were', () => {
  const after = (elapsedMs: number, isReliable = false) =>
    new Bench('invite-client', isReliable).event({ type: 'resumed', elapsedMs }).until(40_000).log;
  assert.deepEqual(after(2_000), [
    '0 transmit',
    '1.5 transmit',
    '5.5 transmit',
    '13.5 transmit',
    '29.5 transmit',
    '30 timeout',
    '30 end',
  ]);
  assert.deepEqual(after(500).slice(0, 3), ['0 transmit', '1 transmit', '3 transmit']);
  assert.deepEqual(after(33_000), ['0 timeout', '0 end']);
  assert.deepEqual(after(2_000, true), ['30 timeout', '30 end'], 'over TCP it is not sent again');
});

test('INVITE client: a provisional stops A and B, a refusal is acknowledged each time until timer D', () => {
  const bench = new Bench('invite-client').event({ type: 'started' }).until(100).event(response(180)).until(60_000);
  bench.event(response(486)).until(61_000).event(response(486)).until(100_000);
  assert.deepEqual(bench.log, [
    '0 transmit',
    '0.1 deliver',
    '60 transmit-ack',
    '60 deliver',
    '61 transmit-ack',
    '92 end',
  ]);
});

test('INVITE client: given up after a 1xx it ends after 32 s, or with the final response that comes after all', () => {
  const dark = new Bench('invite-client').event({ type: 'started' }).event(response(180)).until(10_000);
  dark.event({ type: 'given-up' }).until(20_000).event(response(180)).until(60_000);
  assert.deepEqual(dark.log, ['0 transmit', '0 deliver', '20 deliver', '42 timeout', '42 end']);
  const late = new Bench('invite-client').event({ type: 'started' }).event(response(180)).event({ type: 'given-up' });
  late.until(1_000).event(response(487)).until(60_000);
  assert.deepEqual(late.log, ['0 transmit', '0 deliver', '1 transmit-ack', '1 deliver', '33 end']);
});

test('INVITE client: every 2xx is delivered for 32 s (timer M), for forks and retransmissions', () => {
  const bench = new Bench('invite-client').event({ type: 'started' }).event(response(200)).until(10_000);
  bench.event(response(200)).event(response(486)).until(40_000);
  assert.deepEqual(bench.log, ['0 transmit', '0 deliver', '10 deliver', '32 end']);
});

test('client: E doubles up to T2, after a provisional it is T2, F ends it, K absorbs', () => {
  const lost = new Bench('client').event({ type: 'started' }).until(40_000);
  assert.deepEqual(lost.log.slice(0, 6), [
    '0 transmit',
    '0.5 transmit',
    '1.5 transmit',
    '3.5 transmit',
    '7.5 transmit',
    '11.5 transmit',
  ]);
  assert.deepEqual(lost.log.slice(-2), ['32 timeout', '32 end']);
  const answered = new Bench('client')
    .event({ type: 'started' })
    .event(response(100))
    .until(1_000)
    .event(response(200));
  answered.until(3_000).event(response(200)).until(20_000);
  assert.deepEqual(answered.log, ['0 transmit', '0 deliver', '0.5 transmit', '1 deliver', '6 end']);
  assert.deepEqual(new Bench('client', true).event({ type: 'started' }).event(response(200)).log, [
    '0 transmit',
    '0 deliver',
    '0 end',
  ]);
});

test('a transport error ends a waiting client and leaves a finished one alone', () => {
  assert.deepEqual(new Bench('client').event({ type: 'started' }).event({ type: 'transport-failed' }).log, [
    '0 transmit',
    '0 transport',
    '0 end',
  ]);
  const accepted = new Bench('invite-client')
    .event({ type: 'started' })
    .event(response(200))
    .event({ type: 'transport-failed' });
  assert.equal(accepted.state.phase, 'accepted');
});

test('INVITE server: G repeats the refusal up to T2, H gives up, an ACK confirms and I absorbs', () => {
  const lost = new Bench('invite-server')
    .event(sent(180))
    .event({ type: 'request-received' })
    .event(sent(486))
    .until(40_000);
  assert.deepEqual(lost.log.slice(0, 8), [
    '0 transmit',
    '0 transmit',
    '0 transmit',
    '0.5 transmit',
    '1.5 transmit',
    '3.5 transmit',
    '7.5 transmit',
    '11.5 transmit',
  ]);
  assert.deepEqual(lost.log.slice(-2), ['32 timeout', '32 end']);
  const confirmed = new Bench('invite-server').event(sent(486)).until(200).event({ type: 'ack-received' });
  confirmed.event({ type: 'request-received' }).event({ type: 'ack-received' }).until(20_000);
  assert.deepEqual(confirmed.log, ['0 transmit', '5.2 end']);
  assert.deepEqual(new Bench('invite-server', true).event(sent(486)).event({ type: 'ack-received' }).log, [
    '0 transmit',
    '0 end',
  ]);
});

test('INVITE server: after the 2xx retransmitted INVITEs are absorbed, ACKs go up, L ends it', () => {
  const bench = new Bench('invite-server').event(sent(200)).until(500).event(sent(200));
  bench.event({ type: 'request-received' }).event({ type: 'ack-received' }).event(sent(486)).until(40_000);
  assert.deepEqual(bench.log, ['0 transmit', '0.5 transmit', '0.5 deliver', '32 end']);
});

test('server: retransmissions get the last response until J, over TCP it ends at once', () => {
  const bench = new Bench('server').event({ type: 'request-received' }).event(sent(200)).until(10_000);
  bench.event({ type: 'request-received' }).event(sent(500)).until(40_000);
  assert.deepEqual(bench.log, ['0 transmit', '10 transmit', '32 end']);
  assert.deepEqual(new Bench('server', true).event(sent(200)).log, ['0 transmit', '0 end']);
});

test('a terminated transaction accepts nothing', () => {
  const bench = new Bench('server', true).event(sent(200));
  bench.event({ type: 'request-received' }).event(sent(500)).event({ type: 'transport-failed' });
  assert.deepEqual(bench.log, ['0 transmit', '0 end']);
});
