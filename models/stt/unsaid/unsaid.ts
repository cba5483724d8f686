// Words that a recogniser of whole utterances writes although nobody said them. Whisper and its like are trained on
// subtitles: of breath and noise they make a sentence that ends videos, the names that they were told to expect, or one
// group of words over and over. Such a text is dropped, or passed on as not understood, so that the agent asks.
import type { SttResult } from '../stt.ts';
import { DOUBTFUL, NEVER_SAID } from './hallucinations.ts';

/** How sure the model was, as far as it tells (OpenAI's `verbose_json`). */
export interface Evidence {
  /** Length of the audio, ms. */
  soundMs: number;
  /** Probability that nobody speaks, 0..1. */
  noSpeech?: number;
  /** Mean log probability of the words. */
  logProbability?: number;
}

type Verdict = 'said' | 'unclear' | 'nothing';

interface Believed {
  /** The part that may have been said. */
  text: string;
  verdict: Verdict;
}

/** Whisper's own limits: above it nobody speaks where the words are improbable too; below it they are a guess. */
const NO_SPEECH = 0.6;
const IMPROBABLE = -1;
/** Of words that people say too: the model itself leans to nobody. */
const DOUBTED_NO_SPEECH = 0.4;
const DOUBTED = -0.7;
/** Letters a second: of people on telephones, a sentence has 18 at most; the first ten may be spoken before a pause. */
const LETTERS_PER_S = 25;
const FREE_LETTERS = 10;
/** Of words that may be a guess. */
const UNCLEAR_CONFIDENCE = 0.2;
const LETTERS_PER_DIGIT = 4;
/** A group of so many words that comes so often in a row is a loop. "No no no no" and "oh oh oh oh" are not. */
const LONGEST_GROUP = 8;
const repeatsOf = (words: number): number => (words === 1 ? 7 : words === 2 ? 5 : 4);

export function believe(text: string, evidence: Evidence): Believed {
  const { noSpeech = 0, logProbability = 0, soundMs } = evidence;
  const spoken = withoutCredits(text);
  if (spoken === '') return { text: '', verdict: 'nothing' };
  if (noSpeech > NO_SPEECH && logProbability < IMPROBABLE) return { text: '', verdict: 'nothing' };
  const isDoubted = noSpeech > DOUBTED_NO_SPEECH || logProbability < DOUBTED;
  if (isDoubted && isListed(plain(spoken), DOUBTFUL)) return { text: '', verdict: 'nothing' };
  const once = withoutLoop(spoken);
  if (once !== null) return { text: once, verdict: 'unclear' };
  if (isTooMuch(spoken, soundMs)) return { text: spoken, verdict: 'unclear' };
  return { text: spoken, verdict: logProbability < IMPROBABLE ? 'unclear' : 'said' };
}

/** The result as far as it may have been said. */
export function believable(result: SttResult, evidence: Evidence): SttResult {
  const { text, verdict } = believe(result.text, evidence);
  if (verdict === 'nothing') return { text: '', confidence: 0, understood: false };
  if (verdict === 'unclear')
    return { ...result, text, confidence: Math.min(result.confidence, UNCLEAR_CONFIDENCE), understood: false };
  return text === result.text ? result : { ...result, text };
}

/**
 * Whether the text is nothing but names that the recogniser was told to expect, and not one of them by itself, which is
 * an answer. `names`: in the order of the prompt; the first is the business, which nobody names alone.
 */
export function isEcho(text: string, names: readonly string[]): boolean {
  const said = plain(text).split(' ');
  if (said[0] === '') return false;
  if (names.slice(1).some((name) => plain(name) === said.join(' '))) return false;
  const prompt = plain(names.join(' ')).split(' ');
  return prompt.some((_, at) => said.every((word, index) => prompt[at + index] === word));
}

/**
 * The text before a piece of the prompt that stands at its end; null where none does. A person names two of the names
 * in the prompt's order, or the business in a sentence of its own, too: only the recogniser without its prompt tells.
 */
export function beforeEcho(text: string, names: readonly string[]): string | null {
  const words = [...text.matchAll(/[\p{L}\p{N}'’]+/gu)];
  const prompt = plain(names.join(' ')).split(' ');
  for (let from = 1; from < words.length; from++) {
    const at = words[from]?.index ?? 0;
    const tail = text.slice(at);
    if (!isEcho(tail, names)) continue;
    const before = text.slice(0, at).trimEnd();
    const isSentence = /[.!?…]$/u.test(before);
    const isList = namesWithin(plain(tail), prompt, names) >= 2;
    return isSentence || isList ? withoutBreak(before) : null;
  }
  return null;
}

/** Without the signs of a break at its end: by code, since an expression would begin anew at each of many blanks. */
function withoutBreak(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,;:–-]/u.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** Whole names that the words of a piece of the prompt contain. */
function namesWithin(said: string, prompt: readonly string[], names: readonly string[]): number {
  if (!` ${prompt.join(' ')} `.includes(` ${said} `)) return 0;
  return names.filter((name) => plain(name) !== '' && ` ${said} `.includes(` ${plain(name)} `)).length;
}

/** Words of a text, by which two texts of one sound are compared. */
export const wordCount = (text: string): number => plain(text).split(' ').filter(Boolean).length;

/** Lower case words without marks. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function isListed(words: string, table: Readonly<Record<string, readonly string[]>>): boolean {
  return Object.values(table).some((phrases) => phrases.some((phrase) => matches(words, phrase)));
}

function matches(words: string, phrase: string): boolean {
  if (!phrase.endsWith(' …')) return words === phrase;
  const start = phrase.slice(0, -2);
  return words === start || words.startsWith(`${start} `);
}

/** Without sounds in brackets, "[Music]", and sentences from the end of videos, wherever they stand. */
function withoutCredits(text: string): string {
  const spoken = text.replace(/\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]+/g, ' ').trim();
  const sentences = spoken.split(/(?<=[.!?…])\s+/);
  return sentences
    .filter((sentence) => plain(sentence) !== '' && !isListed(plain(sentence), NEVER_SAID))
    .join(' ')
    .trim();
}

/** The text with a repeated group of words once, up to its first end; null without a loop. */
function withoutLoop(text: string): string | null {
  const words = text.split(/[\s-]+/).filter((word) => plain(word) !== '');
  const keys = words.map(plain);
  for (let length = 1; length <= LONGEST_GROUP; length++) {
    const wanted = repeatsOf(length);
    for (let at = 0; at + length * wanted <= keys.length; at++) {
      let same = 0;
      while (at + length + same < keys.length && keys[at + same] === keys[at + length + same]) same++;
      if (same >= length * (wanted - 1)) return words.slice(0, at + length).join(' ');
    }
  }
  return null;
}

/** More than anybody says in this time. */
function isTooMuch(text: string, soundMs: number): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '').length + text.replace(/\D/g, '').length * LETTERS_PER_DIGIT;
  return letters > FREE_LETTERS + (soundMs / 1_000) * LETTERS_PER_S;
}
