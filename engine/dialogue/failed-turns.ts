// The turns of one call in which the agent failed: how many in a row nobody answered, what stood in for the model, and
// whether the caller was served in the end.
import type { EngineFallback } from '../../db/records/resources.ts';

/** Turns in a row that nobody could answer before the caller is handed over or the agent says goodbye. */
const UNANSWERED_BEFORE_GIVING_UP = 2;

/** How a turn of the caller ended. `reason`: why its model failed. */
export type TurnEnd = { by: 'model' } | { by: 'receptionist' | 'message'; reason: string; isAnswered: boolean };

/** For another process that goes on with the call. */
export interface FailedTurnsState {
  inARow: number;
  failed: number;
  isServed: boolean;
  fallbacks: EngineFallback[];
}

export class FailedTurns {
  readonly #modelName: string;
  readonly #fallbacks = new Map<string, EngineFallback>();
  #inARow = 0;
  #failed = 0;
  #isServed = true;

  constructor(modelName: string) {
    this.#modelName = modelName;
  }

  /** One more turn without an answer, and the agent gives up. */
  get isLast(): boolean {
    return this.#inARow + 1 >= UNANSWERED_BEFORE_GIVING_UP;
  }

  /** Turns in which the agent failed, answered by somebody else or not. */
  get count(): number {
    return this.#failed;
  }

  /** No turn failed, or a later one was answered. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** The stand-ins for the dialogue model. */
  get fallbacks(): EngineFallback[] {
    return [...this.#fallbacks.values()];
  }

  get state(): FailedTurnsState {
    return { inARow: this.#inARow, failed: this.#failed, isServed: this.#isServed, fallbacks: this.fallbacks };
  }

  goOn({ inARow, failed, isServed, fallbacks }: FailedTurnsState): void {
    [this.#inARow, this.#failed, this.#isServed] = [inARow, failed, isServed];
    for (const fallback of fallbacks) this.#fallbacks.set(`${fallback.to} ${fallback.reason}`, fallback);
  }

  ended(end: TurnEnd): void {
    const isAnswered = end.by === 'model' || end.isAnswered;
    this.#inARow = isAnswered ? 0 : this.#inARow + 1;
    this.#isServed = isAnswered;
    if (end.by === 'model') return;
    this.#failed++;
    if (isOfModel(end.reason)) this.#note({ model: 'llm', from: this.#modelName, to: end.by, reason: end.reason });
    else if (end.reason === HEARING_FAILED) this.#note({ model: 'stt', from: 'recogniser', to: end.by });
  }

  #note(noted: Omit<EngineFallback, 'count'>): void {
    const key = `${noted.to} ${noted.reason}`;
    const count = (this.#fallbacks.get(key)?.count ?? 0) + 1;
    this.#fallbacks.set(key, { ...noted, count });
  }
}

/** Of the turn machine: the recogniser gave no words for what a caller said, and nobody stood in for it. */
export const HEARING_FAILED = 'stt-failed';

/** Recogniser and voice have their own reasons, and their own stand-ins. */
const isOfModel = (reason: string): boolean => reason.startsWith('LLM_');
