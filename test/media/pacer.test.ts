import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PacedCall, Pacer, type PacerClock } from '../../media/pacer.ts';

class VirtualClock implements PacerClock {
  nowMs = 1000;
  latenessMs = 0;
  #timers: Array<{ atMs: number; callback: () => void }> = [];

  monotonicMs(): number {
    return this.nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get armed(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!next || next.atMs + this.latenessMs > end) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs + this.latenessMs);
      next.callback();
    }
    this.nowMs = end;
  }

  /** Blocks the thread: time passes, and no timer fires until the end. */
  block(ms: number): void {
    this.nowMs += ms;
  }
}

class Recorded implements PacedCall {
  ticks: number[] = [];
  heard = 0;
  missed: number[] = [];
  faults: unknown[] = [];
  throwAt = -1;

  send(nowMs: number, missed: number): void {
    if (this.ticks.length === this.throwAt) throw new Error('bad frame');
    this.ticks.push(nowMs);
    this.missed.push(missed);
  }

  hear(): void {
    this.heard++;
  }

  fault(error: unknown): void {
    this.faults.push(error);
  }
}

test('each call has a turn every 20 ms, all of a thread in the same tick, also one that joins between two', () => {
  const clock = new VirtualClock();
  let ticks = 0;
  const pacer = new Pacer(
    clock,
    (callback) => callback(),
    () => ticks++,
  );
  const calls = Array.from({ length: 8 }, () => new Recorded());
  for (const call of calls.slice(1)) pacer.join(call);
  clock.advance(1_009);
  pacer.join(calls[0] as Recorded);
  clock.advance(991);
  for (const [i, call] of calls.entries()) {
    assert.equal(call.ticks.length, i === 0 ? 50 : 100);
    assert.equal(call.heard, call.ticks.length);
    for (const atMs of call.ticks) assert.equal((atMs - 1_000) % 20, 0);
    assert.ok(call.missed.every((missed) => missed === 0));
  }
  assert.equal(ticks, 100);
});

test('ticks lie on a grid, whenever the first call joins', () => {
  for (const phaseMs of [0, 7, 1_007, -13]) {
    const clock = new VirtualClock();
    clock.advance(3.5);
    const call = new Recorded();
    new Pacer(
      clock,
      (callback) => callback(),
      () => {},
      phaseMs,
    ).join(call);
    clock.advance(100);
    assert.equal(call.ticks.length, 5);
    for (const atMs of call.ticks) assert.equal(atMs % 20, phaseMs === 0 ? 0 : 7);
  }
});

test('a timer that is late each time does not make the clock drift', () => {
  const clock = new VirtualClock();
  clock.latenessMs = 1.3;
  const pacer = new Pacer(clock, (callback) => callback());
  const call = new Recorded();
  pacer.join(call);
  clock.advance(600_000);
  assert.ok(Math.abs(call.ticks.length - 30_000) <= 1);
  const spread = (call.ticks.at(-1) as number) - (call.ticks[0] as number) - (call.ticks.length - 1) * 20;
  assert.ok(Math.abs(spread) < 2);
});

test('after a blocked thread a call has one turn and gets the number it missed; there is no burst', () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock, (callback) => callback());
  const calls = Array.from({ length: 4 }, () => new Recorded());
  for (const call of calls) pacer.join(call);
  clock.advance(100);
  const before = calls.map((call) => call.ticks.length);
  clock.block(90);
  clock.advance(1);
  for (const [i, call] of calls.entries()) {
    assert.equal(call.ticks.length - (before[i] as number), 1);
    assert.ok([3, 4].includes(call.missed.at(-1) as number), `missed ${call.missed.at(-1)}`);
  }
  clock.advance(1009);
  // Turns plus missed turns equal the elapsed time.
  for (const call of calls) {
    const frames = call.ticks.length + call.missed.reduce((sum, missed) => sum + missed, 0);
    assert.equal(frames, 60);
  }
});

test('frames that were not sent count as late, those of a call that has just joined do not', () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock, (callback) => callback());
  pacer.join(new Recorded());
  clock.advance(110);
  pacer.sendLateness.take();
  clock.block(200);
  const young = new Recorded();
  pacer.join(young);
  clock.advance(50);
  const { count, late } = pacer.sendLateness.take();
  assert.deepEqual([count, late, young.missed[0]], [15, 9, 0]);
});

test('a call that throws is taken off the clock, the others go on', () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock, (callback) => callback());
  const good = new Recorded();
  const bad = new Recorded();
  bad.throwAt = 3;
  pacer.join(bad);
  pacer.join(good);
  clock.advance(400);
  assert.equal(bad.ticks.length, 3);
  assert.equal(bad.faults.length, 1);
  assert.equal(good.ticks.length, 20);
  assert.equal(pacer.calls, 1);
});

test('without calls there is no timer; a call that leaves in its own turn is not called again', () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock, (callback) => callback());
  const call = new Recorded();
  pacer.join(call);
  pacer.join(call);
  assert.equal(clock.armed, 1);
  clock.advance(50);
  pacer.leave(call);
  pacer.leave(call);
  assert.equal(clock.armed, 0);
  const ticks = call.ticks.length;
  clock.advance(100);
  assert.equal(call.ticks.length, ticks);
  const leaver: PacedCall = { send: () => pacer.leave(leaver), hear: () => assert.fail(), fault: assert.fail };
  pacer.join(leaver);
  clock.advance(100);
  assert.equal(clock.armed, 0);
  pacer.join(call);
  clock.advance(100);
  assert.equal(call.ticks.length, ticks + 5);
});

test('the figures give the deviation from 20 ms since the last reading', () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock, (callback) => callback());
  pacer.join(new Recorded());
  clock.advance(500);
  assert.deepEqual(pacer.takeFigures(), { calls: 1, errorP50Ms: 0, errorP99Ms: 0, errorMaxMs: 0 });
  clock.block(47);
  clock.advance(100);
  assert.ok(pacer.takeFigures().errorMaxMs >= 20);
  assert.equal(pacer.takeFigures().errorMaxMs, 0);
});

test('all calls send before the sockets are read, and hear after that', () => {
  const clock = new VirtualClock();
  const order: string[] = [];
  const pacer = new Pacer(clock, (callback) => {
    order.push('sockets');
    callback();
  });
  const named = (name: string): PacedCall => ({
    send: () => order.push(`${name} sends`),
    hear: () => order.push(`${name} hears`),
    fault: assert.fail,
  });
  pacer.join(named('one'));
  pacer.join(named('the other'));
  clock.advance(20);
  assert.deepEqual(order, ['one sends', 'the other sends', 'sockets', 'one hears', 'the other hears']);
});

test('a call that joins in the place of the last one, in the midst of a tick, has a clock of its own', () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock, (callback) => callback());
  const next = new Recorded();
  const last: PacedCall = {
    send() {
      pacer.leave(last);
      pacer.join(next);
    },
    hear: () => assert.fail(),
    fault: assert.fail,
  };
  pacer.join(last);
  clock.advance(120);
  assert.equal(clock.armed, 1);
  assert.deepEqual(
    next.ticks.map((atMs) => atMs - 1_000),
    [40, 60, 80, 100, 120],
  );
});

test('a call that leaves between its two halves does not hear', () => {
  const clock = new VirtualClock();
  const call = new Recorded();
  const pacer = new Pacer(clock, (callback) => {
    if (call.ticks.length > 0) pacer.leave(call);
    callback();
  });
  pacer.join(call);
  clock.advance(100);
  assert.deepEqual([call.ticks.length, call.heard], [1, 0]);
});
