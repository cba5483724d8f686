// What a reply has announced and the call does once its sentence was heard: hang up, transfer. A caller who speaks over
// the announcement of a transfer is listened to first.
import type { Clock } from '../clock.ts';
import type { ToolAction } from './tools/tool.ts';

/** A transfer over whose announcement the caller spoke waits this long for what they said. */
const OBJECTION_MS = 4_000;

/** What the caller says of an announced transfer. */
export type Objection = 'declined' | 'accepted';

export class PendingAction {
  readonly #clock: Clock;
  readonly #act: (action: ToolAction) => void;
  /** Waits for its sentence to be heard. */
  #announced: { epoch: number; action: ToolAction } | null = null;
  /** Done unless the caller objects. `epoch`: the reply to words that decide it, for which its timer waits. */
  #objectable: { action: ToolAction; epoch: number | null; cancel: () => void } | null = null;

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

  /** The reply was heard, to its end or to where the caller cut it. What it declined is over. */
  heard(epoch: number, interrupted: boolean): void {
    if (this.#objectable?.epoch === epoch) this.#objectable = null;
    if (this.#announced?.epoch !== epoch) return;
    const { action } = this.#announced;
    this.#announced = null;
    // A caller who speaks over the goodbye still wants something: keep the call.
    if (interrupted && action.type === 'end-call') return;
    if (interrupted && action.type === 'transfer') this.#awaitObjection(action);
    else this.#act(action);
  }

  /**
   * The caller's words after an interrupted announcement decide, if their turn ends with them. Null where there was
   * none.
   */
  weigh(epoch: number, isRefusal: boolean): Objection | null {
    if (this.#objectable === null) return null;
    this.#objectable.cancel();
    this.#objectable.epoch = epoch;
    return isRefusal ? 'declined' : 'accepted';
  }

  /** Nothing of the reply was heard, because the caller goes on: these words decided nothing. */
  dropped(epoch: number): void {
    if (this.#objectable?.epoch === epoch) this.#awaitObjection(this.#objectable.action);
  }

  /** The turn has ended without an objection. */
  accept(): void {
    const action = this.#objectable?.action;
    this.close();
    if (action) this.#act(action);
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
    this.#objectable = { action, epoch: null, cancel };
  }
}
