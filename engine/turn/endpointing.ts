// Endpointing: how long a silence ends the caller's turn. The words so far, the agent's question, the intonation at the
// end and a model of turn ends say how likely the turn is over (odds.ts); the silence is short where it is and long in
// mid-thought. Pure, and cheap enough to run on each partial.
//
// A business that has set its own `silenceThresholdMs` gets at least that (`fixed`); otherwise the delay adapts.
import type { Expectation } from '../../models/stt/stt.ts';
import { type Ending, finishedOdds, type Sounds, silenceAt } from './odds.ts';
import { consistsOf, endsWith, isAnswer, speechWords, startsWith, wordAfter } from './spoken.ts';
import { endsAfter } from './word-ends.ts';
import type { TurnWords } from './words/turn-words.ts';

export interface Endpoint {
  /** Silence after the last speech that ends the turn. */
  delayMs: number;
  /** False if the caller is clearly in mid-sentence, so that preparing a reply would be wasted. */
  complete: boolean;
  /** It is as good as certain that the turn is over. */
  sure: boolean;
  /** A group of a number or a spelling was said, and more of it is to come. */
  isGroup: boolean;
}

export interface TurnSoFar extends Sounds {
  /** The recognised text of the turn so far, partial or final; may be empty. */
  text: string;
  /** The recogniser has heard all of it and believes none of its words. */
  unclear: boolean;
  expects: Expectation;
  /** Number of digits that completes the answer; null if the question does not say. */
  digitCount: number | null;
  /** The caller has said no more than a greeting before. */
  isFirst: boolean;
}

export interface Silence {
  /** The business's threshold. */
  thresholdMs: number;
  /** `fixed`: the business has set the threshold, and no rule goes below it. */
  endpointing: 'adaptive' | 'fixed';
  /** 1 is normal; a lower value waits less, a higher one more. */
  patience: number;
}

// Never sooner than the VAD is certain of silence.
const SHORTEST_MS = 250;
// No word tells whether more is to come, and "Sorry?" in mid-sentence is worse than half a second later.
const UNCLEAR_MS = 1_200;
// People read numbers from a card or a screen in groups, with pauses of about a second.
const DICTATING_MS = 2_000;
/** The longest silence after words that may be a whole turn. */
const LONG_OPEN_MS = 1_000;
/** Log odds below which the caller is in mid-thought, so that preparing a reply would be wasted. */
const MID_THOUGHT = -1;
/** Log odds of a first sentence that says what the caller wants: more of it may follow after a breath. */
const FIRST_REQUEST = -0.2;
/** Of one that has said no more than who calls, or what has happened; or that began with the former. */
const FIRST_STATEMENT = -0.5;
/** Of two or three words later on: they answer or complete what was said. */
const LATER_WORDS = 0.3;
const FEW_WORDS = 3;
/** Log odds above which the turn is as good as certainly over. */
const SURE = 1;
/** A turn-end model is believed beyond this. */
const SURELY = 0.5;
const LONGEST_MS = 4_000;
// Factors of a fixed threshold: double in mid-thought, more in dictation; half after an expected yes or no.
const FIXED_FACTORS: Record<Ending, number> = {
  complete: 1,
  likely: 1,
  unsure: 1,
  wordless: 1,
  introducing: 1,
  unclear: 1,
  hesitating: 2,
  dictating: 2.5,
};
const FIXED_MIN_MS: Record<Ending, number> = {
  complete: 0,
  likely: 0,
  unsure: 0,
  wordless: 0,
  introducing: 0,
  unclear: 900,
  hesitating: 1_200,
  dictating: 1_500,
};

/** A full national number has ten digits or slightly fewer; a caller with more to say goes on soon. */
const FULL_NUMBER_DIGITS = 10;
/** Of a name, and of "from the bank" behind it. */
const NAME_WORDS = 4;
/** A run of this many digits is a dictation, whatever the question was. */
const RUN_OF_DIGITS = 3;

