// Rests between the groups of a number and the letters of a code. The voice leaves 0.13 s there, in which a listener
// joins "C, L, M" to a word, and nobody can write along. What is long enough stays as it is.
import { joinSamples } from '../../../media/frame.ts';

const REST = 'pau';

/**
 * @param samples as the voice has rendered them @param printed the sounds that they consist of
 * @param leastMs of each rest between two words
 */
export function withRests(samples: Int16Array, printed: string, rateHz: number, leastMs: number): Int16Array {
  const ends = soundsOf(printed).map(({ sound, endS }) => ({ sound, end: Math.round(endS * rateHz) }));
  const least = Math.round((leastMs * rateHz) / 1_000);
  const parts: Int16Array[] = [];
  let taken = 0;
  for (let index = 1; index < ends.length - 1; index++) {
    const [start, { sound, end }] = [ends[index - 1]?.end ?? 0, ends[index] ?? { sound: '', end: 0 }];
    if (sound !== REST || end - start >= least) continue;
    const middle = (start + end) >> 1;
    parts.push(samples.subarray(taken, middle), new Int16Array(least - (end - start)));
    taken = middle;
  }
  return parts.length === 0 ? samples : joinSamples([...parts, samples.subarray(taken)]);
}

/** As `-psdur` prints them: `pau:0.2 hh:0.27 …`, each with its end. */
const soundsOf = (printed: string): Array<{ sound: string; endS: number }> =>
  printed
    .split(/\s/)
    .map((word) => word.split(':'))
    .map(([sound = '', end = '']) => ({ sound, endS: Number.parseFloat(end) }))
    .filter(({ endS }) => !Number.isNaN(endS));
