// The STT port. An engine opens one stream per call, which recognises one utterance after another and reports what it
// hears as events. The worker hosts the streams of many calls and exchanges `SttRequest` and `SttReply` with the
// shards, each on its own MessagePort.

/** What the dialogue expects next. Narrows the grammar and changes the silence that ends a turn. */
export type Expectation =
  | 'anything'
  | 'yes-no'
  | 'date'
  | 'time'
  | 'date-time'
  | 'digits'
  | 'spelling'
  | 'name'
  | 'email'
  | 'service';

/** What a grammar or a bias list can be built from. */
export interface SttVocabulary {
  /** Language of the call, BCP 47: en-US. */
  language: string;
  /** Further languages that the caller may speak; empty when there is only one. */
  additionalLanguages?: string[];
  businessName: string;
  services: string[];
  questions: string[];
  /** Further phrases that the caller may say. */
  phrases: string[];
}

export interface SttWord {
  text: string;
  /** From the utterance's first sample. */
  startMs: number;
  endMs: number;
  /** 0..1. */
  confidence: number;
}

export interface SttResult {
  /** Lower case, or as the engine writes it; empty when nothing was recognised. */
  text: string;
  /** 0..1. */
  confidence: number;
  /** False when the speech was outside what the engine can recognise. */
  understood: boolean;
  /** Where the engine has them. */
  words?: readonly SttWord[];
  /** BCP 47, where the engine detects it. */
  language?: string;
}

/** What an engine reports of one utterance. After `final` or `lost` there is nothing more. */
export type SttEvent =
  /** The best text so far; it replaces the one before. */
  | { type: 'partial'; text: string }
  | { type: 'final'; result: SttResult }
  /** The engine has decided by itself that the caller's turn is over. */
  | { type: 'turn-end' }
  /** The utterance cannot be recognised any more. `message` goes to the log: no key, no words of the caller. */
  | { type: 'lost'; message: string };

export interface SttStreamOptions {
  callId: string;
  /** Rate of the samples that `write` brings. */
  sampleRateHz: number;
  vocabulary: SttVocabulary;
  /** Aborted when the call ends, also while the stream is being opened. */
  signal: AbortSignal;
  /** Another engine listens to this call from now on, or for one utterance. */
  onFallback(change: SttFallback): void;
}

/** `message` says why; it goes to the log. */
export interface SttFallback {
  from: string;
  to: string;
  message: string;
}

export interface SttUtteranceOptions {
  expects: Expectation;
  /** Aborted when nobody waits for the result any more: requests are cancelled, events are ignored. */
  signal: AbortSignal;
  onEvent(event: SttEvent): void;
}

export interface SttUtterance {
  /** Takes PCM16 mono at the stream's rate, any length, and keeps the array. Must return within about 20 ms. */
  write(samples: Int16Array): void;
  /** Asks for the result, which comes as `final` or `lost`. */
  finish(): void;
}

export interface SttStream {
  /**
   * Begins an utterance; the shard writes audio from a little before the onset first. The one before may still wait for
   * its result.
   */
  begin(options: SttUtteranceOptions): SttUtterance;
  close(): void;
}

export interface SttEngine {
  readonly name: string;
  /** False for grammar engines, which recognise only what the vocabulary holds. */
  readonly freeText: boolean;
  /**
   * Whether words come while they are spoken; engines that decode a whole utterance have them only at its end. Default:
   * no.
   */
  readonly givesPartials?: boolean;
  /** Base languages that it recognises (`en`, `de`); null when it is not known, or there are too many to list. */
  readonly languages: readonly string[] | null;
  /** How long a final result may take before the call goes on without it, ms. */
  readonly patienceMs: number;
  /** How much audio comes at a time, ms: a multiple of 20. */
  readonly blockMs: number;
  /**
   * Seconds of one core per second of audio, from which the default of MAX_CALLS follows. Left out: what the catalogue
   * says, nothing for a plug-in.
   */
  readonly realTimeFactor?: number;
  /** @throws Error when the engine cannot serve the call (its language, its connection) */
  openStream(options: SttStreamOptions): Promise<SttStream>;
  /**
   * For engines that decode many streams at once: called after each batch of audio. True while more of it waits. Must
   * return within about 20 ms.
   */
  step?(): boolean;
  /** Of the utterance that is furthest behind, the audio that waits to be decoded, ms. For engines on this machine. */
  backlogMs?(): number;
  close(): Promise<void>;
}

/** The default export of an engine's module. */
export type SttEngineFactory = (
  environment: Record<string, string | undefined>,
) => Promise<SttEngine | PolledSttEngine>;

/**
 * A synchronous engine: the worker feeds it block by block in turn with the other calls, and asks it for partials. See
 * `polled.ts`, which makes an `SttEngine` of it.
 */
export interface PolledSttEngine {
  readonly name: string;
  readonly freeText: boolean;
  readonly givesPartials?: boolean;
  readonly languages?: readonly string[];
  readonly patienceMs?: number;
  /** As of `SttEngine`. */
  readonly realTimeFactor?: number;
  open(options: PolledSttOptions): Promise<PolledSttSession>;
  close(): Promise<void>;
}

export type PolledSttOptions = Pick<SttStreamOptions, 'callId' | 'sampleRateHz' | 'vocabulary'>;

export interface PolledSttSession {
  /** Begins an utterance. */
  begin(expects: Expectation): void;
  /** Takes PCM16 mono at the session's rate, any length. Must return within about 20 ms. */
  write(samples: Int16Array): void;
  /** The best text so far; empty when there is none. */
  partial(): string;
  /** Ends the utterance. Rejects when the engine failed during it. */
  finish(): Promise<SttResult>;
  /** Drops the utterance. */
  cancel(): void;
  close(): void;
}

/** Shard → STT worker. `utterance` numbers grow; replies for an older one are stale. */
export type SttRequest =
  | { type: 'open'; callId: string; sampleRateHz: number; vocabulary: SttVocabulary }
  | { type: 'begin'; callId: string; utterance: number; expects: Expectation }
  | { type: 'audio'; callId: string; utterance: number; samples: Int16Array }
  /** Asks for the result; speech may go on afterwards under the next utterance number. */
  | { type: 'finish'; callId: string; utterance: number }
  | { type: 'cancel'; callId: string; utterance: number }
  | { type: 'close'; callId: string }
  | { type: 'stop' };

/** STT worker → shard. */
export type SttReply =
  | { type: 'ready' }
  | { type: 'partial'; callId: string; utterance: number; text: string }
  | { type: 'final'; callId: string; utterance: number; result: SttResult }
  | { type: 'turn-end'; callId: string; utterance: number }
  /** Another engine listens now: the chosen one is down. */
  | ({ type: 'fallback'; callId: string } & SttFallback)
  | { type: 'failed'; callId: string; utterance: number; code: 'STT_UNAVAILABLE' | 'STT_FAILED'; message: string };