export function endpoint(said: TurnSoFar, words: TurnWords, silence: Silence): Endpoint {
  const ending = endingOf(said, words);
  const byWords = finishedOdds(ending, lastWordsOf(said, words), said);
  const odds = byWords + placeOdds(ending, said, words);
  // A first statement may be followed by another, and is whole all the same.
  const complete = ending !== 'dictating' && byWords > MID_THOUGHT;
  return {
    delayMs: delayOf(ending, odds, said, words, silence),
    complete,
    sure: odds >= SURE,
    isGroup: ending === 'dictating' && endsInGroup(said, words),
  };
}

/** By the turn's place in the call, where the agent has asked for nothing that is recognised. */
function placeOdds(ending: Ending, { text, expects, isFirst }: TurnSoFar, words: TurnWords): number {
  if (expects !== 'anything' || isAnswer(text, words)) return 0;
  const said = speechWords(text);
  const areFew = said.length <= FEW_WORDS;
  if (!isFirst) return ending === 'unsure' && said.length > 1 && areFew ? LATER_WORDS : 0;
  if (ending !== 'introducing' && (areFew || (ending !== 'likely' && ending !== 'unsure'))) return 0;
  return wordAfter(said, words.requests) < 0 || introduces(said, words) ? FIRST_STATEMENT : FIRST_REQUEST;
}

/** "Hi, my name is Ann Miller …" */
function introduces(said: readonly string[], { salutations, fillers, introductions }: TurnWords): boolean {
  const from = said.findIndex((word) => !salutations.includes(word) && !fillers.includes(word));
  return from >= 0 && startsWith(said.slice(from), introductions);
}

/** A digit or a letter, after which people wait for a sign that it was heard. */
function endsInGroup({ text }: TurnSoFar, words: TurnWords): boolean {
  const last = speechWords(text).at(-1);
  return last !== undefined && (isNumber(last, words) || isSpelled(last, words));
}

/** A question mark, a greeting and a plain yes tell more than the words before them. */
function lastWordsOf({ text }: TurnSoFar, words: TurnWords): number {
  const said = speechWords(text);
  const isPlain = isAnswer(text, words) || consistsOf(said, words.salutations) || isWholeQuestion(said, words);
  if (isPlain || /\?\s*$/.test(text)) return 0;
  const odds = endsAfter(said, words);
  return endsWith(said, words.closings) ? Math.max(0, odds) : odds;
}

function delayOf(ending: Ending, odds: number, said: TurnSoFar, words: TurnWords, silence: Silence): number {
  const { thresholdMs, endpointing, patience } = silence;
  if (endpointing === 'fixed') {
    // The one rule that goes below the threshold: a plain answer to a yes-no question.
    if (said.expects === 'yes-no' && isAnswer(said.text, words))
      return Math.min(thresholdMs, Math.max(SHORTEST_MS, Math.round(thresholdMs / 2)));
    const weighed = weigh(ending, odds);
    const wanted = Math.max(FIXED_MIN_MS[weighed], Math.round(thresholdMs * FIXED_FACTORS[weighed]));
    return Math.max(thresholdMs, Math.min(LONGEST_MS, wanted));
  }
  const delayMs = adaptiveMs(ending, odds, said, thresholdMs) * patience;
  return Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, delayMs)));
}

function adaptiveMs(ending: Ending, odds: number, said: TurnSoFar, thresholdMs: number): number {
  // An incomplete number stays incomplete, whatever it sounds like.
  if (ending === 'dictating') return DICTATING_MS;
  // The melody alone falls at the end of many a half.
  if (ending === 'unclear') return Math.max((said.likelihood ?? 0) >= SURELY ? 0 : UNCLEAR_MS, thresholdMs);
  const delayMs = silenceAt(odds);
  // The business's threshold bounds the silence after what may be a whole turn.
  return ending === 'hesitating' ? delayMs : Math.min(delayMs, Math.max(thresholdMs, LONG_OPEN_MS));
}

