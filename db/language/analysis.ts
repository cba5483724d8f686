// Makes the terms that the index stores for a passage and looks up for a question: words without accents and by their
// stems, and codes.
import { createHash } from 'node:crypto';
import { codesIn, saidCodes, unitsOf } from './codes.ts';
import { soundOf } from './sounds.ts';
import { folded, germanStem, stemIn } from './stems.ts';
import { isStopWord, languageOf } from './words.ts';

/**
 * Of what this file and its neighbours make of a text: documents with another one are indexed again. More small words
 * need no new version: nobody asks for the terms that an older index has of them.
 */
export const INDEX_VERSION = 1;

interface Text {
  heading: string;
  body: string;
}

interface IndexedText extends Text {
  /** Terms in their order, a space before each: a trigger puts the business's mark there. */
  headingTerms: string;
  bodyTerms: string;
}

export interface IndexedDocument {
  passages: IndexedText[];
  /** Of its names, codes and headings: the term, and how it sounds. */
  names: Map<string, string>;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Distinct names of a document; more tell nothing. */
const NAMES_MAX = 4_000;
const NAME_MIN = 4;
/** A word in a compound, and the shortest compound. */
const PART_MIN = 5;
const COMPOUND_MIN = 9;

export function indexed(passages: readonly Text[]): IndexedDocument {
  const language = languageOf(passages.map(({ body }) => body).join('\n'));
  const names = new Map<string, string>();
  const parts = language === 'de' || language === 'nl' ? wordsOfAll(passages) : new Set<string>();
  const termsOf = (text: string, isHeading: boolean): string => {
    const terms: string[] = [];
    for (const raw of text.match(WORD) ?? []) {
      const word = folded(raw);
      if (isStopWord(raw.toLowerCase())) continue;
      const term = stemIn(word, language);
      terms.push(term);
      for (const part of partsOf(word, parts)) terms.push(stemIn(part, language));
      if (isName(raw, word, isHeading)) keepName(names, term, word);
    }
    for (const code of codesIn(text)) {
      terms.push(code);
      keepName(names, code, code);
    }
    return terms.map((term) => ` ${term}`).join('');
  };
  return {
    passages: passages.map(({ heading, body }) => ({
      heading,
      body,
      headingTerms: termsOf(heading, true),
      bodyTerms: termsOf(body, false),
    })),
    names,
  };
}

const isName = (raw: string, word: string, isHeading: boolean): boolean =>
  /\d/.test(word) ? word.length > 2 && /\D/.test(word) : word.length >= NAME_MIN && (isHeading || /^\p{Lu}/u.test(raw));

function keepName(names: Map<string, string>, term: string, word: string): void {
  if (names.size < NAMES_MAX && !names.has(term)) names.set(term, soundOf(word));
}

function wordsOfAll(passages: readonly Text[]): Set<string> {
  const words = new Set<string>();
  for (const { heading, body } of passages)
    for (const raw of `${heading} ${body}`.match(WORD) ?? []) if (raw.length >= PART_MIN) words.add(folded(raw));
  return words;
}

/** The words that a compound ends and begins with, where the document has them by themselves. */
function partsOf(word: string, words: ReadonlySet<string>): string[] {
  if (words.size === 0 || word.length < COMPOUND_MIN) return [];
  const found: string[] = [];
  for (let at = 3; at <= word.length - PART_MIN; at++)
    if (words.has(word.slice(at))) {
      found.push(word.slice(at));
      break;
    }
  for (let to = word.length - 3; to >= PART_MIN; to--)
    if (words.has(word.slice(0, to))) {
      found.push(word.slice(0, to));
      break;
    }
  return found;
}

/** A word of a question: any of its terms. */
export interface AskedWord {
  word: string;
  terms: readonly string[];
  /** It is said for digits, which may be a part of a code. */
  isNumber: boolean;
}

export interface AskedQuestion {
  words: readonly AskedWord[];
  /** Possible codes, the longest first. */
  codes: readonly string[];
}

const WORDS_MAX = 12;
const CODES_MAX = 60;

export function analysed(question: string): AskedQuestion {
  const raws = question.match(WORD) ?? [];
  const units = unitsOf(raws.map(folded));
  const codes = new Set([...codesIn(question), ...saidCodes(units)]);
  const words = new Map<string, AskedWord>();
  const add = (word: string): void => {
    const terms = [...new Set([stemIn(word, 'en'), /\d/.test(word) ? word : germanStem(word)])];
    words.set(word, { word, terms, isNumber: unitsOf([word])[0]?.kind === 'digits' });
  };
  for (const raw of raws) {
    const word = folded(raw);
    if (word.length > 1 && !isStopWord(raw.toLowerCase())) add(word);
  }
  for (const { kind, text } of units) if (kind === 'digits' && text.length > 1) add(text);
  const kept = [...words.values()].sort((a, b) => b.word.length - a.word.length).slice(0, WORDS_MAX);
  return { words: kept, codes: [...codes].slice(0, CODES_MAX) };
}

/** The mark of a business's terms in the index, which all businesses share. */
export const markOf = (businessId: string): string =>
  createHash('sha256').update(businessId).digest('hex').slice(0, 10);
