// The timers that a turn machine arms, one of each name; an armed one replaces the last of its name.
import type { TurnTimer } from '../turn/machine.ts';

export class TurnTimers {
  readonly #timers = new Map<TurnTimer, NodeJS.Timeout>();
  readonly #schedule: (delayMs: number, action: () => void) => NodeJS.Timeout;

  constructor(schedule: (delayMs: number, action: () => void) => NodeJS.Timeout) {
    this.#schedule = schedule;
  }

  arm(timer: TurnTimer, delayMs: number, fire: () => void): void {
    this.cancel(timer);
    const armed = this.#schedule(Math.max(0, delayMs), () => {
      this.#timers.delete(timer);
      fire();
    });
    this.#timers.set(timer, armed);
  }

  cancel(timer: TurnTimer): void {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }

  clear(): void {
    for (const timer of this.#timers.keys()) this.cancel(timer);
  }
}
