// Tones by which two ends of a call recognise each other: made, and found again in what was heard.
import { rms } from '../../../media/frame.ts';

const RATE_HZ = 8_000;

/** PCM16 mono: the sum of sines at `frequenciesHz`, each with `amplitude`. */
export function tone(
  frequenciesHz: readonly number[],
  ms: number,
  amplitude = 8_000,
  sampleRateHz = RATE_HZ,
): Int16Array {
  const samples = new Int16Array((ms * sampleRateHz) / 1_000);
  for (let n = 0; n < samples.length; n++) {
    let sum = 0;
    for (const frequency of frequenciesHz) sum += Math.sin((2 * Math.PI * frequency * n) / sampleRateHz);
    samples[n] = Math.round(amplitude * sum);
  }
  return samples;
}

/** Share of a frame's energy at `hz` (Goertzel). */
function shareOf(hz: number, samples: Int16Array, sampleRateHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz);
  let [s1, s2, energy] = [0, 0, 0];
  for (const sample of samples) {
    const s0 = sample + coefficient * s1 - s2;
    s2 = s1;
    s1 = s0;
    energy += sample * sample;
  }
  return energy === 0 ? 0 : (s1 * s1 + s2 * s2 - coefficient * s1 * s2) / ((energy * samples.length) / 2);
}

export const isTone = (hz: number, samples: Int16Array, sampleRateHz = RATE_HZ): boolean =>
  rms(samples) > 500 && shareOf(hz, samples, sampleRateHz) > 0.8;
