// Endpointing: how long a silence ends the caller's turn. The business's threshold is the base, counted from the last
// speech sample; the words so far and the agent's question make it shorter or longer. Pure, and cheap enough for each partial.
import type { Expectation } from '../../models/stt/stt.ts';
import { speechWords } from './barge-in.ts';

export interface Endpoint {
  /** Silence after the last speech that ends the turn. */
  delayMs: number;
  /** False when the caller is clearly in mid-sentence: not worth preparing a reply. */
  complete: boolean;
}

// A plain yes or no ends at half the threshold, because "no…" may go on; never sooner than the VAD is certain of silence.
const ANSWER_FACTOR = 0.5;
const ANSWER_MIN_MS = 250;
const HESITATION_FACTOR = 2;
const HESITATION_MIN_MS = 1_200;
// People read numbers from a card or a screen in groups, with pauses of about a second.
const DICTATION_FACTOR = 2.5;
const DICTATION_MIN_MS = 1_500;
const LONGEST_MS = 4_000;

const YES_NO =
  /^(yes|no|yeah|yep|yup|nope|sure|correct|right|okay|ok|of course|definitely|not really|no thanks|no thank you|yes please|that's right|that is right|that's correct|that is correct|please do)( please| thanks| thank you| it is| that's right| i do| i am| i don't)?$/;

// Words after which a sentence in English cannot end.
const OPEN_ENDINGS = new Set([
  ...[
    'and',
    'or',
    'but',
    'because',
    'so',
    'if',
    'when',
    'while',
    'although',
    'since',
    'unless',
    'that',
    'which',
    'who',
  ],
  ...[
    'the',
    'a',
    'an',
    'my',
    'your',
    'our',
    'their',
    'his',
    'its',
    'to',
    'of',
    'for',
    'with',
    'at',
    'in',
    'on',
    'from',
  ],
  ...[
    'about',
    'between',
    'until',
    'by',
    'is',
    'are',
    'was',
    'were',
    'am',
    "i'm",
    "it's",
    'like',
    'maybe',
    'well',
    'then',
  ],
]);
const FILLERS = new Set(['um', 'uhm', 'uh', 'er', 'erm', 'eh', 'hmm', 'hm', 'mmm', 'ah']);

const NUMBER_WORDS = new Set([
  ...['zero', 'oh', 'o', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty', 'thirty'],
  ...['forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred', 'double', 'triple'],
]);
const MONTH =
  /^(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/;
const WEEKDAY = /^(monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)$/;
const ORDINAL = /^(\d+(st|nd|rd|th)|first|second|third|\w+th|\w+(first|second|third))$/;
const DAY_PART = /^(am|pm|a\.?m|p\.?m|o'clock|noon|midnight|morning|afternoon|evening|thirty|fifteen|forty-five|half)$/;

const isNumber = (word: string): boolean => /^[\d-]+$/.test(word) || NUMBER_WORDS.has(word);

/**
 * @param text what was recognised of the turn so far, partial or final; may be empty
 * @param silenceThresholdMs the business's setting
 */
export function endpoint(text: string, expects: Expectation, silenceThresholdMs: number): Endpoint {
  const ordinary: Endpoint = { delayMs: silenceThresholdMs, complete: true };
  const longer = (factor: number, leastMs: number): Endpoint => ({
    delayMs: Math.max(
      silenceThresholdMs,
      Math.min(LONGEST_MS, Math.max(leastMs, Math.round(silenceThresholdMs * factor))),
    ),
    complete: false,
  });
  const hesitation = () => longer(HESITATION_FACTOR, HESITATION_MIN_MS);
  const dictation = () => longer(DICTATION_FACTOR, DICTATION_MIN_MS);

  const words = speechWords(text);
  const last = words.at(-1);
  if (last === undefined) return expects === 'digits' || expects === 'spelling' ? dictation() : ordinary;
  if (expects === 'yes-no' && YES_NO.test(words.join(' '))) {
    const delayMs = Math.round(silenceThresholdMs * ANSWER_FACTOR);
    return { delayMs: Math.min(silenceThresholdMs, Math.max(ANSWER_MIN_MS, delayMs)), complete: true };
  }
  // Final punctuation is the recogniser's own judgement that the sentence is complete.
  if (/[.?!]\s*$/.test(text) && expects !== 'digits' && expects !== 'spelling' && expects !== 'email') return ordinary;
  if (FILLERS.has(last)) return hesitation();
  if (isMidDictation(words, last, expects)) return dictation();
  if (isMidDate(words, last, expects)) return hesitation();
  return OPEN_ENDINGS.has(last) ? hesitation() : ordinary;
}

function isMidDictation(words: string[], last: string, expects: Expectation): boolean {
  switch (expects) {
    case 'digits': {
      const count = words.reduce((sum, word) => sum + (/^[\d-]+$/.test(word) ? word.replace(/-/g, '').length : 1), 0);
      // Ten digits are a full national number; a caller with more to say goes on before the ordinary threshold.
      return isNumber(last) && count < 10;
    }
    case 'spelling':
      return last.length === 1 || last === 'double';
    case 'email':
      // Complete once something like "dot com" follows an "at".
      return !/(@|\bat\b).*(\.| dot )\w{2,}$/.test(words.join(' ')) && !/@[\w-]+ \w{2,}$/.test(words.join(' '));
    default:
      return false;
  }
}

function isMidDate(words: string[], last: string, expects: Expectation): boolean {
  if (expects !== 'date' && expects !== 'date-time' && expects !== 'time') return false;
  if (expects === 'time') return last === 'at' || last === 'half' || last === 'quarter';
  // "next", "the", "june": the day of the month is still to come.
  if (last === 'next' || last === 'this' || last === 'the') return true;
  if (MONTH.test(last)) return !words.some((word) => ORDINAL.test(word) || isNumber(word));
  // "Tuesday" alone, when a time was asked for too: leave a moment to add it.
  const hasTime = words.some((word) => DAY_PART.test(word) || isNumber(word));
  return expects === 'date-time' && WEEKDAY.test(last) && !hasTime;
}
