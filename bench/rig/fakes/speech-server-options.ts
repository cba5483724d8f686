// The options of a server of speech: its faults, its understanding, and its refusals.

export type Fault =
  /** Takes the request and never answers. */
  | 'hang'
  /** Sends half of the answer, then nothing. */
  | 'hang-in-stream'
  | 'unauthorised'
  /** 429 with Retry-After: 0.2 s. */
  | 'too-many'
  /** 429 with Retry-After: 30 s. */
  | 'quota'
  | 'broken'
  /** 400: a field that it does not know. */
  | 'bad-request'
  /** A proxy's page, with status 200. */
  | 'garbage'
  | 'reset'
  /** Audio at half of its own speed. */
  | 'half-speed'
  /** Half a sample at the end, and chunks that cut samples in two. */
  | 'odd-chunks'
  /** No audio, no words. */
  | 'empty';

/** Hears the audio of one utterance, PCM16 at 8 kHz. */
export interface ServerEar {
  hear(samples: Int16Array): void;
  readonly text: string;
}

export interface SpeechServerOptions {
  /** Recognises the audio in place of `text`, an ear for each utterance. */
  ear?: () => ServerEar;
  /** The whole answer to a transcription with these fields of the form, in place of `text`. */
  transcript?: (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The text of every utterance. */
  text?: string;
  /** The language that it tells with a text where it is left to find out: `verbose_json`, `language=multi`. */
  language?: string;
  /** Wait before the first byte of an answer. */
  delayMs?: number;
  /** The only accepted key; null: any. */
  apiKey?: string | null;
  /** Refuses an address without `model=`, as speaches does. */
  wantsModelInUrl?: boolean;
}
