// Music for a caller who waits: a quiet sequence of soft tones, made here, so that nobody's rights are touched. One
// tone at a time, without vibrato: it is neither a voice nor a pair of tones that a key could be taken for. Or an
// operator's own (hold-music-file.ts).
import { frameSamples } from './frame.ts';
import { HOLD_MUSIC_RATE_HZ } from './hold-music-file.ts';
import { Resampler } from './resample.ts';

/** Peak of a tone, about -31 dBFS: below a voice, above the noise of a line. */
const PEAK = 900;
const NOTE_MS = 800;
/** E major, broken upwards and down again, with a rest at the end; Hz, 0 for silence. */
const NOTES_HZ = [329.63, 415.3, 493.88, 415.3, 329.63, 369.99, 440, 369.99, 0, 0];
/** From silence to full level, so that it begins softly. */
const FADE_MS = 600;
/** The agent has been silent for so long before the music goes on: not in the gaps between its words. */
const AFTER_SPEECH_MS = 1_200;

const loops = new Map<number, Int16Array>();

/** The whole sequence at a rate, made once for all calls: 16-bit samples, mono. */
function loopAt(sampleRateHz: number): Int16Array {
  const known = loops.get(sampleRateHz);
  if (known !== undefined) return known;
  const noteSamples = (NOTE_MS * sampleRateHz) / 1000;
  const loop = new Int16Array(noteSamples * NOTES_HZ.length);
  for (const [index, hz] of NOTES_HZ.entries()) {
    for (let i = 0; hz > 0 && i < noteSamples; i++) {
      const phase = (2 * Math.PI * hz * i) / sampleRateHz;
      // Rises within 40 ms, and dies away like a struck bar.
      const level = Math.min(1, i / (0.04 * sampleRateHz)) * Math.sin(Math.PI * (1 - i / noteSamples) * 0.5);
      loop[index * noteSamples + i] = Math.round(PEAK * level * (Math.sin(phase) + 0.2 * Math.sin(2 * phase)));
    }
  }
  loops.set(sampleRateHz, loop);
  return loop;
}

/** Gives the next 20 ms of a loop at another rate. */
class OwnLoop {
  readonly #samples: Int16Array;
  readonly #convert: Resampler;
  #at = 0;

  constructor(samples: Int16Array, sampleRateHz: number) {
    this.#samples = samples;
    this.#convert = new Resampler(HOLD_MUSIC_RATE_HZ, sampleRateHz);
  }

  next(): Int16Array {
    const length = frameSamples(HOLD_MUSIC_RATE_HZ);
    const frame = this.#samples.subarray(this.#at, this.#at + length);
    this.#at = (this.#at + length) % this.#samples.length;
    return this.#convert.convert(frame);
  }
}

export class HoldMusic {
  readonly #loop: Int16Array;
  readonly #own: OwnLoop | null;
  readonly #fadeSamples: number;
  readonly #restSamples: number;
  #at = 0;
  /** Samples since it began, or began again; below zero while the agent has just spoken. */
  #since = 0;

  /** `own`: whole frames of 16-bit samples at `HOLD_MUSIC_RATE_HZ`; null: ours. */
  constructor(sampleRateHz: number, own: Int16Array | null = null) {
    this.#own = own && new OwnLoop(own, sampleRateHz);
    this.#loop = loopAt(sampleRateHz);
    this.#fadeSamples = (FADE_MS * sampleRateHz) / 1000;
    this.#restSamples = (AFTER_SPEECH_MS * sampleRateHz) / 1000;
  }

  /** The agent speaks in this frame: there is no music for a while. */
  rest(): void {
    this.#since = -this.#restSamples;
  }

  /** Writes the next 20 ms over a frame of silence. */
  fill(frame: Int16Array): void {
    const { length } = frame;
    if (this.#since + length <= 0) {
      this.#since += length;
      return;
    }
    const own = this.#own?.next();
    for (let i = 0; i < length; i++) {
      const gain = Math.max(0, Math.min(1, this.#since++ / this.#fadeSamples));
      frame[i] = (own ? (own[i] ?? 0) : (this.#loop[this.#at++] ?? 0)) * gain;
      if (this.#at === this.#loop.length) this.#at = 0;
    }
  }
}
