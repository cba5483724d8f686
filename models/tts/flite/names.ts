// Names for the built-in voice, whose own rules read all letters as English: from a table of names as people say them
// (names.txt), else by the spelling of their language. The voice takes their sounds as additions to its dictionary.
import { dictionarySounds } from './dictionary-sounds.ts';
import { soundsByLetters, soundsBySpelling, withStress } from './name-spellings.ts';
import { soundsTable } from './sounds-table.ts';

const soundsOfName = soundsTable(new URL('./names.txt', import.meta.url));

/** Of three letters and more, and no initials ("BBC"), which are meant to be spelled. */
const WORD = /(?<![\p{L}'’])(?=\p{L}{3,31}(?!\p{L}))\p{L}{1,3}\p{Ll}\p{L}*/gu;
const NAME = /^\p{Lu}\p{Ll}{2,30}$/u;
/** The beginnings of English words. */
const ENGLISH_START =
  /^(?:[^aeiouy]?[aeiouy]|(?:[bcfgkps]l|[bcdfgkpt]r|[cpstw]h|s[ckmnpqtw]|[dt]w|gh|[gkp]n|wr|chr|phr|sch|scr|shr|spl|spr|str|thr)[aeiouy])/i;
/** More sounds than letters has a word with an x; a letter's name has two mostly. */
const MOST_BEYOND_LETTERS = 1;
/** "O'Shea" was said "ah shea", and "D'Costa" was spelled; a vowel keeps its "d" ("D'Angelo"). */
const ELISION = /(?<![\p{L}'’])([ODNM])['’](?=\p{Lu}\p{Ll})/gu;
const ELIDED: Readonly<Record<string, string>> = { O: 'Oh ', D: 'De ', N: 'En ', M: 'Em ' };
const SON_OF = /(?<![\p{L}'’])Mc(\p{L}{2,28})(?!\p{L})/gu;
/** Letters that lose more than an accent. */
const FOLDED: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd' };

/** Without accents, which the voice would spell: "René" was read as "R, E, N, E". */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁøØßæœđ]/g, (letter) => FOLDED[letter] ?? letter);

/** Writes the beginning of a name as it sounds: "O'Shea", "D'Costa", and a "Mc" that no dictionary has. */
export const beginningsAsSaid = (text: string): string =>
  text
    .replace(ELISION, (all, letter: string, at: number) =>
      letter !== 'O' && /[AEIOUH]/.test(text[at + all.length] ?? '') ? all : (ELIDED[letter] ?? all),
    )
    .replace(SON_OF, (all, rest: string) => (dictionarySounds(all.toLowerCase()) === null ? `Mac${rest}` : all));

interface SaidNames {
  text: string;
  /** Lines for `-add_lex`; '' for none. */
  sayings: string;
}

/**
 * Gives sounds to each name that the voice would read wrongly, and to each word that it would spell. In the text a name
 * of no meaning stands for it: the voice spells "Nguyen" and "Gdansk" before it looks for their sounds.
 * @param soundsOf how many sounds the voice makes of a word: of one that it spells ("Dmitri", "McKnight") one and more
 * for each letter
 */
export function sayNames(text: string, soundsOf: (word: string) => number): SaidNames {
  const standIns = new Map<string, string>();
  let sayings = '';
  const said = text.replace(WORD, (written) => {
    const word = written.toLowerCase();
    const before = standIns.get(word);
    if (before !== undefined) return before;
    const sounds = nameSounds(written, word) ?? (isSpelled(written, soundsOf) ? unspelled(written, word) : null);
    if (!sounds) return written;
    const name = standIn(standIns.size);
    standIns.set(word, name);
    sayings += `${name} : ${sounds}\n`;
    return name;
  });
  return { text: said, sayings };
}

/**
 * The phones of a name as FliteTts.phones has them; null where the voice reads it as any word.
 * @param word lower case
 */
export function namePhones(word: string, soundsOf: (word: string) => number): string[] | null {
  const { sayings } = sayNames(
    word.replace(/^\p{L}/u, (first) => first.toUpperCase()),
    soundsOf,
  );
  const [, sounds] = /^\w+ : (.*)\n$/.exec(sayings) ?? [];
  return sounds?.split(' ').map((sound) => (sound === 'ax0' ? 'AH' : sound.replace(/\d$/, '').toUpperCase())) ?? null;
}

const nameSounds = (written: string, word: string): string | null =>
  NAME.test(written) ? (soundsOfName(word) ?? soundsBySpelling(word, () => dictionarySounds(word) !== null)) : null;

/** "zoboba", "zoboda" and so on: the voice can say them, and no dictionary has them. */
const standIn = (index: number): string => `zo${consonant(Math.floor(index / CONSONANTS.length))}o${consonant(index)}a`;
const CONSONANTS = 'bdfgklmnprstv';
const consonant = (index: number): string => CONSONANTS[index % CONSONANTS.length] ?? '';

const isSpelled = (written: string, soundsOf: (word: string) => number): boolean =>
  !ENGLISH_START.test(written) && soundsOf(written) > written.length + MOST_BEYOND_LETTERS;

function unspelled(written: string, word: string): string | null {
  const sounds = dictionarySounds(word);
  if (sounds === null) return NAME.test(written) ? soundsByLetters(word) : null;
  // The dictionary writes the weak vowel like that of "cut".
  return withStress(sounds.map((sound) => (sound === 'ah' ? 'ax' : sound)));
}
