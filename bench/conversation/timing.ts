// The positions of a text's words in its audio.
import type { ScriptedWord } from '../rig/conversation/script.ts';

/** Spreads the words over the frames by their length, which is close to real speech. */
export function wordsOf(text: string, frames: number): ScriptedWord[] {
  const words = text.split(/\s+/).filter(Boolean);
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  let letters = 0;
  return words.map((word) => {
    const from = Math.round((letters / total) * frames);
    letters += word.length + 1;
    return { text: word, from, to: Math.max(from + 1, Math.round((letters / total) * frames)) };
  });
}
