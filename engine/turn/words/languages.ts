// The languages with word tables of their own; any other language uses English.
import { type PhraseLanguage, phraseLanguage } from '../../../models/llm/phrases/languages.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { NL } from './nl.ts';
import { PT } from './pt.ts';
import type { TurnWords } from './turn-words.ts';

const LANGUAGES: Record<PhraseLanguage, TurnWords> = { en: EN, de: DE, es: ES, fr: FR, it: IT, pt: PT, nl: NL };

export function turnWordsFor(language: string): TurnWords {
  return LANGUAGES[phraseLanguage(language)];
}
