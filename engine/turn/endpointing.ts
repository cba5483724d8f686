// Endpointing: how long a silence ends the caller's turn. The words so far, the agent's question and the intonation at
// the end make it short after a finished sentence and long in mid-thought. Pure, and cheap enough to run on each
// partial.
//
// A business that has set its own `silenceThresholdMs` gets at least that (`fixed`); otherwise the delay adapts.
import type { Expectation } from '../../models/stt/stt.ts';
import { consistsOf, endsWith, isAnswer, speechWords, startsWith, wordAfter } from './spoken.ts';
import type { TurnWords } from './words/turn-words.ts';

export interface Endpoint {
  /** Silence after the last speech that ends the turn. */
  delayMs: number;
  /** False if the caller is clearly in mid-sentence, so that preparing a reply would be wasted. */
  complete: boolean;
}

export interface TurnSoFar {
  /** The recognised text of the turn so far, partial or final; may be empty. */
  text: string;
  /** The recogniser has heard all of it and believes none of its words. */
  unclear: boolean;
  expects: Expectation;
  /** Number of digits that completes the answer; null if the question does not say. */
  digitCount: number | null;
  /** Intonation at the end of the speech, -1 (goes on) to 1 (final fall); null if unknown. */
  finality: number | null;
  /** Probability of a complete turn from a turn-end model, 0..1; null without a model or before its answer. */
  likelihood: number | null;
}

export interface Silence {
  /** The business's threshold. */
  thresholdMs: number;
  /** `fixed`: the business has set the threshold, and no rule goes below it. */
  endpointing: 'adaptive' | 'fixed';
  /** 1 is normal; a lower value waits less, a higher one more. */
  patience: number;
}

/** How the words so far end. */
export type Ending = 'complete' | 'likely' | 'unsure' | 'unclear' | 'hesitating' | 'dictating';

// Never sooner than the VAD is certain of silence.
const SHORTEST_MS = 250;
const COMPLETE_MS = 280;
const LIKELY_MS = 420;
// No word tells whether more is to come, and "Sorry?" in mid-sentence is worse than half a second later.
const UNCLEAR_MS = 1_200;
const HESITATING_MS = 1_600;
// People read numbers from a card or a screen in groups, with pauses of about a second.
const DICTATING_MS = 2_000;
const LONGEST_MS = 4_000;
// Factors of a fixed threshold: double in mid-thought, more in dictation; half after an expected yes or no.
const FIXED_FACTORS: Record<Ending, number> = {
  complete: 1,
  likely: 1,
  unsure: 1,
  unclear: 1,
  hesitating: 2,
  dictating: 2.5,
};
const FIXED_MIN_MS: Record<Ending, number> = {
  complete: 0,
  likely: 0,
  unsure: 0,
  unclear: 900,
  hesitating: 1_200,
  dictating: 1_500,
};

/** A full national number has ten digits or slightly fewer; a caller with more to say goes on soon. */
const FULL_NUMBER_DIGITS = 10;
/** A run of this many digits is a dictation, whatever the question was. */
const RUN_OF_DIGITS = 3;
/** A turn-end model is trusted beyond these limits. */
const SURELY = 0.5;
const FALLING = 0.35;

export function endpoint(said: TurnSoFar, words: TurnWords, silence: Silence): Endpoint {
  const ending = weigh(endingOf(said, words), said);
  const complete = ending !== 'hesitating' && ending !== 'dictating';
  return { delayMs: delayOf(ending, said, words, silence), complete };
}

function delayOf(ending: Ending, said: TurnSoFar, words: TurnWords, silence: Silence): number {
  const { thresholdMs, endpointing, patience } = silence;
  if (endpointing === 'fixed') {
    // The one rule that goes below the threshold: a plain answer to a yes-no question.
    if (said.expects === 'yes-no' && isAnswer(said.text, words))
      return Math.min(thresholdMs, Math.max(SHORTEST_MS, Math.round(thresholdMs / 2)));
    const wanted = Math.max(FIXED_MIN_MS[ending], Math.round(thresholdMs * FIXED_FACTORS[ending]));
    return Math.max(thresholdMs, Math.min(LONGEST_MS, wanted));
  }
  const delayMs = adaptiveMs(ending, thresholdMs) * patience;
  return Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, delayMs)));
}

