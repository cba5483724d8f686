// Times the agent's words for a waiting caller: a short phrase before a slow tool's result or a slow model's first
// word, and an early first clause if the model writes long without a comma. One set of timers for the current reply.
import type { Clock } from '../clock.ts';

/** After this long without a word of a committed reply, the caller hears a filler. */
const SLOW_MODEL_MS = 1_800;
/** And another one, if the wait goes on. */
const STILL_SILENT_MS = 3_500;
/**
 * Running time of a tool before the first phrase, and between later ones. The caller has just heard what is being done.
 */
const SLOW_TOOL_MS = 1_500;
const STILL_RUNNING_MS = 3_300;
/** The first clause may be cut between two words once the model has been speaking for this long. */
const FIRST_CLAUSE_MS = 100;
/** The same after an opening ("Sure,"), which takes some 400 ms to say: the next words must be there before its end. */
const AFTER_OPENING_MS = 200;

interface WaitingWordsListener {
  /** The model has not produced a word of the committed reply. */
  onSlowModel(count: number): void;
  onSlowTool(count: number): void;
  /** The words so far may be spoken. */
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

  /** The reply is committed and nothing of it was spoken. */
  committed(): void {
    this.#arm('model', SLOW_MODEL_MS, () => {
      this.#listener.onSlowModel(1);
      this.#arm('model', STILL_SILENT_MS, () => this.#listener.onSlowModel(2));
    });
  }

  /** The model's first word has come; no clause is complete yet. */
  firstWord(): void {
    this.#stop('model');
    if (this.#cancel.clause === undefined) this.#arm('clause', FIRST_CLAUSE_MS, () => this.#listener.onSlowClause());
  }

  /** An opening is being said; no clause after it is complete yet. */
  opened(): void {
    if (this.#cancel.clause === undefined) this.#arm('clause', AFTER_OPENING_MS, () => this.#listener.onSlowClause());
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
