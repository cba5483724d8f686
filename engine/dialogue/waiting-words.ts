// What the agent says while the caller waits for it: a short phrase before a slow tool's result or a slow model's first
// word, and an early first clause where the model goes on and on without a comma. One set of timers for the reply in
// the making.
import type { Clock } from '../clock.ts';

/** A committed reply without a word for this long gets one. */
const SLOW_MODEL_MS = 1_800;
/** A tool that runs for this long, and again after the second. The caller has just been told what is being done. */
const SLOW_TOOL_MS = 1_500;
const STILL_RUNNING_MS = 3_300;
/** The first clause may be cut between two words once the model has been speaking for this long. */
const FIRST_CLAUSE_MS = 100;

export interface WaitingWordsListener {
  /** The model has not said a word of the committed reply. */
  onSlowModel(): void;
  onSlowTool(count: number): void;
  /** Whatever words there are may be spoken. */
  onSlowClause(): void;
}

export class WaitingWords {
  readonly #clock: Clock;
  readonly #listener: WaitingWordsListener;
  #cancel: Partial<Record<'model' | 'tool' | 'clause', () => void>> = {};

  constructor(clock: Clock, listener: WaitingWordsListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** The reply is committed and nothing of it was said. */
  committed(): void {
    this.#arm('model', SLOW_MODEL_MS, () => this.#listener.onSlowModel());
  }

  /** The model's first word has come; no clause of it is whole yet. */
  firstWord(): void {
    this.#stop('model');
    if (this.#cancel.clause === undefined) this.#arm('clause', FIRST_CLAUSE_MS, () => this.#listener.onSlowClause());
  }

  spoken(): void {
    this.#stop('model');
    this.#stop('clause');
  }

  toolStarted(): void {
    this.#stop('model');
    const wait = (count: number): void => {
      this.#arm('tool', count === 1 ? SLOW_TOOL_MS : STILL_RUNNING_MS, () => {
        this.#listener.onSlowTool(count);
        wait(count + 1);
      });
    };
    wait(1);
  }

  toolEnded(): void {
    this.#stop('tool');
  }

  /** The reply is over. */
  clear(): void {
    for (const cancel of Object.values(this.#cancel)) cancel();
    this.#cancel = {};
  }

  #arm(timer: 'model' | 'tool' | 'clause', delayMs: number, then: () => void): void {
    this.#cancel[timer]?.();
    this.#cancel[timer] = this.#clock.after(delayMs, then);
  }

  #stop(timer: 'model' | 'tool' | 'clause'): void {
    this.#cancel[timer]?.();
    delete this.#cancel[timer];
  }
}
