// The dialogue model of new calls, with its breakers. A running call keeps the model with which it began.
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { ModelHealth } from './health.ts';
import { watchDialogue } from './watched-dialogue.ts';

/** `Breakers`: what the calls of one model share, made anew for each model. */
export class CurrentDialogue<Breakers> {
  readonly #health: Pick<ModelHealth, 'failed' | 'worked' | 'use'>;
  readonly #newBreakers: () => Breakers;
  #model: DialogueModel;
  #ofCalls: { dialogue: DialogueModel; breakers: Breakers };

  constructor(
    model: DialogueModel,
    health: Pick<ModelHealth, 'failed' | 'worked' | 'use'>,
    newBreakers: () => Breakers,
  ) {
    this.#health = health;
    this.#newBreakers = newBreakers;
    this.#model = model;
    this.#ofCalls = this.#watched(model);
  }

  /** For work after a call, whose failures say nothing to callers. */
  get model(): DialogueModel {
    return this.#model;
  }

  /** For a call that begins now. */
  get ofCalls(): { dialogue: DialogueModel; breakers: Breakers } {
    return this.#ofCalls;
  }

  replace(model: DialogueModel): void {
    this.#model = model;
    this.#ofCalls = this.#watched(model);
    this.#health.use(model);
  }

  /** A former model's failures are not the new one's: neither its health nor its breakers see them. */
  #watched(model: DialogueModel): { dialogue: DialogueModel; breakers: Breakers } {
    const ifCurrent = (tell: () => void): void => {
      if (this.#model === model) tell();
    };
    const dialogue = watchDialogue(model, {
      failed: (kind, message) => ifCurrent(() => this.#health.failed(kind, message)),
      worked: (kind) => ifCurrent(() => this.#health.worked(kind)),
    });
    return { dialogue, breakers: this.#newBreakers() };
  }
}
