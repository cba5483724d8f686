// Brings the voices of different engines to one loudness. A voice's level is measured over its voiced blocks so far, so
// the gain settles within the first sentence and then hardly moves. flite.ts levels flite's voices.
import type { SpeechRequest, TtsEngine } from '../tts.ts';

/** RMS of voiced speech: -19 dBFS, as in the built-in voices. */
const TARGET_RMS = 32_768 * 10 ** (-19 / 20);
/** Quieter blocks are pauses: -50 dBFS. */
const VOICED_RMS = 32_768 * 10 ** (-50 / 20);
/** -1 dBFS. */
export const PEAK_LIMIT = 29_200;
const MAX_GAIN = 6;
const MIN_GAIN = 0.2;
const BLOCK_MS = 20;
/** Voiced speech after which a voice's measured level is trusted, and beyond which the oldest is forgotten. */
const TRUSTED_MS = 300;
const REMEMBERED_MS = 60_000;

interface VoiceLevel {
  /** Sum of the mean squares of voiced blocks. */
  energy: number;
  blocks: number;
  gain: number;
}

export class VoiceLevels {
  readonly #levels = new Map<string, VoiceLevel>();

  /** Changes the samples of a remote or downloaded voice; the same array is returned. */
  level(
    engine: Pick<TtsEngine, 'name' | 'speaksAnyVoice'>,
    request: Pick<SpeechRequest, 'voiceId' | 'sampleRateHz'>,
    samples: Int16Array,
  ): Int16Array {
    if (engine.name === 'flite' || engine.speaksAnyVoice) return samples;
    const key = `${request.voiceId} ${request.sampleRateHz}`;
    const known = this.#levels.get(key) ?? { energy: 0, blocks: 0, gain: 1 };
    this.#levels.set(key, known);
    measure(known, samples, Math.round((request.sampleRateHz * BLOCK_MS) / 1_000));
    const wanted = known.blocks * BLOCK_MS < TRUSTED_MS ? known.gain : gainFor(known);
    known.gain = applyGain(samples, known.gain, wanted);
    return samples;
  }
}

function measure(level: VoiceLevel, samples: Int16Array, block: number): void {
  for (let at = 0; at + block <= samples.length; at += block) {
    let energy = 0;
    for (let n = at; n < at + block; n++) energy += (samples[n] ?? 0) ** 2;
    energy /= block;
    if (energy < VOICED_RMS ** 2) continue;
    level.energy += energy;
    level.blocks++;
  }
  const excess = (level.blocks * BLOCK_MS) / REMEMBERED_MS;
  if (excess > 1) {
    level.energy /= excess;
    level.blocks /= excess;
  }
}

function gainFor({ energy, blocks }: VoiceLevel): number {
  return Math.min(MAX_GAIN, Math.max(MIN_GAIN, TARGET_RMS / Math.sqrt(energy / blocks)));
}

/**
 * Moves from one gain to the other over the samples, lower if the peak would clip. Returns the gain at their end.
 */
function applyGain(samples: Int16Array, from: number, to: number): number {
  let peak = 1;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const limit = PEAK_LIMIT / peak;
  const [start, end] = [Math.min(from, limit), Math.min(to, limit)];
  if (start === 1 && end === 1) return to;
  const step = (end - start) / Math.max(1, samples.length);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.round((samples[n] ?? 0) * (start + step * n));
  return to;
}
