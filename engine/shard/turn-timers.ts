// The timers of one turn machine, at most one of each name: arming it again replaces it.
import type { Clock } from '../clock.ts';
import type { TurnTimer } from '../turn/machine.ts';

export class TurnTimers {
  readonly #clock: Clock;
  /** The armed timers: each value cancels its own. */
  readonly #cancels = new Map<TurnTimer, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arm(timer: TurnTimer, delayMs: number, fire: () => void): void {
    this.cancel(timer);
    const cancel = this.#clock.after(Math.max(0, delayMs), () => {
      this.#cancels.delete(timer);
      fire();
    });
    this.#cancels.set(timer, cancel);
  }

  cancel(timer: TurnTimer): void {
    this.#cancels.get(timer)?.();
    this.#cancels.delete(timer);
  }

  clear(): void {
    for (const timer of this.#cancels.keys()) this.cancel(timer);
  }
}
