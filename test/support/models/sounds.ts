// Sounds for tests: speech by the built-in voices, tones, noises. All seeded, so a test hears the same each time.

import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples } from '../../../media/frame.ts';
import { FliteTts } from '../../../models/tts/flite/flite.ts';

let flite: FliteTts | null = null;

/** PCM16 mono of `text`, with `leadMs` of silence before and `tailMs` after it. */
export async function say(
  text: string,
  { voiceId = 'flite-slt', sampleRateHz = 8_000, speed = 1, leadMs = 100, tailMs = 200 } = {},
): Promise<Int16Array> {
  flite ??= new FliteTts();
  const pieces: Int16Array[] = [new Int16Array((leadMs * sampleRateHz) / 1_000)];
  const { signal } = new AbortController();
  await flite.speak(
    { text, voiceId, speed, pace: 'talk', sampleRateHz },
    { signal, onAudio: (samples) => pieces.push(samples) },
  );
  pieces.push(new Int16Array((tailMs * sampleRateHz) / 1_000));
  return joinSamples(pieces);
}

export function silence(ms: number, sampleRateHz = 8_000): Int16Array {
  return new Int16Array((ms * sampleRateHz) / 1_000);
}

/** White noise, uniform within ± `amplitude`. */
export function noise(ms: number, amplitude: number, seed = 1): Int16Array {
  const samples = silence(ms);
  const random = seededRandom(seed);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.round((random() * 2 - 1) * amplitude);
  return samples;
}

/** `base` with `added` on top, looped to the length of `base`. */
export function mix(base: Int16Array, added: Int16Array): Int16Array {
  return base.map((sample, n) => Math.max(-32_768, Math.min(32_767, sample + (added[n % added.length] ?? 0))));
}

/** Levenshtein distance over words, as a share of the reference's words. */
export function wordErrorRate(reference: string, heard: string): number {
  const a = reference.split(' ').filter(Boolean);
  const b = heard.split(' ').filter(Boolean);
  let row = b.map((_, index) => index + 1);
  row.unshift(0);
  a.forEach((word, i) => {
    const next = [i + 1];
    b.forEach((other, j) => {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (word === other ? 0 : 1)));
    });
    row = next;
  });
  return (row.at(-1) ?? 0) / Math.max(1, a.length);
}
