// The fence keeps an engine that stood still from speaking on calls that another one may have by now. One of several
// engines that did not run for seconds (a frozen machine, a stopped process) cannot know whether it was taken for dead:
// it ends before it sends anything. Its next process goes on with the calls that are still its own, as after a crash.
import { writeSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { FENCED_AFTER_MS } from './silence.ts';

export class Fence {
  readonly #nowMs: () => number;
  readonly #onStoodStill: (forMs: number) => void;
  /** Null: nothing is expected to pass yet. */
  #passedAtMs: number | null = null;

  constructor(nowMs: () => number, onStoodStill: (forMs: number) => void = endAtOnce) {
    this.#nowMs = nowMs;
    this.#onStoodStill = onStoodStill;
  }

  /** From now on `pass` is called at least every second. */
  raise(): void {
    this.#passedAtMs = this.#nowMs();
  }

  /** Before anything is sent, and before anything that arrived is heard. */
  pass(): void {
    if (this.#passedAtMs === null) return;
    const nowMs = this.#nowMs();
    const stoodStillMs = nowMs - this.#passedAtMs;
    this.#passedAtMs = nowMs;
    if (stoodStillMs >= FENCED_AFTER_MS) this.#onStoodStill(stoodStillMs);
  }
}

/** Ends all threads of the process before this one does anything more. */
function endAtOnce(forMs: number): void {
  const message = `the engine stood still for ${Math.round(forMs / 1_000)} s and may have been taken for dead: it ends`;
  const line = { level: 'fatal', time: new Date().toISOString(), name: 'engine', msg: message };
  writeSync(2, `${JSON.stringify(line)}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** A clock whose timers pass the fence before they fire. */
export const fencedClock = (clock: Clock, fence: Fence): Clock => ({
  nowMs: () => clock.nowMs(),
  monotonicMs: () => clock.monotonicMs(),
  after: (delayMs, fire) =>
    clock.after(delayMs, () => {
      fence.pass();
      fire();
    }),
});
