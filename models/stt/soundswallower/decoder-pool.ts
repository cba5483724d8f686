// The decoders of one worker, shared by all its calls: a call takes one while the caller speaks and returns it. Where
// nobody has called for a while there are none: the next call makes one while its telephone rings.
import { collectNow } from '../../../db/shared/process/quiet-memory.ts';
import { type Beam, GrammarDecoder } from './decoder.ts';
import type { Grammar } from './grammar.ts';
import type { Lexicon } from './pronunciation.ts';
import { SpareTime } from './spare-time.ts';
import { WordCheck } from './word-check.ts';

/** 15 MB each. One decoder serves about 10 callers; more decoders than these would only wait for the core. */
const MAX_DECODERS = 16;
/**
 * Setting a grammar takes 30-120 ms. This many decoders are kept even when fewer callers speak, so that the common
 * states of a dialogue find a decoder with their grammar.
 */
const KEPT_DECODERS = 6;
/** Of the callers on the line so many may speak at the same time. Each gets a decoder while telephones ring. */
const SPEAKING_SHARE = 0.6;
/** With this many callers speaking at once, a core has no time for wide beams. */
const CROWD = 4;
/** More than those are let go when nobody has needed them for so long. */
const UNUSED_MS = 60_000;
/**
 * Without a call for so long, none is kept: another is made and has its grammar in 70 ms, while a telephone rings. On a
 * machine that others keep busy models come last, and that takes seconds: a pause between two calls is no rest.
 */
const QUIET_MS = 10 * 60_000;
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
  readonly #collect: () => void;
  /** Null before the first call, after a failure, and when nobody has called for long. */
  #check: WordCheck | null = null;
  #makingCheck: Promise<void> | null = null;
  readonly #spareTime: SpareTime;
  #count = 0;
  #calls = 0;
  /** When the last call ended, ms; the pool's beginning before the first. */
  #quietSinceMs = performance.now();
  #isClosed = false;

  /** `collect`: gives the memory of decoders that are gone back to the system. */
  constructor(
    modelPath: string,
    lexicon: Lexicon,
    collect: () => void = collectNow,
    spareTime: SpareTime = new SpareTime(),
  ) {
    this.#modelPath = modelPath;
    this.#lexicon = lexicon;
    this.#collect = collect;
    this.#spareTime = spareTime;
    this.#looking = setInterval(() => this.letGo(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** @throws when the model cannot be loaded */
  async warm(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.give(await this.#make());
  }

  /**
   * A call begins, and a decoder has its first grammar from now on. With many calls there are more of them: in a rush
   * of questions there is no time to make any.
   * @throws when the model cannot be loaded, or the grammar set
   */
  async enter(first: Grammar): Promise<void> {
    this.#calls++;
    try {
      if (this.#count === 0) await this.warm(1);
      this.#makeCheck();
      const isPrepared = this.#idle.some(({ grammarKey }) => grammarKey === first.key);
      for (const decoder of isPrepared ? [] : this.#idle.splice(0, 1)) this.#prepare(decoder, first);
      if (this.#count < Math.min(MAX_DECODERS, this.#calls * SPEAKING_SHARE)) this.#grow(MAX_DECODERS, first);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** @throws the decoder's error; another one replaces it then */
  #prepare(decoder: GrammarDecoder, grammar: Grammar): void {
    try {
      decoder.useGrammar(grammar);
    } catch (error) {
      this.drop(decoder);
      throw error;
    }
    this.give(decoder);
  }

  /** How likely a short utterance is these words (word-check.ts), 0..1; null where no time is left to tell. */
  likelihood(samples: Int16Array, text: string): number | null {
    const check = this.#check;
    const fromMs = performance.now();
    if (check === null || this.beam === 'narrow' || !this.#spareTime.has(fromMs)) return null;
    try {
      const likelihood = check.likelihood(samples, text);
      this.#spareTime.spent(fromMs, performance.now());
      if (check.isWornOut) this.#renewCheck();
      return likelihood;
    } catch {
      // The words are heard, and have their confidence.
      this.#renewCheck();
      return null;
    }
  }

  /** Resolves when `likelihood` can tell, or could not be made to. */
  async prepared(): Promise<void> {
    await this.#makingCheck;
  }

  /** It has ended. */
  leave(): void {
    this.#calls--;
    this.#quietSinceMs = performance.now();
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

  /** Lets those go that a rush has left, and all of them when nobody has called for so long. */
  letGo(nowMs: number): void {
    const before = this.#idle.length;
    if (this.#calls === 0 && nowMs - this.#quietSinceMs >= QUIET_MS) {
      this.#dropIdle(0, this.#idle.length);
      this.#dropCheck();
    }
    while (this.#idle.length > KEPT_DECODERS) {
      const oldest = this.#idle.findIndex((decoder) => nowMs - (this.#idleSince.get(decoder) ?? nowMs) >= UNUSED_MS);
      if (oldest < 0) break;
      this.#dropIdle(oldest, 1);
    }
    // The collector alone frees an instance's memory, and would have no reason to look.
    if (this.#idle.length < before) this.#collect();
  }

  /** How thoroughly the next utterance can be decoded. */
  get beam(): Beam {
    return this.#count - this.#idle.length >= CROWD ? 'narrow' : 'wide';
  }

  get idle(): number {
    return this.#idle.length;
  }

  close(): void {
    clearInterval(this.#looking);
    this.#isClosed = true;
    for (const decoder of this.#idle.splice(0)) decoder.delete();
    this.#dropCheck();
  }

  #renewCheck(): void {
    this.#dropCheck();
    this.#makeCheck();
  }

  #dropCheck(): void {
    const check = this.#check;
    this.#check = null;
    try {
      check?.delete();
    } catch {
      // As in `drop`.
    }
  }

  /** In the background: it is needed when the first word has been said. After a failure the next call tries again. */
  #makeCheck(): void {
    if (this.#check !== null || this.#makingCheck !== null) return;
    this.#makingCheck = WordCheck.create(this.#modelPath, this.#lexicon)
      .then((check) => {
        if (this.#isClosed) check.delete();
        else this.#check = check;
      })
      .catch(() => undefined)
      .finally(() => {
        this.#makingCheck = null;
      });
  }

  #dropIdle(from: number, count: number): void {
    this.#count -= count;
    for (const decoder of this.#idle.splice(from, count)) decoder.delete();
  }

  /** Creates another decoder in the background, up to `limit`. After a failure the next request tries again. */
  #grow(limit: number, grammar: Grammar | null = null): void {
    if (this.#count >= limit || this.#isClosed) return;
    void this.#make()
      .then((decoder) => (grammar === null ? this.give(decoder) : this.#prepare(decoder, grammar)))
      .catch(() => undefined);
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
