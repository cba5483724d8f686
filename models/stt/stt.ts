// The STT port. An engine opens sessions; a session hears one utterance after another of one call. The worker hosts
// many sessions and speaks `SttRequest` / `SttReply` with the shards on MessagePorts of their own.

/** What the dialogue expects next: narrows the grammar, lengthens the silence that ends a turn. */
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

/** What a grammar or a bias list can be made of. */
export interface SttVocabulary {
  language: string;
  businessName: string;
  services: string[];
  questions: string[];
  /** Further phrases that the caller may say. */
  phrases: string[];
}

export interface SttResult {
  /** Lower case or as the engine writes it; empty when nothing was understood. */
  text: string;
  /** 0..1, of the least certain word. */
  confidence: number;
  /** False when speech was heard but lies outside what the engine can recognise. */
  understood: boolean;
}

export interface SttSessionOptions {
  callId: string;
  /** Rate of the samples that `write` brings. */
  sampleRateHz: number;
  vocabulary: SttVocabulary;
}

export interface SttSession {
  /** Begins an utterance; audio from a little before the onset is written first by the shard. */
  begin(expects: Expectation): void;
  /** PCM16 mono at the session's rate; any length. Synchronous engines must return within about 20 ms a call. */
  write(samples: Int16Array): void;
  /** Best guess so far, empty when none. */
  partial(): string;
  /** Ends the utterance. */
  finish(): Promise<SttResult>;
  /** Drops the utterance. */
  cancel(): void;
  close(): void;
}

export interface SttEngine {
  readonly name: string;
  /** False for grammar engines, which only know what the business's vocabulary holds. */
  readonly freeText: boolean;
  open(options: SttSessionOptions): Promise<SttSession>;
  close(): Promise<void>;
}

/** Module of an engine (built in, or by `module:/path`): default export. */
export type SttEngineFactory = (environment: Record<string, string | undefined>) => Promise<SttEngine>;

/** Shard → STT worker. `utterance` numbers grow; replies of an older one are stale. */
export type SttRequest =
  | { type: 'open'; callId: string; sampleRateHz: number; vocabulary: SttVocabulary }
  | { type: 'begin'; callId: string; utterance: number; expects: Expectation }
  | { type: 'audio'; callId: string; utterance: number; samples: Int16Array }
  /** Asks for the result; speech may go on afterwards under the next utterance number. */
  | { type: 'finish'; callId: string; utterance: number }
  | { type: 'cancel'; callId: string; utterance: number }
  | { type: 'close'; callId: string }
  | { type: 'stop' };

export type SttReply =
  | { type: 'ready' }
  | { type: 'partial'; callId: string; utterance: number; text: string }
  | { type: 'final'; callId: string; utterance: number; result: SttResult }
  | { type: 'failed'; callId: string; utterance: number; code: 'STT_UNAVAILABLE' | 'STT_FAILED'; message: string };
