// The STT port. An engine opens one stream per call; the stream recognises one utterance after another and reports
// events. The worker hosts the streams of many calls and exchanges `SttRequest` and `SttReply` with the shards, each on
// its own MessagePort.

/** The dialogue's expectation of the next answer. It narrows the grammar and changes the silence that ends a turn. */
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

/** The source of a grammar or a bias list. */
export interface SttVocabulary {
  /** Language of the call, BCP 47: en-US. */
  language: string;
  /** Further languages that the caller may speak; empty when there is only one. */
  additionalLanguages?: string[];
  businessName: string;
  services: string[];
  questions: string[];
  /** Names and terms that the agent expects; absent: none. */
  keywords?: string[];
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
  /** False when the engine cannot recognise this speech. */
  understood: boolean;
  /** If the engine reports them. */
  words?: readonly SttWord[];
  /** BCP 47, if the engine detects it. */
  language?: string;
  /** By the engine that answers where the chosen one is slow or down. */
  standIn?: true;
}

/** An engine's events of one utterance. `final` or `lost` is the last one. */
export type SttEvent =
  /** The best text so far; it replaces the previous one. `asked`: it answers this `ask`. */
  | { type: 'partial'; text: string; asked?: number }
  | { type: 'final'; result: SttResult }
  /** The engine has decided by itself that the caller's turn is over. */
  | { type: 'turn-end' }
  /** The utterance cannot be recognised any more. `message` goes to the log: no key, no words of the caller. */
  | { type: 'lost'; message: string };

export interface SttStreamOptions {
  callId: string;
  /** Rate of the samples passed to `write`. */
  sampleRateHz: number;
  vocabulary: SttVocabulary;
  /** Aborted when the call ends, also while the stream is being opened. */
  signal: AbortSignal;
  /** Another engine listens to this call from now on, or for one utterance. */
  onFallback(change: SttFallback): void;
  /** Sound of an utterance was sent once more than its own length: what it costs follows. Absent: nobody counts. */
  onHeardAgain?(ms: number): void;
}

/** `message` is the reason, for the log. */
interface SttFallback {
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
  /**
   * Asks for the words so far, which may arrive as `partial` with this number. For engines with `givesInterims`, which
   * ignore it when they could not answer soon.
   */
  ask?(number: number): void;
  /**
   * Requests the result, which arrives as `final` or `lost`. `asked`: nothing was said since this `ask`, so that its
   * words are the result.
   */
  finish(asked?: number): void;
}

export interface SttStream {
  /**
   * Begins an utterance; the shard's audio starts a little before the onset. The previous utterance may still wait for
   * its result.
   */
  begin(options: SttUtteranceOptions): SttUtterance;
  close(): void;
}

export interface SttEngine {
  readonly name: string;
  /** False for grammar engines, which recognise only the vocabulary. */
  readonly freeText: boolean;
  /**
   * Whether words are reported while they are spoken; engines for whole utterances report them only at the end.
   * Default: no.
   */
  readonly givesPartials?: boolean;
  /** An engine for whole utterances that also tells the words so far, when it is asked for them. Default: no. */
  readonly givesInterims?: boolean;
  /**
   * An engine for whole utterances, which hears more in a whole turn than in its pieces: speech that goes on after a
   * pause comes as an utterance with all that was said since the turn began. Default: no.
   */
  readonly hearsTurns?: boolean;
  /** Recognised base languages (`en`, `de`); null: unknown, or too many to list. */
  readonly languages: readonly string[] | null;
  /** Longest wait for a final result before the call continues without it, ms. */
  readonly patienceMs: number;
  /** Audio per `write`, ms: a multiple of 20. */
  readonly blockMs: number;
  /**
   * Seconds of one core per second of audio; the default of MAX_CALLS is computed from it until it is measured. Left
   * out: the catalogue's value, 0 for a plug-in, which is then never measured.
   */
  readonly realTimeFactor?: number;
  /** @throws Error when the engine cannot serve the call (its language, its connection) */
  openStream(options: SttStreamOptions): Promise<SttStream>;
  /**
   * For engines that decode many streams at once: called after each batch of audio. True while more audio waits. Must
   * return within about 20 ms.
   */
  step?(): boolean;
  /** Undecoded audio of the utterance that is furthest behind, ms. For local engines. */
  backlogMs?(): number;
  close(): Promise<void>;
}

/** The default export of an engine's module. */
export type SttEngineFactory = (
  environment: Record<string, string | undefined>,
) => Promise<SttEngine | PolledSttEngine>;

/**
 * A synchronous engine: it gets audio block by block in turn with the other calls, and is asked for partials.
 * `polled.ts` makes an `SttEngine` of it.
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
  /** `keepsAudio`: the audio of open utterances is kept, since the call may be opened in another language. */
  | { type: 'open'; callId: string; sampleRateHz: number; vocabulary: SttVocabulary; keepsAudio?: boolean }
  /**
   * Another stream takes the call, in another language: it hears the open utterance from its beginning, while the
   * results that are on their way still come from the old one. Answered by `changed`.
   */
  | { type: 'change'; callId: string; change: number; vocabulary: SttVocabulary }
  | { type: 'begin'; callId: string; utterance: number; expects: Expectation }
  | { type: 'audio'; callId: string; utterance: number; samples: Int16Array }
  /** As `SttUtterance.ask`. */
  | { type: 'ask'; callId: string; utterance: number; number: number }
  /** Requests the result; further speech has the next utterance number. */
  | { type: 'finish'; callId: string; utterance: number; asked?: number }
  | { type: 'cancel'; callId: string; utterance: number }
  | { type: 'close'; callId: string }
  | { type: 'stop' };

/** STT worker → shard. */
export type SttReply =
  | { type: 'ready' }
  | { type: 'partial'; callId: string; utterance: number; text: string; asked?: number }
  | { type: 'final'; callId: string; utterance: number; result: SttResult }
  | { type: 'turn-end'; callId: string; utterance: number }
  /** `message`: why the old stream goes on; null: the new one has the call. */
  | { type: 'changed'; callId: string; change: number; message: string | null }
  /** So much sound was sent to its server once more. */
  | { type: 'heard-again'; callId: string; ms: number }
  /** Another engine listens now, because the chosen one is down. */
  | ({ type: 'fallback'; callId: string } & SttFallback)
  | { type: 'failed'; callId: string; utterance: number; code: 'STT_UNAVAILABLE' | 'STT_FAILED'; message: string };
