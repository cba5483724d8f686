// The TTS port: a clause goes in, PCM comes out in pieces as it is rendered. Stateless: any worker may take any clause.
// A worker holds the chosen engine and the built-in one, which takes over when the chosen one fails.

export interface Voice {
  id: string;
  name: string;
  /** Locale, e.g. en-US. */
  language: string;
  gender: 'female' | 'male' | 'neutral';
  engine: string;
  sampleRateHz: number;
  isDefault: boolean;
}

export interface SpeechRequest {
  text: string;
  voiceId: string;
  /** 0.5-2.0; 1 is the voice's own pace. */
  speed: number;
  /** `talk`: as callers say it; else slower, and figures slower still, as for one who writes them along. */
  pace?: 'talk';
  /** Rate of the audio to return: 8,000 on the phone, 16,000 in the browser. */
  sampleRateHz: number;
  /** BCP 47, for voices that speak several languages. */
  language?: string;
  /** The reply's text before this clause: capable engines continue its intonation. */
  previousText?: string;
}

/** A word of a request's text in its audio. */
export interface SpokenWord {
  /** Its end in the text: the offset after its last character. */
  endChar: number;
  /** Its end in the audio, ms from the first sample. */
  endMs: number;
}

export interface SpeechSink {
  /**
   * Aborted when nobody waits for the speech any more: requests are cancelled, and late audio is dropped.
   */
  readonly signal: AbortSignal;
  /** Takes PCM16 mono at `request.sampleRateHz`, in order, and keeps the array. */
  onAudio(samples: Int16Array): void;
  /** Takes further words, in order, if the engine reports their times: the heard part of the text is then exact. */
  onWords?(words: readonly SpokenWord[]): void;
}

export interface TtsEngine {
  readonly name: string;
  /** Currently available voices, the default first. */
  readonly voices: readonly Voice[];
  /** Requests at a time: per worker for a local engine, of the installation for a remote one. */
  readonly concurrency: number;
  /** Longest wait for the first audio of a remote engine, ms; null for a local one. */
  readonly patienceMs: number | null;
  /**
   * Seconds of one core per second of speech; the default of MAX_CALLS is computed from it until it is measured. Left
   * out: the catalogue's value, 0 for a plug-in, which is then never measured.
   */
  readonly realTimeFactor?: number;
  /** The engine may have voices `NAME:…` that it does not list. */
  readonly hasUnlistedVoices?: boolean;
  /** The engine accepts any voice id: plug-ins of the older interface. */
  readonly speaksAnyVoice?: boolean;
  /**
   * Renders `request`. After an abort it may resolve or reject, soon.
   * @throws {TtsError}
   */
  speak(request: SpeechRequest, sink: SpeechSink): Promise<void>;
  close(): Promise<void>;
}

/** The older interface: the engine asks between blocks whether to continue. The worker still accepts it. */
export interface BlockTtsEngine {
  readonly name: string;
  readonly voices: readonly Voice[];
  /** As of `TtsEngine`. */
  readonly realTimeFactor?: number;
  synthesize(request: SpeechRequest, onAudio: (samples: Int16Array) => void, isCancelled: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export type TtsEngineFactory = (environment: Record<string, string | undefined>) => Promise<TtsEngine | BlockTtsEngine>;

export type TtsErrorCode = 'TTS_UNAVAILABLE' | 'TTS_FAILED' | 'TTS_VOICE_UNKNOWN';

export class TtsError extends Error {
  readonly code: TtsErrorCode;
  constructor(code: TtsErrorCode, message: string) {
    super(message);
    this.name = 'TtsError';
    this.code = code;
  }
}

/** Shard (or control thread) → TTS worker on a MessagePort. `id` is unique on the port. */
export type TtsRequest =
  /** `askedAtMs` by the clock of all threads: who has waited long gets the built-in voice. Absent: it can wait. */
  | ({ type: 'speak'; id: number; askedAtMs?: number } & SpeechRequest)
  /** Renders a text into the cache for a later request. There is no answer. */
  | ({ type: 'prepare' } & SpeechRequest)
  | { type: 'cancel'; id: number }
  | { type: 'stop' };

/** TTS worker → shard. `last` ends the request, perhaps with empty samples. The samples' buffer is transferred. */
export type TtsReply =
  | { type: 'ready' }
  /** `isKept`: it was made before, and nobody was asked for it. */
  | { type: 'audio'; id: number; samples: Int16Array; last: boolean; isKept?: true }
  /** Further words of this text. */
  | { type: 'words'; id: number; words: readonly SpokenWord[] }
  /** Another engine speaks this text, because the chosen one is down. */
  | { type: 'fallback'; id: number; from: string; to: string; message: string }
  | { type: 'failed'; id: number; code: TtsErrorCode; message: string };
