// Words with times from the tokens of a result. A token is a part of a word and has the time of its emission.
import type { SherpaResult } from '../../sherpa/addon.ts';
import type { SttWord } from '../stt.ts';

/** Assumed length of the last token: no next one marks its end. */
const LAST_TOKEN_MS = 200;

export function wordsOf({ tokens = [], timestamps = [], ys_probs: logProbabilities = [] }: SherpaResult): SttWord[] {
  if (tokens.length === 0 || tokens.length !== timestamps.length) return [];
  const words: SttWord[] = [];
  for (const [index, token] of tokens.entries()) {
    const startMs = Math.round((timestamps[index] ?? 0) * 1_000);
    const nextMs = timestamps[index + 1];
    const endMs = nextMs === undefined ? startMs + LAST_TOKEN_MS : Math.round(nextMs * 1_000);
    const confidence = Math.min(1, Math.exp(logProbabilities[index] ?? 0));
    const last = words.at(-1);
    const piece = token.replace(/^[ ▁]/, '');
    if (last === undefined || piece !== token) words.push({ text: piece, startMs, endMs, confidence });
    else {
      last.text += piece;
      last.endMs = endMs;
      last.confidence = Math.min(last.confidence, confidence);
    }
  }
  return words.filter(({ text }) => text !== '');
}
