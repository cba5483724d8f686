// The languages that have phrases. A language without a file gets English.
import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { NL } from './nl.ts';
import type { Phrases } from './phrases.ts';
import { PT } from './pt.ts';

export const LANGUAGES = { en: EN, de: DE, es: ES, fr: FR, it: IT, pt: PT, nl: NL } satisfies Record<string, Phrases>;
export type PhraseLanguage = keyof typeof LANGUAGES;

/** The language whose phrases are used: `de` for `de-AT`, `en` for a language without a file. */
export function phraseLanguage(language: string): PhraseLanguage {
  const base = language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  return isPhraseLanguage(base) ? base : 'en';
}

export function phrasesFor(language: string): Phrases {
  return LANGUAGES[phraseLanguage(language)];
}

/** `de-AT` has those of `de`. */
export const hasPhrases = (language: string): boolean =>
  isPhraseLanguage(language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '');

function isPhraseLanguage(base: string): base is PhraseLanguage {
  return Object.hasOwn(LANGUAGES, base);
}
