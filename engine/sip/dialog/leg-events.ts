// Event queue of a leg: events wait until there is a listener, and none follows `ended`. A listener that throws ends
// only its own call.
import type { LegEnd, LegEvent } from '../telephony.ts';

// The listener is set within one turn of the event loop; the bound only guards against a missing one.
const MAX_KEPT = 64;

export class LegEvents {
  #listener: ((event: LegEvent) => void) | null = null;
  #kept: LegEvent[] = [];
  #watch: (event: LegEvent) => void = () => {};
  #ended = false;
  readonly #broken: (error: unknown) => void;

  /** `broken` receives the error that the listener threw. */
  constructor(broken: (error: unknown) => void) {
    this.#broken = broken;
  }

  get ended(): boolean {
    return this.#ended;
  }

  listen(listener: (event: LegEvent) => void): void {
    this.#listener = listener;
    const kept = this.#kept;
    this.#kept = [];
    for (const event of kept) this.#deliver(event);
  }

  /** For the adapter itself: called at each event, whether or not there is a listener yet. */
  watch(observer: (event: LegEvent) => void): void {
    this.#watch = observer;
  }

  emit(event: LegEvent): void {
    if (this.#ended) return;
    this.#watch(event);
    if (event.type === 'ended') this.#ended = true;
    if (this.#listener) this.#deliver(event);
    else if (this.#kept.length < MAX_KEPT || event.type === 'ended') this.#kept.push(event);
  }

  end(end: LegEnd): void {
    this.emit({ type: 'ended', end });
  }

  #deliver(event: LegEvent): void {
    try {
      this.#listener?.(event);
    } catch (error) {
      this.#broken(error);
    }
  }
}
