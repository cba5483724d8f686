// The calls of this engine, each with its conductor: whoever has a call's id finds the call here, and hears of its end.
import type { Conductor } from '../call/conductor.ts';
import type { EndedCall } from '../campaign/dialler.ts';
import type { ListenedCall } from './listeners.ts';

/** `recorded` resolves when the call's recording is complete. */
type OnEnded = (ended: EndedCall, recorded: Promise<void>) => void;

export class RunningCalls {
  readonly #calls = new Map<string, Conductor>();
  readonly #onEnded: OnEnded[] = [];
  readonly #onEmpty: Array<() => void> = [];

  get size(): number {
    return this.#calls.size;
  }

  get conductors(): Iterable<Conductor> {
    return this.#calls.values();
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  get(callId: string): Conductor | undefined {
    return this.#calls.get(callId);
  }

  countByDirection(): { inbound: number; outbound: number; browser: number } {
    const count = { inbound: 0, outbound: 0, browser: 0 };
    for (const { kind } of this.#calls.values()) count[kind === 'web' ? 'browser' : kind]++;
    return count;
  }

  /** A call as those who listen to it see it; null if it is not, or no longer, of this engine. */
  listened(callId: string): ListenedCall | null {
    const conductor = this.#calls.get(callId);
    if (!conductor) return null;
    return {
      ...conductor.facts,
      soFar: () => conductor.soFar,
      switchTo: (listenerId, mode) => conductor.controls.switchTo(listenerId, mode),
      listenerGone: (listenerId) => conductor.controls.supervision.listenerGone(listenerId),
      firstListens: () => conductor.firstListens(),
    };
  }

  /** Of each call that has ended and released its place. */
  onEnded(listener: OnEnded): void {
    this.#onEnded.push(listener);
  }

  /** Resolves when the last one has ended. */
  async allEnded(): Promise<void> {
    if (this.#calls.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  add(callId: string, conductor: Conductor): void {
    this.#calls.set(callId, conductor);
  }

  /** It has ended, and still has its place. */
  remove(callId: string): void {
    this.#calls.delete(callId);
  }

  /** It has released its place. */
  tellEnded(...ended: Parameters<OnEnded>): void {
    for (const listener of this.#onEnded) listener(...ended);
    if (this.#calls.size === 0) for (const resolve of this.#onEmpty.splice(0)) resolve();
  }
}
