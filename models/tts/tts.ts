// The TTS port: a clause goes in, PCM comes out in pieces as it is rendered. Stateless: any worker may take any clause.

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
  /** Rate of the audio to return: 8,000 on the phone, 16,000 in the browser. */
  sampleRateHz: number;
}

export interface TtsEngine {
  readonly name: string;
  readonly voices: readonly Voice[];
  /**
   * Renders `request`. `onAudio` gets PCM16 mono at `request.sampleRateHz`, in order. `isCancelled` is asked between blocks.
   * @throws {TtsError}
   */
  synthesize(request: SpeechRequest, onAudio: (samples: Int16Array) => void, isCancelled: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export type TtsEngineFactory = (environment: Record<string, string | undefined>) => Promise<TtsEngine>;

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
  | ({ type: 'speak'; id: number } & SpeechRequest)
  /** Renders into the cache what will soon be asked for. There is no answer. */
  | ({ type: 'prepare' } & SpeechRequest)
  | { type: 'cancel'; id: number }
  | { type: 'stop' };

/** TTS worker → shard. `last` ends the request, perhaps with empty samples. The samples' buffer is transferred. */
export type TtsReply =
  | { type: 'ready' }
  | { type: 'audio'; id: number; samples: Int16Array; last: boolean }
  | { type: 'failed'; id: number; code: TtsErrorCode; message: string };
