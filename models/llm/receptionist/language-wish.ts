// Whether a caller asks for another language, in any of those that we have phrases for: "can you speak German?",
// "auf Deutsch, bitte", "¿hablas español?". The words may be in the language that they ask for.
import { baseLanguage } from '../../../db/domain/calls/languages.ts';
import { LANGUAGES, type PhraseLanguage, phraseLanguage } from '../phrases/languages.ts';
import { languageName } from '../spoken.ts';

/** Beginnings of words that ask for it, without accents. */
const SPEAKS = [
  ...['speak', 'talk', 'switch', 'continue'],
  ...['sprech', 'sprich', 'reden', 'wechsel', 'weiter'],
  ...['habl', 'cambi', 'seguir'],
  ...['parl', 'chang', 'contin'],
  ...['spreek', 'sprek', 'praat', 'verder', 'fala', 'fale', 'mudar'],
];
/** "In German", "auf Deutsch", "en français". */
const IN = ['in', 'auf', 'en', 'em', 'op'];
/** Words that may stand around the name of a language and change nothing. */
const POLITE = new Set(
  (
    'please can could you we i do does would like to a bit hello hi yes ok okay ' +
    'bitte können kann könnten wir sie du ich hallo ja lieber möchte ' +
    'por favor puede puedes podemos hola si quiero ' +
    's il vous te plait pouvez peut on je bonjour oui voudrais le la ' +
    'per favore puo possiamo lei ciao buongiorno vorrei ' +
    'alsjeblieft alstublieft kunt kun u we graag ' +
    'pode podemos ola sim queria o'
  )
    .split(' ')
    .map(plain),
);
/** Before the name they say that the caller does not speak it. */
const NOT = new Set(['not', 't', 'no', 'kein', 'nicht', 'pas', 'non', 'nao', 'geen', 'niet']);
/** A wish without a verb has few words. */
const FEW_WORDS = 2;

/** The names of each language in each of them: `aleman` is German. */
const NAMES = new Map<string, PhraseLanguage>(
  bases().flatMap((named) => bases().map((of) => [plain(languageName(of, named)), named] as const)),
);

function bases(): PhraseLanguage[] {
  return Object.keys(LANGUAGES) as PhraseLanguage[];
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

const isVerb = (word: string): boolean => SPEAKS.some((beginning) => word.startsWith(beginning));

const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');

/** The one of `offered` that the words ask for, BCP 47; null: of none. */
export function languageWish(text: string, offered: readonly string[]): string | null {
  const words = wordsOf(text);
  const at = words.findIndex((word) => NAMES.has(word));
  if (at < 0 || words.slice(0, at).some((word) => NOT.has(word))) return null;
  const named = NAMES.get(words[at] ?? '');
  const isKept = (word: string): boolean => !POLITE.has(word) && !IN.includes(word);
  const before = words.slice(0, at).filter(isKept);
  const after = words.slice(at + 1).filter(isKept);
  // "Speak to someone about the German course" is another matter.
  const asks = [before.at(-1), after[0]].some((word) => word !== undefined && isVerb(word));
  if (!asks && before.length + after.length >= FEW_WORDS) return null;
  return offered.find((language) => baseLanguage(language) === named) ?? null;
}

/** Phrases by which a caller asks for a language, for a recogniser of phrases: in the spoken language. */
export function languageWishes(offered: readonly string[], spoken: string): string[] {
  // Only English has a recogniser of phrases.
  if (phraseLanguage(spoken) !== 'en') return [];
  const others = offered.filter((language) => baseLanguage(language) !== baseLanguage(spoken));
  return others.flatMap((language) => {
    const name = languageName('en', baseLanguage(language));
    return [`can you speak ${name}`, `do you speak ${name}`, `${name} please`, `in ${name} please`];
  });
}
