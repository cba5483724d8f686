// The tokens of a call's requests to language models, model by model. A server tells the tokens of a reply with
// its end; of a reply that was cut off it tells none, and of these the prompt is reckoned by its length.
import { type ModelUse, modelUse } from '../../db/domain/cost/uses.ts';
import type { DialogueChunk } from '../../models/llm/llm.ts';

type Chunk = Extract<DialogueChunk, { type: 'request' | 'usage' }>;
type Tokens = Pick<ModelUse, 'requests' | 'inputTokens' | 'cachedTokens' | 'outputTokens'>;

interface Spent extends Tokens {
  isEstimated: boolean;
  /** Of prompts whose tokens nobody has told yet. */
  reckoned: number;
}

export type SpendingState = Array<[model: string, spent: Spent]>;

/** Agents have one model, and a second one where it fails. */
const MODELS_MAX = 20;

export class ModelSpending {
  /** By name; empty: it has none. */
  readonly #models = new Map<string, Spent>();

  add(chunk: Chunk): void {
    const spent = this.#of(chunk.model ?? '');
    if (spent === null) return;
    if (chunk.type === 'request') {
      spent.requests++;
      spent.reckoned += chunk.promptEstimate ?? 0;
      return;
    }
    spent.inputTokens += chunk.inputTokens;
    spent.cachedTokens += chunk.cachedTokens ?? 0;
    spent.outputTokens += chunk.outputTokens;
    spent.reckoned = Math.max(0, spent.reckoned - (chunk.promptEstimate ?? 0));
    spent.isEstimated ||= chunk.isEstimated === true;
  }

  /** For another process, which goes on with the call. */
  get state(): SpendingState {
    return [...this.#models];
  }

  goOn(state: SpendingState): void {
    for (const [model, spent] of state) this.#models.set(model, { ...spent });
  }

  /** `engine`: of the models; `nameless`: of the one that tells no name. */
  uses(engine: string, nameless: Pick<ModelUse, 'kind' | 'engine' | 'model'>): ModelUse[] {
    return [...this.#models].map(([model, { reckoned, isEstimated, ...tokens }]) =>
      modelUse({
        ...(model === '' ? nameless : { kind: 'llm', engine, model }),
        ...tokens,
        purpose: 'call',
        inputTokens: tokens.inputTokens + reckoned,
        ...(isEstimated || reckoned > 0 ? { isEstimated: true } : {}),
      }),
    );
  }

  #of(model: string): Spent | null {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    if (this.#models.size >= MODELS_MAX) return null;
    const fresh = { requests: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, isEstimated: false, reckoned: 0 };
    this.#models.set(model, fresh);
    return fresh;
  }
}
