// The armed timers of one call's machine, and what is left of each.
import type { Clock } from '../clock.ts';
import type { CallTimer } from './machine.ts';

export class CallTimers {
  readonly #clock: Clock;
  readonly #fired: (timer: CallTimer, serial: number) => void;
  readonly #armed = new Map<CallTimer, { cancel: () => void; dueAtMs: number }>();
  #leftBehind: Partial<Record<CallTimer, number>> | null = null;

  constructor(clock: Clock, fired: (timer: CallTimer, serial: number) => void) {
    this.#clock = clock;
    this.#fired = fired;
  }

  /** Ms until each fires, or would have when they were left. */
  get left(): Partial<Record<CallTimer, number>> {
    if (this.#leftBehind !== null) return this.#leftBehind;
    const nowMs = this.#clock.monotonicMs();
    return Object.fromEntries([...this.#armed].map(([timer, { dueAtMs }]) => [timer, Math.max(0, dueAtMs - nowMs)]));
  }

  arm(timer: CallTimer, serial: number, delayMs: number): void {
    this.cancel(timer);
    const cancel = this.#clock.after(delayMs, () => {
      this.#armed.delete(timer);
      this.#fired(timer, serial);
    });
    this.#armed.set(timer, { cancel, dueAtMs: this.#clock.monotonicMs() + delayMs });
  }

  /** As another process has armed them. */
  goOn(armed: ReadonlyArray<{ timer: CallTimer; serial: number; leftMs: number }>): void {
    for (const { timer, serial, leftMs } of armed) this.arm(timer, serial, leftMs);
  }

  cancel(timer: CallTimer): void {
    this.#armed.get(timer)?.cancel();
    this.#armed.delete(timer);
  }

  /** Another process arms them: none fires here any more. */
  leave(): void {
    this.#leftBehind = this.left;
    this.cancelAll();
  }

  cancelAll(): void {
    for (const timer of [...this.#armed.keys()]) this.cancel(timer);
  }
}
