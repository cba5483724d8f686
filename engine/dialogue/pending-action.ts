// An announced action (hang up, transfer), performed once its sentence was heard. If the caller speaks over the
// announcement of a transfer, their words decide first.
import type { Clock } from '../clock.ts';
import type { ToolAction } from './tools/tool.ts';

/** How long a transfer waits for the caller's words if they spoke over its announcement. */
const OBJECTION_MS = 4_000;

/** The caller's decision on an announced transfer. */
export type Objection = 'declined' | 'accepted';

export class PendingAction {
  readonly #clock: Clock;
  readonly #act: (action: ToolAction) => void;
  /** Waits until its sentence was heard. */
  #announced: { epoch: number; action: ToolAction } | null = null;
  /** Performed unless the caller objects. `epoch`: the reply to the deciding words; its timer waits for that reply. */
  #objectable: { action: ToolAction; epoch: number | null; cancel: () => void } | null = null;

  constructor(clock: Clock, act: (action: ToolAction) => void) {
    this.#clock = clock;
    this.#act = act;
  }

  /**
   * The action that was announced and is not done: null, or the one that another process has to do when it goes on with
   * the call.
   */
  get open(): ToolAction | null {
    return this.#announced?.action ?? this.#objectable?.action ?? null;
  }

  announce(epoch: number, action: ToolAction): void {
    this.#announced = { epoch, action };
  }

  /** For an action without a sentence. */
  actNow(action: ToolAction): void {
    this.#announced = null;
    this.#act(action);
  }

  /** The reply was heard, to its end or to the caller's interruption. A transfer that it declined is dropped. */
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
   * The caller's words after an interrupted announcement decide, if their turn ends with them. Null without such an
   * announcement.
   */
  weigh(epoch: number, isRefusal: boolean): Objection | null {
    if (this.#objectable === null) return null;
    this.#objectable.cancel();
    this.#objectable.epoch = epoch;
    return isRefusal ? 'declined' : 'accepted';
  }

  /** Nothing of the reply was heard, because the caller goes on: these words decide nothing. */
  dropped(epoch: number): void {
    if (this.#objectable?.epoch === epoch) this.#awaitObjection(this.#objectable.action);
  }

  /** The turn ended without an objection. */
  accept(): void {
    const action = this.#objectable?.action;
    this.close();
    if (action) this.#act(action);
  }

  /** Nothing that was announced is done. */
  forget(): void {
    this.close();
    this.#announced = null;
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
