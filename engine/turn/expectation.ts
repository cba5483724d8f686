// Finds what the agent's last sentence asks for. A model that writes free text does not state what it expects, but its
// question shows it: "What is your phone number?" will be answered with digits, in groups, with pauses.
import type { Expectation } from '../../models/stt/stt.ts';
import { normalizeSpeech, speechWords } from './spoken.ts';
import { turnWordsFor } from './words/languages.ts';

export interface Asked {
  expects: Expectation;
  /** Number of digits that completes the answer; null if the question does not say. */
  digitCount: number | null;
}

export const ASKED_NOTHING: Asked = { expects: 'anything', digitCount: null };

/** @param text the agent's words so far; the last sentence decides */
export function askedFor(text: string, language: string): Asked {
  const words = turnWordsFor(language);
  const last = lastSentence(text);
  const isQuestion = last.endsWith('?');
  const spoken = `${normalizeSpeech(last)}${isQuestion ? '?' : ''}`;
  for (const [expects, pattern] of words.asks) {
    if (expects === 'yes-no' && !isQuestion) continue;
    if (pattern.test(spoken))
      return { expects, digitCount: expects === 'digits' ? digitCount(spoken, language) : null };
  }
  return ASKED_NOTHING;
}

function lastSentence(text: string): string {
  const sentences = text.trim().match(/[^.!?…]+[.!?…]*/g) ?? [];
  return (sentences.at(-1) ?? '').trim();
}

function digitCount(spoken: string, language: string): number | null {
  const words = turnWordsFor(language);
  const found = words.digitCount.exec(spoken);
  const said = found?.slice(1).find((group) => group !== undefined);
  if (said === undefined) return null;
  if (/^\d+$/.test(said)) return Number(said);
  const [word = ''] = speechWords(said);
  return words.digits[word] ?? (words.numbers[0] === word ? 10 : null);
}
