// What a reply has announced and the call does once its sentence was heard: hang up, transfer. A caller who speaks over
// the announcement of a transfer is listened to first.
import type { Clock } from '../clock.ts';
import type { ToolAction } from './tools/tool.ts';

/** A transfer over whose announcement the caller spoke waits this long for what they said. */
const OBJECTION_MS = 4_000;

export class PendingAction {
  readonly #clock: Clock;
  readonly #act: (action: ToolAction) => void;
  /** Waits for its sentence to be heard. */
  #announced: { epoch: number; action: ToolAction } | null = null;
  /** Done unless the caller objects. */
  #objectable: { action: ToolAction; cancel: () => void } | null = null;

  constructor(clock: Clock, act: (action: ToolAction) => void) {
    this.#clock = clock;
    this.#act = act;
  }

  announce(epoch: number, action: ToolAction): void {
    this.#announced = { epoch, action };
  }

  /** Needs no sentence. */
  actNow(action: ToolAction): void {
    this.#announced = null;
    this.#act(action);
  }

  /** The reply was heard, to its end or to where the caller cut it. */
  heard(epoch: number, interrupted: boolean): void {
    if (this.#announced?.epoch !== epoch) return;
    const { action } = this.#announced;
    this.#announced = null;
    // A caller who speaks over the goodbye still wants something: keep the call.
    if (interrupted && action.type === 'end-call') return;
    if (interrupted && action.type === 'transfer') this.#awaitObjection(action);
    else this.#act(action);
  }

  /** The caller's words after an interrupted announcement decide; null where there was none. */
  decide(isRefused: () => boolean): 'declined' | 'done' | null {
    if (this.#objectable === null) return null;
    const { action, cancel } = this.#objectable;
    cancel();
    this.#objectable = null;
    if (isRefused()) return 'declined';
    this.#act(action);
    return 'done';
  }

  close(): void {
    this.#objectable?.cancel();
    this.#objectable = null;
  }

  #awaitObjection(action: ToolAction): void {
    const cancel = this.#clock.after(OBJECTION_MS, () => {
      this.#objectable = null;
      this.#act(action);
    });
    this.#objectable = { action, cancel };
  }
}
