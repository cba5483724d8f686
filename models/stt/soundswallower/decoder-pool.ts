// The decoders of one worker, shared by all its calls: a call takes one while the caller speaks and returns it.
import { GrammarDecoder } from './decoder.ts';
import type { Grammar } from './grammar.ts';
import type { Lexicon } from './pronunciation.ts';

/** 35 MB each. One decoder serves about 10 callers; more decoders than these would only wait for the core. */
const MAX_DECODERS = 16;
/**
 * Setting a grammar takes 50-120 ms. This many decoders are kept even when fewer callers speak, so that the common
 * states of a dialogue find a decoder with their grammar.
 */
const KEPT_DECODERS = 6;
/** More than those are let go when nobody has needed them for so long. */
const UNUSED_MS = 60_000;
const LOOK_EVERY_MS = 15_000;

export class DecoderPool {
  readonly #modelPath: string;
  readonly #lexicon: Lexicon;
  /** Decoders without a grammar first, then the longest idle first. */
  readonly #idle: GrammarDecoder[] = [];
  readonly #waiting: Array<(decoder: GrammarDecoder) => void> = [];
  /** When each idle decoder was given back, ms. */
  readonly #idleSince = new WeakMap<GrammarDecoder, number>();
  readonly #looking: NodeJS.Timeout;
  #count = 0;
  #isClosed = false;

  constructor(modelPath: string, lexicon: Lexicon) {
    this.#modelPath = modelPath;
    this.#lexicon = lexicon;
    this.#looking = setInterval(() => this.letGo(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** @throws when the model cannot be loaded */
  async warm(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.give(await this.#make());
  }

  /** A decoder that holds the grammar, `preferred` if possible; else the longest idle one; null when none is free. */
  take(grammar: Grammar, preferred: GrammarDecoder | null): GrammarDecoder | null {
    const exact = this.#idle.filter((decoder) => decoder.grammarKey === grammar.key);
    const choice = exact.find((decoder) => decoder === preferred) ?? exact[0] ?? this.#idle[0];
    if (!choice) return null;
    this.#idle.splice(this.#idle.indexOf(choice), 1);
    if (exact.length === 0) this.#grow(KEPT_DECODERS);
    return choice;
  }

  /** Calls `take` when a decoder is free. Returns a function that withdraws the request. */
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
    this.#idleSince.set(decoder, performance.now());
    const take = this.#waiting.shift();
    if (take) take(decoder);
    else if (decoder.grammarKey === '') this.#idle.unshift(decoder);
    else this.#idle.push(decoder);
  }

  /** Discards a failed or too large decoder; another one replaces it. */
  drop(decoder: GrammarDecoder): void {
    this.#count--;
    try {
      decoder.delete();
    } catch {
      // The instance has trapped; the garbage collector frees its memory.
    }
    this.#grow(MAX_DECODERS);
  }

  /** Lets those go that a rush has left. */
  letGo(nowMs: number): void {
    while (this.#idle.length > KEPT_DECODERS) {
      const oldest = this.#idle.findIndex((decoder) => nowMs - (this.#idleSince.get(decoder) ?? nowMs) >= UNUSED_MS);
      if (oldest < 0) return;
      this.#count--;
      for (const decoder of this.#idle.splice(oldest, 1)) decoder.delete();
    }
  }

  get idle(): number {
    return this.#idle.length;
  }

  close(): void {
    clearInterval(this.#looking);
    this.#isClosed = true;
    for (const decoder of this.#idle.splice(0)) decoder.delete();
  }

  /** Creates another decoder in the background, up to `limit`. After a failure the next request tries again. */
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
