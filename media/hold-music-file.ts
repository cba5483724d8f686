// An operator's own hold music: a WAV file made fit for telephone lines.
import { HOLD_MUSIC_SECONDS } from '../db/domain/field-limits.ts';
import { frameSamples } from './frame.ts';
import { Resampler } from './resample.ts';
import { decodeWav } from './wav.ts';

/** Of the samples that are kept. */
export const HOLD_MUSIC_RATE_HZ = 16_000;

/** RMS of the music, about -30 dBFS: below the voice that speaks over it. */
const LEVEL = 1_000;
/** A quiet recording is not raised further: its noise would be heard. */
const GAIN_MAX = 4;
const PEAK_MAX = 12_000;

export class HoldMusicError extends Error {
  override readonly name = 'HoldMusicError';
}

/**
 * Mono samples of 16 bits at `HOLD_MUSIC_RATE_HZ`, whole frames of 20 ms, at an even level.
 * @throws {WavError} it is no WAV of 16-bit PCM @throws {HoldMusicError} it is too short, too long, or silent
 */
export function holdMusicOf(file: Buffer): Int16Array {
  const { sampleRateHz, channelsSamples } = decodeWav(file);
  const [first = new Int16Array(0)] = channelsSamples;
  const seconds = first.length / sampleRateHz;
  const { minimum: min, maximum: max } = HOLD_MUSIC_SECONDS;
  if (seconds < min || seconds > max)
    throw new HoldMusicError(`it lasts ${seconds.toFixed(1)} s: send ${min} to ${max} s`);
  const mono = channelsSamples.length === 1 ? first : mixed(channelsSamples, first.length);
  const converted = new Resampler(sampleRateHz, HOLD_MUSIC_RATE_HZ).convert(mono);
  const frame = frameSamples(HOLD_MUSIC_RATE_HZ);
  const samples = converted.subarray(0, converted.length - (converted.length % frame));
  return levelled(samples);
}

function mixed(channels: readonly Int16Array[], length: number): Int16Array {
  const mono = new Int16Array(length);
  for (let i = 0; i < length; i++) {
    let sum = 0;
    for (const channel of channels) sum += channel[i] ?? 0;
    mono[i] = sum / channels.length;
  }
  return mono;
}

function levelled(samples: Int16Array): Int16Array {
  let squares = 0;
  let peak = 0;
  for (const sample of samples) {
    squares += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  const level = Math.sqrt(squares / samples.length);
  if (level < 1) throw new HoldMusicError('it is silent');
  const gain = Math.min(LEVEL / level, PEAK_MAX / peak, GAIN_MAX);
  return samples.map((sample) => sample * gain);
}
