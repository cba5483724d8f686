// Whether somebody said a phrase, in the languages that we have phrases for: in other cases, numbers and genders of its
// words, without their accents, and with a few other words between. Stems are light ones, as Savoy's (UniNE): endings
// of inflection alone, because a rule of derivation would make other words the same.
import { type PhraseLanguage, phraseLanguage } from '../phrases/languages.ts';

/** The longest first. Accents are gone when they are looked at. */
const ENDINGS: Record<PhraseLanguage, readonly string[]> = {
  en: ['ing', 'ed', 's'],
  de: ['ern', 'em', 'en', 'er', 'es', 'e', 'n', 's'],
  es: ['es', 'os', 'as', 'a', 'e', 'o', 's'],
  fr: ['ees', 'ee', 'es', 'e', 's', 'x'],
  it: ['he', 'hi', 'a', 'e', 'i', 'o'],
  nl: ['en', 'e', 'n', 's'],
  pt: ['es', 'os', 'as', 'a', 'e', 'o', 's'],
};
/** Of a word that loses an ending, so much stays. */
const MIN_STEM_CHARS = 4;
/** Other words between two of the phrase: "wo ist denn nun meine Bestellung". */
const MAX_BETWEEN = 2;

/** `language`: BCP 47. */
export function saysPhrase(text: string, phrase: string, language: string): boolean {
  const spoken = phraseLanguage(language);
  const said = stemsOf(text, spoken);
  const wanted = stemsOf(phrase, spoken);
  const [first] = wanted;
  return first !== undefined && said.some((stem, at) => stem === first && followsFrom(said, at, wanted));
}

/** The phrase's words one after the other from there on, each soon after the last. */
function followsFrom(said: readonly string[], at: number, wanted: readonly string[]): boolean {
  let reached = at;
  for (const stem of wanted.slice(1)) {
    const steps = said.slice(reached + 1, reached + MAX_BETWEEN + 2).indexOf(stem);
    if (steps < 0) return false;
    reached += steps + 1;
  }
  return true;
}

function stemsOf(text: string, language: PhraseLanguage): string[] {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => stemOf(word, ENDINGS[language]));
}

function stemOf(word: string, endings: readonly string[]): string {
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM_CHARS);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