function adaptiveMs(ending: Ending, thresholdMs: number): number {
  switch (ending) {
    case 'complete':
      return Math.min(COMPLETE_MS, thresholdMs);
    case 'likely':
      return Math.min(LIKELY_MS, thresholdMs);
    case 'unsure':
      return thresholdMs;
    case 'unclear':
      return Math.max(UNCLEAR_MS, thresholdMs);
    case 'hesitating':
      return HESITATING_MS;
    case 'dictating':
      return DICTATING_MS;
  }
}

/** The words' verdict, adjusted by intonation or a turn-end model. An incomplete number stays incomplete. */
function weigh(ending: Ending, { likelihood, finality }: TurnSoFar): Ending {
  if (ending === 'dictating') return ending;
  // The melody alone falls at the end of many a half.
  if (ending === 'unclear') return (likelihood ?? 0) >= SURELY ? 'unsure' : ending;
  if (likelihood !== null) {
    if (likelihood >= SURELY) return ending === 'hesitating' ? 'unsure' : 'complete';
    return ending === 'complete' ? 'unsure' : 'hesitating';
  }
  if (finality === null) return ending;
  if (finality >= FALLING && ending === 'likely') return 'complete';
  if (finality <= -FALLING && ending === 'likely') return 'unsure';
  return ending;
}

/** How the text ends, by its words alone. */
export function endingOf(
  { text, unclear, expects, digitCount }: Pick<TurnSoFar, 'text' | 'unclear' | 'expects' | 'digitCount'>,
  words: TurnWords,
): Ending {
  if (unclear && expects !== 'digits' && expects !== 'spelling') return 'unclear';
  const said = speechWords(text);
  const isDictated = expects === 'digits' || expects === 'spelling' || expects === 'email';
  if (said.length === 0) return expects === 'digits' || expects === 'spelling' ? 'dictating' : 'unsure';
  if (isAnswer(text, words)) return expects === 'yes-no' ? 'complete' : 'unsure';
  // Engines with punctuation put a full stop after everything, so "um." and "book for." are judged by their words.
  if (endsWith(said, words.fillers)) return 'hesitating';
  const dictation = dictated(said, expects, digitCount, words);
  if (dictation !== null) return dictation;
  if (isMidDate(said, expects, words)) return 'hesitating';
  if (said.length >= 3 && endsWith(said, words.closings)) return 'complete';
  if (endsWith(said, words.openEndings))
    return isQuestion(text, said, words) && /\?\s*$/.test(text) ? 'unsure' : 'hesitating';
  if (/\?\s*$/.test(text)) return 'complete';
  if (said.length >= 3 && isQuestion(text, said, words)) return 'complete';
  if (answersQuestion(said, expects, words)) return 'likely';
  if (isDictated) return 'unsure';
  return said.length >= 4 ? 'likely' : 'unsure';
}

function isQuestion(text: string, said: readonly string[], words: TurnWords): boolean {
  // The last sentence counts: "I have a bike. Do you repair it"
  const last = text.split(/[.!?]\s+/).at(-1) ?? '';
  const after = speechWords(last);
  return startsWith(after.length > 0 ? after : said, words.questionStarts);
}

/** A short answer that contains what the question asked for. */
function answersQuestion(said: readonly string[], expects: Expectation, words: TurnWords): boolean {
  const has = (list: readonly string[]) => said.some((word) => list.includes(word));
  const isNumeric = said.some((word) => isNumber(word, words) || words.ordinal.test(word));
  switch (expects) {
    case 'date':
      return has(words.weekdays) || (has(words.months) && isNumeric) || isNumeric;
    case 'time':
      return isNumeric || has(words.dayParts);
    case 'date-time':
      return (has(words.weekdays) || has(words.months)) && (isNumeric || has(words.dayParts));
    case 'name':
      return said.length >= 2;
    case 'service':
      return true;
    default:
      return false;
  }
}

// Dictation

function isDigitWord(word: string, { digits, repeats }: TurnWords): boolean {
  return /^[\d-]+$/.test(word) || Object.hasOwn(digits, word) || repeats.includes(word);
}

