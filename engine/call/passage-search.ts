// Looks up one call's questions in the business's documents. Where a server makes vectors, the caller's words get
// theirs while they are still being said: it takes as long as it takes, and a vector that is not there in time is done
// without.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Vector } from '../../db/queries/knowledge/vectors.ts';
import type { FoundPassage } from '../../models/llm/llm.ts';
import type { CallStore, ConductorOptions } from './context.ts';

/** A vector of the first words of a question stands for the whole where they are so much of it. */
const PART_MIN = 0.6;
/** One word is not a question yet. */
const WORDS_MIN = 2;

interface Of {
  accountId: string;
  businessId: string;
}

/** Null for a business without documents. */
export function openPassageSearch(
  store: CallStore,
  { call, setup }: Pick<ConductorOptions, 'call' | 'setup'>,
  log: Logger,
): PassageSearch | null {
  const { business, headings } = setup;
  if (headings === null) return null;
  return new PassageSearch(store, { accountId: call.accountId, businessId: business.id }, log);
}

export class PassageSearch {
  readonly #store: CallStore;
  readonly #of: Of;
  readonly #log: Logger;
  /** The newest words that have a vector. */
  #known: { text: string; vector: Vector } | null = null;
  #isAsking = false;
  /** Words that came meanwhile. */
  #next: string | null = null;
  #asked = '';

  constructor(store: CallStore, of: Of, log: Logger) {
    this.#store = store;
    this.#of = of;
    this.#log = log;
  }

  /** The caller's words so far; one request at a time, with the newest. */
  hears(words: string): void {
    const text = plain(words);
    if (this.#store.vectorOf === undefined || text === this.#asked || text.split(' ').length < WORDS_MIN) return;
    if (this.#isAsking) {
      this.#next = text;
      return;
    }
    this.#isAsking = true;
    this.#asked = text;
    void this.#store
      .vectorOf(text)
      .then((vector) => {
        if (vector !== null) this.#known = { text, vector };
      })
      .finally(() => {
        this.#isAsking = false;
        const next = this.#next;
        this.#next = null;
        if (next !== null) this.hears(next);
      });
  }

  /** A search that fails finds nothing: the agent answers without. Never throws. */
  async search(question: string): Promise<FoundPassage[]> {
    const vector = this.#vectorFor(plain(question));
    // For the next look, where the question goes on.
    if (vector === null) this.hears(question);
    const { accountId, businessId } = this.#of;
    try {
      return await this.#store.searchPassages(accountId, { businessId, question, vector });
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'the documents could not be searched');
      return [];
    }
  }

  #vectorFor(question: string): Vector | null {
    if (this.#known === null) return null;
    const { text, vector } = this.#known;
    return question.startsWith(text) && text.length >= PART_MIN * question.length ? vector : null;
  }
}

const plain = (words: string): string => (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
