// The meaning of short phrases for the turn: encouragement, an answer, a greeting, a plea for patience. Uses the tables
// of words/, and is cheap enough for each partial.
import type { TurnWords } from './words/turn-words.ts';

/** Lower case, no punctuation except inner hyphens and apostrophes, single spaces. */
export function normalizeSpeech(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}'@-]+/gu, ' ')
    .trim();
}

export function speechWords(text: string): string[] {
  const normal = normalizeSpeech(text);
  return normal === '' ? [] : normal.split(' ');
}

/** True if the text is not empty and consists only of phrases from these lists. */
export function consistsOf(words: readonly string[], ...lists: ReadonlyArray<readonly string[]>): boolean {
  if (words.length === 0) return false;
  let at = 0;
  while (at < words.length) {
    const length = Math.max(...lists.map((list) => longestAt(list, words, at)));
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** Whether the text ends with one of these phrases. */
export function endsWith(words: readonly string[], list: readonly string[]): boolean {
  for (let length = Math.min(phrases(list).longest, words.length); length > 0; length--) {
    if (phrases(list).all.has(words.slice(-length).join(' '))) return true;
  }
  return false;
}

export function startsWith(words: readonly string[], list: readonly string[]): boolean {
  return longestAt(list, words, 0) > 0;
}

/** The index of the word after the last of these phrases in the text, or -1. */
export function wordAfter(words: readonly string[], list: readonly string[]): number {
  for (let at = words.length - 1; at >= 0; at--) {
    const length = longestAt(list, words, at);
    if (length > 0) return at + length;
  }
  return -1;
}

/** Hums are written alike in all languages. */
const HUMS = ['mm-hmm', 'mmhmm', 'mm-hm', 'mhm', 'm-hm', 'hm', 'hmm', 'mm', 'mmm', 'uh-huh', 'uhuh', 'aha', 'ah', 'oh'];

/** Nothing but hums, though a recogniser of phrases writes them as two words: "uh huh". */
export function isHum(text: string): boolean {
  const said = speechWords(text);
  return consistsOf(said, HUMS) || HUMS.includes(said.join('-'));
}

const LONE_VOWEL = /^[aeiouyàáâéèêíóôú]$/u;

/** In the middle of another speaker's sentence it means nothing; at its end some of it may be an answer. */
export function onlyEncourages(text: string, words: TurnWords, more: readonly string[] = []): boolean {
  return consistsOf(speechWords(text), HUMS, words.backchannels, more);
}

/** Does not ask for the floor: a backchannel, or a plain yes. */
export function isBackchannel(text: string, words: TurnWords, more: readonly string[] = []): boolean {
  return consistsOf(speechWords(text), HUMS, words.backchannels, words.affirmations, more);
}

/** The words so far may still become a mere backchannel: the "I" of "I see". */
export function mayBecomeBackchannel(text: string, words: TurnWords, more: readonly string[] = []): boolean {
  const said = speechWords(text);
  const lists = [HUMS, words.backchannels, words.affirmations, more];
  // "No problem" begins with a word that must be heard at once.
  if (startsWith(said, words.negations)) return false;
  let at = 0;
  while (at < said.length) {
    const rest = said.slice(at).join(' ');
    // A vowel alone is a word: Italian "e" is not the beginning of "esatto", and English "I" is that of "I see".
    const begun = LONE_VOWEL.test(said.at(-1) ?? '') ? `${rest} ` : rest;
    if (lists.some((list) => list.some((phrase) => phrase.startsWith(begun) && phrase !== rest))) return true;
    const length = Math.max(...lists.map((list) => longestAt(list, said, at)));
    if (length === 0) return false;
    at += length;
  }
  return false;
}

/** A plain no, or a sentence that begins with one. */
export function isRefusal(text: string, { negations }: TurnWords): boolean {
  return startsWith(speechWords(text), negations);
}

/** A plain yes or no. */
export function isAnswer(text: string, { affirmations, negations, answerTails }: TurnWords): boolean {
  const said = speechWords(text);
  if (!startsWith(said, affirmations) && !startsWith(said, negations)) return false;
  return consistsOf(said, affirmations, negations, answerTails);
}

/** "Hello?" and the like, backchannels included. */
export function isSalutation(text: string, { salutations, backchannels }: TurnWords): boolean {
  return consistsOf(speechWords(text), salutations, backchannels);
}

/** "One moment, please": the caller wants the agent to wait, and nothing else. */
export function asksToWait(
  text: string,
  { waits, answerTails, affirmations, fillers, salutations }: TurnWords,
): boolean {
  const said = speechWords(text);
  return wordAfter(said, waits) > 0 && consistsOf(said, waits, answerTails, affirmations, fillers, salutations);
}

/** "Stop": the caller wants the agent to be silent, and nothing else. */
export function asksToStop(text: string, { stops, answerTails, fillers }: TurnWords): boolean {
  const said = speechWords(text);
  return wordAfter(said, stops) > 0 && consistsOf(said, stops, answerTails, fillers);
}

interface Phrases {
  all: ReadonlySet<string>;
  /** Words in the longest phrase. */
  longest: number;
}

const compiled = new WeakMap<readonly string[], Phrases>();

function phrases(list: readonly string[]): Phrases {
  const known = compiled.get(list);
  if (known !== undefined) return known;
  const longest = list.reduce((most, phrase) => Math.max(most, phrase.split(' ').length), 0);
  const made = { all: new Set(list), longest };
  compiled.set(list, made);
  return made;
}

/** Words of the longest phrase that begins at `at`; 0 for none. */
function longestAt(list: readonly string[], words: readonly string[], at: number): number {
  const { all, longest } = phrases(list);
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    if (all.has(words.slice(at, at + length).join(' '))) return length;
  }
  return 0;
}
