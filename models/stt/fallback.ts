// The chosen recogniser with the built-in one as its fallback. The audio of an open utterance is kept: the built-in one
// hears it again when the chosen one loses it or does not answer in time.

import { messageOf } from '../../db/domain/unexpected.ts';
import { Breaker } from '../workers/breaker.ts';
import type { SttEngine, SttEvent, SttStream, SttStreamOptions, SttUtterance, SttUtteranceOptions } from './stt.ts';
import { decides, plainAnswer } from './unsaid/deciding-words.ts';

/**
 * Most audio of one utterance kept for the second engine. The turn machine interrupts a caller who speaks longer.
 */
const KEPT_MS = 25_000;
/** Share of the patience after which the second engine begins: the rest is long enough for it. */
const FIRST_SHARE = 0.6;
/** The built-in engine forces other speech onto its phrases with a confidence below this (decoder.ts). */
const SURE = 0.85;

/** `first` has no fallback in a call whose language `second` does not know. */
export function withFallback(first: SttEngine, second: SttEngine, breaker = new Breaker()): SttEngine {
  return {
    name: first.name,
    freeText: first.freeText,
    givesPartials: first.givesPartials ?? false,
    givesInterims: first.givesInterims ?? false,
    hearsTurns: first.hearsTurns ?? false,
    languages: first.languages,
    patienceMs: first.patienceMs,
    blockMs: first.blockMs,
    ...(first.realTimeFactor === undefined ? {} : { realTimeFactor: first.realTimeFactor }),
    openStream: async (options) => {
      if (!knows(second, options.vocabulary.language)) return first.openStream(options);
      return new GuardedStream(first, second, options, breaker);
    },
    ...(first.step ? { step: () => first.step?.() ?? false } : {}),
    ...(first.backlogMs ? { backlogMs: () => first.backlogMs?.() ?? 0 } : {}),
    close: async () => {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

function knows(engine: SttEngine, language: string): boolean {
  return engine.languages === null || engine.languages.includes(baseOf(language));
}

function baseOf(language: string): string {
  return language.split('-')[0]?.toLowerCase() ?? '';
}

class GuardedStream implements SttStream {
  readonly first: Promise<SttStream>;
  readonly engines: { first: SttEngine; second: SttEngine };
  readonly breaker: Breaker;
  readonly #options: SttStreamOptions;
  #second: Promise<SttStream> | null = null;
  /** The newest yes or no that the second engine heard, and that did not count; null after other words. */
  #unsureAnswer: 'yes' | 'no' | null = null;

  constructor(first: SttEngine, second: SttEngine, options: SttStreamOptions, breaker: Breaker) {
    this.engines = { first, second };
    this.breaker = breaker;
    this.#options = options;
    this.first = first.openStream(options);
    this.first.catch(() => undefined);
  }

  get language(): string {
    return this.#options.vocabulary.language;
  }

  get keptSamples(): number {
    return (this.#options.sampleRateHz * KEPT_MS) / 1_000;
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    return new GuardedUtterance(this, options);
  }

  /**
   * Whether the second engine's words are the same answer to a question for yes or no that they were before the agent
   * asked again, in whatever words. One guess decides nothing; the same answer twice is one.
   */
  isAnsweredAgain(text: string, { expects }: SttUtteranceOptions): boolean {
    const isAsked = expects === 'yes-no' || this.#unsureAnswer !== null;
    const answer = isAsked ? plainAnswer(text, this.language) : null;
    const isAgain = answer !== null && answer === this.#unsureAnswer;
    this.#unsureAnswer = isAgain ? null : answer;
    return isAgain;
  }

  /** The first engine has heard: nothing is open any more. */
  heardFirst(): void {
    this.#unsureAnswer = null;
  }

  /** The second engine's stream, opened at its first use. */
  second(message: string): Promise<SttStream> {
    this.#options.onFallback({ from: this.engines.first.name, to: this.engines.second.name, message });
    this.#second ??= this.engines.second.openStream(this.#options);
    return this.#second;
  }

  close(): void {
    for (const stream of [this.first, this.#second]) stream?.then((opened) => opened.close()).catch(() => undefined);
  }
}

/**
 * One utterance: its audio goes to the first engine, is kept, and goes to the second when the first fails. The earliest
 * answer counts.
 */
class GuardedUtterance implements SttUtterance {
  readonly #stream: GuardedStream;
  readonly #options: SttUtteranceOptions;
  /** Ends the first engine's work when the second has answered. */
  readonly #over = new AbortController();
  #kept: Int16Array[] = [];
  #keptSamples = 0;
  #sink: SttUtterance | null = null;
  #isFinished = false;
  #isOver = false;
  #onSecond = false;
  #isFirstLost = false;
  /** The second engine's result where it counts for nothing; null before that. */
  #unsure: SttEvent | null = null;
  #hurry: NodeJS.Timeout | null = null;

  constructor(stream: GuardedStream, options: SttUtteranceOptions) {
    this.#stream = stream;
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#end(), { once: true });
    if (stream.breaker.isOpen) this.#takeSecond('it has failed several times', false);
    else {
      stream.first.then(
        (opened) => {
          if (!this.#isOver && !this.#onSecond) this.#attach(opened, (event) => this.#heardFirst(event));
        },
        (error: unknown) => this.#takeSecond(messageOf(error)),
      );
    }
  }

  write(samples: Int16Array): void {
    if (this.#isOver) return;
    if (this.#keptSamples < this.#stream.keptSamples) {
      // Engines keep or transfer the array that they get.
      this.#kept.push(samples.slice());
      this.#keptSamples += samples.length;
    }
    this.#sink?.write(samples);
  }

  ask(number: number): void {
    if (!this.#isOver && !this.#onSecond) this.#sink?.ask?.(number);
  }

  finish(asked?: number): void {
    if (this.#isOver || this.#isFinished) return;
    this.#isFinished = true;
    this.#sink?.finish(asked);
    if (this.#onSecond) return;
    const { name, patienceMs } = this.#stream.engines.first;
    this.#hurry = setTimeout(() => this.#takeSecond(`${name} is late`), patienceMs * FIRST_SHARE);
  }

  #attach(stream: SttStream, onEvent: (event: SttEvent) => void): void {
    const { expects } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#over.signal]);
    this.#sink = stream.begin({ expects, signal, onEvent });
    for (const samples of this.#kept) this.#sink.write(samples.slice());
    if (this.#isFinished) this.#sink.finish();
  }

  #heardFirst(event: SttEvent): void {
    if (event.type === 'lost') {
      this.#isFirstLost = true;
      if (this.#unsure !== null) this.#report(this.#unsure);
      else this.#takeSecond(event.message);
      return;
    }
    if (event.type === 'final') {
      this.#stream.breaker.succeeded();
      this.#stream.heardFirst();
    }
    this.#report(event);
  }

  #takeSecond(message: string, wasTried = true): void {
    if (this.#isOver || this.#onSecond) return;
    this.#onSecond = true;
    if (this.#sink === null) this.#isFirstLost = true;
    if (wasTried) this.#stream.breaker.failed();
    this.#stream.second(message).then(
      (opened) => {
        if (!this.#isOver) this.#attach(opened, (event) => this.#heardSecond(event));
      },
      (error: unknown) => this.#report({ type: 'lost', message: `${message}; ${messageOf(error)}` }),
    );
  }

  /**
   * The second engine's words where it is sure of them, and nothing is decided by them but what the caller has said
   * twice. Else the agent asks again, unless the first engine is only late and still answers.
   */
  #heardSecond(event: SttEvent): void {
    if (this.#isOver || event.type === 'partial') return;
    if (event.type !== 'final') return this.#report(event);
    const { understood, confidence, text } = event.result;
    const isSure = understood && confidence >= SURE;
    const isAgain = isSure && this.#isFirstLost && this.#stream.isAnsweredAgain(text, this.#options);
    if (isAgain || (isSure && !decides(text, this.#stream.language)))
      return this.#report({ type: 'final', result: { ...event.result, standIn: true } });
    this.#unsure = { type: 'final', result: { text: '', confidence: 0, understood: false, standIn: true } };
    const unsure = this.#unsure;
    if (this.#isFirstLost) this.#report(unsure);
    else
      this.#hurry = setTimeout(() => this.#report(unsure), this.#stream.engines.first.patienceMs * (1 - FIRST_SHARE));
  }

  #report(event: SttEvent): void {
    if (this.#isOver) return;
    if (event.type === 'final' || event.type === 'lost') this.#end();
    this.#options.onEvent(event);
  }

  #end(): void {
    this.#isOver = true;
    this.#over.abort();
    this.#kept = [];
    if (this.#hurry) clearTimeout(this.#hurry);
  }
}
