// The audio of a session between a call's rate and the vendor's, as PCM16 in little-endian bytes.
import { Resampler } from '../../media/resample.ts';

/** Differences of rounding between what was sent to the vendor and what was played: less is none. */
export const WHOLE_WITHIN_MS = 60;

/** One stream of audio from one rate to another; a new one begins from silence. */
export class RateStream {
  readonly #resampler: Resampler | null;
  /** A chunk may cut a sample in two. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(fromHz: number, toHz: number) {
    this.#resampler = fromHz === toHz ? null : new Resampler(fromHz, toHz);
  }

  take(samples: Int16Array): Int16Array {
    if (this.#resampler === null) return samples;
    const out = new Int16Array(this.#resampler.maxOutput(samples.length));
    return out.slice(0, this.#resampler.process(samples, out));
  }

  takeBytes(chunk: Buffer): Int16Array {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const samples = new Int16Array(bytes.length >> 1);
    for (let n = 0; n < samples.length; n++) samples[n] = bytes.readInt16LE(n * 2);
    this.#rest = bytes.subarray(samples.length * 2);
    return this.take(samples);
  }

  /** The samples that the filter still holds. */
  end(): Int16Array {
    return this.#resampler ? this.take(new Int16Array(this.#resampler.delayInputSamples)) : new Int16Array(0);
  }
}

export function base64Of(samples: Int16Array): string {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64');
}
