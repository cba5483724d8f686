// The outcome of a test of an engine's settings, which the engine process carries out for the API.

/** How long a test may take: a local model loads from a cold disk. */
export const TRIAL_MS = 30_000;

/** The purpose for which a test's settings are sealed in the table of requests. */
export const TRIAL_CONTEXT = 'model-test';

/** The result of one server or engine. */
export interface TrialOutcome {
  /** The tested engine's name, and the model where it has one. */
  engine: string;
  /** Why it does not work, in plain words; null if it does. */
  error: string | null;
  /** To the first word, the first audio or the recognised text; null if none came. */
  firstMs: number | null;
  /** To the end of the answer. */
  totalMs: number | null;
  /** The words of the answer, or those that were recognised. */
  text: string | null;
  /** Bytes of audio, 16 bits a sample. */
  audioBytes: number | null;
}

/** A sentence of another language than English, and the voice that says it to a recogniser. */
export interface TrialWish {
  language?: string | undefined;
  spokenBy?: string | undefined;
}

export interface ModelTrial extends TrialOutcome {
  /** The sentence that was said; null where nothing was. */
  sentence: string | null;
  /** The fallback model, if there is one. */
  fallback: TrialOutcome | null;
}
