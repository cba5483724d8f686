// When each word of a recording was said, where nobody marked it: words are shared out over the stretches of sound
// between pauses, so that each stretch has as many letters as fits its length, and within a stretch by their letters. A
// pause is never inside a word. It is exact where a pause is long, which is where it matters.
import type { ScriptedWord } from '../rig/conversation/script.ts';

/** Frames of 20 ms without sound that part two stretches. */
const STRETCH_GAP_FRAMES = 12;

interface Stretch {
  from: number;
  /** Excluded. */
  to: number;
  /** Frames that sound. */
  length: number;
}

/** @param sounding frames of 20 ms that sound, in order */
export function alignWords(text: string, sounding: readonly number[]): ScriptedWord[] {
  const words = text.split(/\s+/).filter(Boolean);
  const stretches = stretchesOf(sounding);
  if (words.length === 0 || stretches.length === 0) return [];
  const counts = shareOut(words.map(weightOf), stretches);
  let next = 0;
  return stretches.flatMap((stretch, index) => {
    const own = words.slice(next, next + (counts[index] ?? 0));
    next += own.length;
    return within(own, stretch);
  });
}

/** A word takes about as long as it has letters, and a little for its beginning. */
const weightOf = (word: string): number => word.length + 2;

function stretchesOf(sounding: readonly number[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const frame of sounding) {
    const last = stretches.at(-1);
    if (last === undefined || frame - last.to >= STRETCH_GAP_FRAMES) {
      stretches.push({ from: frame, to: frame + 1, length: 1 });
    } else {
      last.to = frame + 1;
      last.length++;
    }
  }
  return stretches;
}

/**
 * How many words each stretch gets, in order: the sharing with the least squared difference between a stretch's share
 * of the sound and of the letters. A stretch may get none: a breath or a click.
 */
function shareOut(weights: readonly number[], stretches: readonly Stretch[]): number[] {
  const letters = weights.reduce((sum, weight) => sum + weight, 0);
  const sound = stretches.reduce((sum, { length }) => sum + length, 0);
  const upTo = [0];
  for (const weight of weights) upTo.push((upTo.at(-1) ?? 0) + weight);
  /** By the number of words given away: the least cost, and the counts so far. */
  let best = new Map<number, { cost: number; counts: number[] }>([[0, { cost: 0, counts: [] }]]);
  for (const { length } of stretches) {
    const then = new Map<number, { cost: number; counts: number[] }>();
    for (const [given, { cost, counts }] of best)
      for (let until = given; until <= weights.length; until++) {
        const share = ((upTo[until] ?? 0) - (upTo[given] ?? 0)) / letters;
        const total = cost + (share - length / sound) ** 2;
        if (total < (then.get(until)?.cost ?? Number.POSITIVE_INFINITY))
          then.set(until, { cost: total, counts: [...counts, until - given] });
      }
    best = then;
  }
  return best.get(weights.length)?.counts ?? [];
}

function within(words: readonly string[], { from, to }: Stretch): ScriptedWord[] {
  const letters = words.reduce((sum, word) => sum + weightOf(word), 0);
  let before = 0;
  return words.map((text) => {
    const start = from + Math.round(((to - from) * before) / letters);
    before += weightOf(text);
    return { text, from: start, to: Math.max(start + 1, from + Math.round(((to - from) * before) / letters)) };
  });
}
