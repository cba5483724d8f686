// The decoders of a worker, shared by all its calls: one is taken while a caller speaks and given back afterwards.
import { GrammarDecoder } from './decoder.ts';
import type { Grammar } from './grammar.ts';
import type { Lexicon } from './pronunciation.ts';

/** 35 MB each; one carries about 10 callers' worth of time, so more would only wait for the core. */
const MAX_DECODERS = 16;
/**
 * A grammar takes 50-120 ms to set. So many decoders are kept even when fewer callers speak, so that each of the dialogue's
 * states finds one that holds its grammar.
 */
const KEPT_DECODERS = 6;

export class DecoderPool {
  readonly #modelPath: string;
  readonly #lexicon: Lexicon;
  /** Idle the longest first; those that never had a grammar before them. */
  readonly #idle: GrammarDecoder[] = [];
  readonly #waiting: Array<(decoder: GrammarDecoder) => void> = [];
  #count = 0;
  #isClosed = false;

  constructor(modelPath: string, lexicon: Lexicon) {
    this.#modelPath = modelPath;
    this.#lexicon = lexicon;
  }

  /** @throws when the model cannot be loaded */
  async warm(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.give(await this.#make());
  }

  /** A decoder with the grammar, preferring `preferred`; else the one that was idle the longest; null when none is free. */
  take(grammar: Grammar, preferred: GrammarDecoder | null): GrammarDecoder | null {
    const exact = this.#idle.filter((decoder) => decoder.grammarKey === grammar.key);
    const choice = exact.find((decoder) => decoder === preferred) ?? exact[0] ?? this.#idle[0];
    if (!choice) return null;
    this.#idle.splice(this.#idle.indexOf(choice), 1);
    if (exact.length === 0) this.#grow(KEPT_DECODERS);
    return choice;
  }

  /** Calls `take` when a decoder is free; returns a function that withdraws the wish. */
  wait(take: (decoder: GrammarDecoder) => void): () => void {
    this.#waiting.push(take);
    this.#grow(MAX_DECODERS);
    return () => {
      const at = this.#waiting.indexOf(take);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  give(decoder: GrammarDecoder): void {
    if (this.#isClosed || decoder.isWornOut) {
      this.drop(decoder);
      return;
    }
    const take = this.#waiting.shift();
    if (take) take(decoder);
    else if (decoder.grammarKey === '') this.#idle.unshift(decoder);
    else this.#idle.push(decoder);
  }

  /** A decoder that failed or has grown too large goes; another takes its place. */
  drop(decoder: GrammarDecoder): void {
    this.#count--;
    try {
      decoder.delete();
    } catch {
      // Its instance trapped before: the garbage collector takes the memory.
    }
    this.#grow(MAX_DECODERS);
  }

  close(): void {
    this.#isClosed = true;
    for (const decoder of this.#idle.splice(0)) decoder.delete();
  }

  /** Makes one more in the background, up to `limit`. A failure shows when the next one is needed. */
  #grow(limit: number): void {
    if (this.#count >= limit || this.#isClosed) return;
    void this.#make().then(
      (decoder) => this.give(decoder),
      () => undefined,
    );
  }

  async #make(): Promise<GrammarDecoder> {
    this.#count++;
    try {
      return await GrammarDecoder.create(this.#modelPath, this.#lexicon);
    } catch (error) {
      this.#count--;
      throw error;
    }
  }
}
