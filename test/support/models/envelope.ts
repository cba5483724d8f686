// Compares sounds by their loudness: heard audio with a recording.
import { rms } from '../../../media/frame.ts';

const FRAME = 160;

/** Loudness in 20 ms steps, of 8 kHz samples. */
export const envelope = (samples: Int16Array): number[] =>
  Array.from({ length: Math.floor(samples.length / FRAME) }, (_, index) =>
    rms(samples.subarray(index * FRAME, (index + 1) * FRAME)),
  );

/**
 * The shift of `b` against `a` with the best correlation of the two envelopes; at least half of the shorter one must
 * overlap.
 */
export function bestMatch(a: number[], b: number[]): { correlation: number; shiftMs: number } {
  let best = { correlation: 0, shiftMs: 0 };
  const overlap = Math.ceil(Math.min(a.length, b.length) / 2);
  for (let shift = overlap - b.length; shift <= a.length - overlap; shift++) {
    let [ab, aa, bb] = [0, 0, 0];
    for (let index = Math.max(0, shift); index < Math.min(a.length, b.length + shift); index++) {
      const [x, y] = [a[index] ?? 0, b[index - shift] ?? 0];
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    const correlation = aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
    if (correlation > best.correlation) best = { correlation, shiftMs: shift * 20 };
  }
  return best;
}
