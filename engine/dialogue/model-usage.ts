// Counts a call's requests and tokens at the dialogue model's server, and the share spent on guesses: replies prepared
// before it was certain that the caller had finished, and never spoken.
import type { CallUsage } from '../../db/records/resources.ts';
import type { DialogueChunk } from '../../models/llm/llm.ts';

/** The use of one reply. */
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

/** The use that a chunk reports. */
export function usageOf(chunk: UsageChunk): ReplyUsage {
  if (chunk.type === 'request') return { ...NOTHING_USED, requests: 1, fallbackRequests: chunk.byFallback ? 1 : 0 };
  // Reckoned tokens are no server's word.
  if (chunk.isEstimated) return NOTHING_USED;
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

/** The account of one call; null until a model server was asked. */
export class UsageAccount {
  readonly #onSpent: (used: ReplyUsage, isDiscarded: boolean) => void;
  #total: ReplyUsage = NOTHING_USED;
  #discarded: ReplyUsage = NOTHING_USED;

  /** `onSpent` receives each use once, as soon as it is known whether the reply was discarded. */
  constructor(onSpent: (used: ReplyUsage, isDiscarded: boolean) => void) {
    this.#onSpent = onSpent;
  }

  spend(used: ReplyUsage, isDiscarded: boolean): void {
    if (used === NOTHING_USED) return;
    this.#total = addUsage(this.#total, used);
    if (isDiscarded) this.#discarded = addUsage(this.#discarded, used);
    this.#onSpent(used, isDiscarded);
  }

  /** Another process has begun the account. */
  goOn(usage: CallUsage | null): void {
    if (usage === null) return;
    const { promptTokens, cachedTokens, completionTokens, requests, fallbackRequests } = usage;
    this.#total = { requests, fallbackRequests, promptTokens, cachedTokens, completionTokens };
    const { discardedRequests, discardedTokens } = usage;
    this.#discarded = { ...NOTHING_USED, requests: discardedRequests, promptTokens: discardedTokens };
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
