// The STT port. An engine opens one session per call, which recognises one utterance after another. The worker hosts many
// sessions and exchanges `SttRequest` and `SttReply` with the shards, each on its own MessagePort.

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
  language: string;
  businessName: string;
  services: string[];
  questions: string[];
  /** Further phrases that the caller may say. */
  phrases: string[];
}

export interface SttResult {
  /** Lower case, or as the engine writes it; empty when nothing was recognised. */
  text: string;
  /** 0..1. */
  confidence: number;
  /** False when the speech was outside what the engine can recognise. */
  understood: boolean;
}

export interface SttSessionOptions {
  callId: string;
  /** Rate of the samples that `write` brings. */
  sampleRateHz: number;
  vocabulary: SttVocabulary;
}

export interface SttSession {
  /** Begins an utterance. The shard writes audio from a little before the onset first. */
  begin(expects: Expectation): void;
  /** Takes PCM16 mono at the session's rate, any length. A synchronous engine must return within about 20 ms. */
  write(samples: Int16Array): void;
  /** The best text so far; empty when there is none. */
  partial(): string;
  /** Ends the utterance. Rejects when the engine failed during it. */
  finish(): Promise<SttResult>;
  /** Drops the utterance. */
  cancel(): void;
  close(): void;
}

export interface SttEngine {
  readonly name: string;
  /** False for grammar engines, which recognise only what the vocabulary holds. */
  readonly freeText: boolean;
  open(options: SttSessionOptions): Promise<SttSession>;
  close(): Promise<void>;
}

/** The default export of an engine's module. */
export type SttEngineFactory = (environment: Record<string, string | undefined>) => Promise<SttEngine>;

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
  | { type: 'failed'; callId: string; utterance: number; code: 'STT_UNAVAILABLE' | 'STT_FAILED'; message: string };
