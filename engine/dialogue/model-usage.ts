// What a call asked of the dialogue model's server: requests and tokens, and how much of it went into guesses, replies
// prepared while it was still uncertain whether the caller had finished, and never spoken.
import type { CallUsage } from '../../db/resources.ts';
import type { DialogueChunk } from '../../models/llm/llm.ts';

/** What one reply has used. */
export interface ReplyUsage {
  requests: number;
  fallbackRequests: number;
  /** Null: no server has reported any. */
  promptTokens: number | null;
  cachedTokens: number | null;
  completionTokens: number | null;
}

export const NOTHING_USED: Readonly<ReplyUsage> = {
  requests: 0,
  fallbackRequests: 0,
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
};

type UsageChunk = Extract<DialogueChunk, { type: 'request' | 'usage' }>;

/** What a chunk says was used. */
export function usageOf(chunk: UsageChunk): ReplyUsage {
  if (chunk.type === 'request') return { ...NOTHING_USED, requests: 1, fallbackRequests: chunk.byFallback ? 1 : 0 };
  const { inputTokens: promptTokens, outputTokens: completionTokens, cachedTokens = null } = chunk;
  return { ...NOTHING_USED, promptTokens, completionTokens, cachedTokens };
}

export function addUsage(a: ReplyUsage, b: ReplyUsage): ReplyUsage {
  return {
    requests: a.requests + b.requests,
    fallbackRequests: a.fallbackRequests + b.fallbackRequests,
    promptTokens: plus(a.promptTokens, b.promptTokens),
    cachedTokens: plus(a.cachedTokens, b.cachedTokens),
    completionTokens: plus(a.completionTokens, b.completionTokens),
  };
}

/** The account of one call. `null` while no model server was asked. */
export class UsageAccount {
  readonly #onSpent: (used: ReplyUsage, isDiscarded: boolean) => void;
  #total: ReplyUsage = NOTHING_USED;
  #discarded: ReplyUsage = NOTHING_USED;

  /** `onSpent` hears of everything once, as soon as it is known whether it was of use. */
  constructor(onSpent: (used: ReplyUsage, isDiscarded: boolean) => void) {
    this.#onSpent = onSpent;
  }

  spend(used: ReplyUsage, isDiscarded: boolean): void {
    if (used === NOTHING_USED) return;
    this.#total = addUsage(this.#total, used);
    if (isDiscarded) this.#discarded = addUsage(this.#discarded, used);
    this.#onSpent(used, isDiscarded);
  }

  get usage(): CallUsage | null {
    const { requests, fallbackRequests, promptTokens, cachedTokens, completionTokens } = this.#total;
    if (requests === 0 && promptTokens === null) return null;
    return {
      promptTokens,
      cachedTokens,
      completionTokens,
      requests,
      fallbackRequests,
      discardedRequests: this.#discarded.requests,
      discardedTokens: plus(this.#discarded.promptTokens, this.#discarded.completionTokens),
    };
  }
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
