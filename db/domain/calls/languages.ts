// The languages of one agent: its own, and the further ones that a call may go on in, each with a voice and a key.

/** Of `additionalLanguages` that somebody has said more about. Its own language may have a key here, and no voice. */
export interface LanguageSettings {
  /** BCP 47: the agent's own language or one of its additional ones. */
  language: string;
  /** Absent: the agent's voice, or one of the language where that speaks another one only. */
  voiceId?: string;
  /** Of the speech-to-speech model, by the vendor's name. Absent: the agent's. */
  speechVoice?: string;
  /** The key that asks for it, pressed alone. */
  digit?: string;
  /** Words that the recogniser should expect in it, beside the agent's keywords. */
  keywords?: string[];
}

/** The cause of a change of language: the caller's words, a key, or the language that the recogniser heard. */
export type LanguageCause = 'wish' | 'key' | 'detected';

/** `de` of `de-AT`. */
export const baseLanguage = (language: string): string => (language.split(/[-_]/, 1)[0] ?? language).toLowerCase();

/** A voice that reads any language but by the rules of its own. Voices of remote engines speak many. */
export const isOfOneLanguage = ({ engine }: { engine: string }): boolean =>
  engine === 'flite' || engine.startsWith('sherpa');