function isNumber(word: string, words: TurnWords): boolean {
  return isDigitWord(word, words) || words.numbers.includes(word);
}

function countDigits(said: readonly string[], words: TurnWords): number {
  return said.reduce((sum, word) => {
    if (/^[\d-]+$/.test(word)) return sum + word.replaceAll('-', '').length;
    return sum + (isNumber(word, words) ? 1 : 0);
  }, 0);
}

/** Null without dictation; otherwise whether more is to come. */
function dictated(
  said: readonly string[],
  expects: Expectation,
  digitCount: number | null,
  words: TurnWords,
): Ending | null {
  const last = said.at(-1) ?? '';
  const announced = wordAfter(said, words.dictations);
  // "My number is": the number is still to come.
  if (announced === said.length) return 'dictating';
  if (expects === 'email') return isWholeAddress(said, words) ? 'likely' : 'dictating';
  if (expects === 'spelling') return isSpelled(last, words) ? 'dictating' : null;
  if (isNumber(last, words)) return dictatedNumber(said, expects, digitCount, announced, words);
  const spelled = trailing(said, (word) => isSpelled(word, words));
  if (spelled >= RUN_OF_DIGITS || (announced >= 0 && spelled > 0)) return 'dictating';
  if (said.includes('@') || /\w@\w/.test(said.join(' '))) return isWholeAddress(said, words) ? 'likely' : 'dictating';
  return null;
}

function dictatedNumber(
  said: readonly string[],
  expects: Expectation,
  digitCount: number | null,
  announced: number,
  words: TurnWords,
): Ending | null {
  const asked = expects === 'digits' || announced >= 0;
  const run = trailing(said, (word) => isNumber(word, words));
  const digits = countDigits(said.slice(-run), words);
  const isRun = digits >= RUN_OF_DIGITS && said.slice(-run).some((word) => isDigitWord(word, words)) && run > 1;
  if (!asked && !isRun) return null;
  const counted = asked && expects === 'digits' ? countDigits(said, words) : digits;
  if (digitCount !== null && expects === 'digits') return counted >= digitCount ? 'complete' : 'dictating';
  return counted >= FULL_NUMBER_DIGITS ? 'likely' : 'dictating';
}

const isSpelled = (word: string, { repeats }: TurnWords): boolean =>
  (word.length === 1 && /\p{L}/u.test(word)) || repeats.includes(word);

/** How many words at the end match. */
function trailing(said: readonly string[], fits: (word: string) => boolean): number {
  let count = 0;
  while (count < said.length && fits(said[said.length - 1 - count] as string)) count++;
  return count;
}

/** An "at" is followed by something like "dot com". */
function isWholeAddress(said: readonly string[], { at, dot }: TurnWords): boolean {
  const from = said.findIndex((word) => at.includes(word) || word.includes('@'));
  if (from < 0) return false;
  const host = said.slice(from);
  const lastDot = host.findLastIndex((word) => dot.includes(word));
  if (lastDot > 0) return lastDot < host.length - 1 && (host.at(-1)?.length ?? 0) >= 2;
  // "ann@clinic.com" is split at its dot.
  return (host[0] ?? '').includes('@') && !host[0]?.endsWith('@') && host.length === 2 && (host[1]?.length ?? 0) >= 2;
}

function isMidDate(said: readonly string[], expects: Expectation, words: TurnWords): boolean {
  if (expects !== 'date' && expects !== 'date-time' && expects !== 'time') return false;
  if (expects === 'time') return endsWith(said, words.timeOpenings);
  // "next", "the", "june": the day of the month is still to come.
  if (endsWith(said, words.dateOpenings)) return true;
  const last = said.at(-1) ?? '';
  if (words.months.includes(last)) return !said.some((word) => words.ordinal.test(word) || isNumber(word, words));
  // "Tuesday" alone, although a time was asked for too: leave a moment to add it.
  const hasTime = said.some((word) => words.dayParts.includes(word) || isNumber(word, words));
  return expects === 'date-time' && consistsOf([last], words.weekdays) && !hasTime;
}