/** A fixed threshold knows only whether the caller is in mid-thought. */
function weigh(ending: Ending, odds: number): Ending {
  if (ending === 'dictating' || ending === 'unclear') return ending;
  return odds > MID_THOUGHT ? 'unsure' : 'hesitating';
}

/** How the text ends, by its words alone. */
export function endingOf(
  { text, unclear, expects, digitCount }: Pick<TurnSoFar, 'text' | 'unclear' | 'expects' | 'digitCount'>,
  words: TurnWords,
): Ending {
  if (unclear && expects !== 'digits' && expects !== 'spelling') return 'unclear';
  const said = speechWords(text);
  const isDictated = expects === 'digits' || expects === 'spelling' || expects === 'email';
  if (said.length === 0) return expects === 'digits' || expects === 'spelling' ? 'dictating' : 'wordless';
  if (isAnswer(text, words)) return answerEnding(said, expects, words);
  if (isWholeQuestion(said, words)) return 'likely';
  // Engines with punctuation put a full stop after everything, so "um." and "book for." are judged by their words.
  if (endsWith(said, words.fillers)) return 'hesitating';
  if (consistsOf(said, words.salutations)) return 'introducing';
  const dictation = dictated(said, expects, digitCount, words);
  if (dictation !== null) return dictation;
  if (isMidDate(said, expects, words)) return 'hesitating';
  if (said.length >= 3 && endsWith(said, words.closings)) return 'complete';
  if (endsWith(said, words.openEndings))
    return isQuestion(text, said, words) && /\?\s*$/.test(text) ? 'unsure' : 'hesitating';
  if (/\?\s*$/.test(text)) return 'complete';
  if (said.length >= 3 && isQuestion(text, said, words)) return 'complete';
  if (answersQuestion(said, expects, words)) return 'likely';
  if (isIntroduction(said, words)) return 'introducing';
  if (isDictated) return 'unsure';
  return said.length >= 4 ? 'likely' : 'unsure';
}

/** "Yes" may be the beginning of more; "yes, please" and "no, thank you" hardly ever are. */
function answerEnding(said: readonly string[], expects: Expectation, { closings }: TurnWords): Ending {
  if (expects === 'yes-no') return 'complete';
  if (said.length === 1) return 'unsure';
  return endsWith(said, closings) ? 'complete' : 'likely';
}

function isQuestion(text: string, said: readonly string[], words: TurnWords): boolean {
  // The last sentence counts: "I have a bike. Do you repair it"
  const last = text.split(/[.!?]\s+/).at(-1) ?? '';
  const after = speechWords(last);
  return startsWith(after.length > 0 ? after : said, words.questionStarts);
}

/** "What times do you have": whole, although "you have" goes on in most sentences. */
function isWholeQuestion(said: readonly string[], words: TurnWords): boolean {
  if (!endsWith(said, words.questionTails)) return false;
  const { connectives, fillers, backchannels, affirmations, negations, salutations, answerTails } = words;
  const leads = [connectives, fillers, backchannels, affirmations, negations, salutations, answerTails];
  const isLed = (at: number): boolean => at === 0 || consistsOf(said.slice(0, at), ...leads);
  return said.some((_, at) => isLed(at) && startsWith(said.slice(at), words.questionWords));
}

/** "Hi, my name is Ann Miller" and nothing else: what they want is still to come. */
function isIntroduction(said: readonly string[], words: TurnWords): boolean {
  const from = wordAfter(said, words.introductions);
  if (from < 0 || said.length - from > NAME_WORDS) return false;
  const before = said.slice(0, from);
  return consistsOf(before, words.introductions, words.salutations, words.fillers, words.affirmations);
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
  // "My number is": the number is still to come.
  if (endsWith(said, words.dictations)) return 'dictating';
  const announced = Math.max(wordAfter(said, words.dictations), wordAfter(said, words.dictationNouns));
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
