// What listeners of a call hear, written by the call's shard into a ring in shared memory, which the shard with the
// door empties: both sides at 16 kHz, the caller's sample before the agent's. Two conversions of the rate a call,
// however many listen; no message between the threads.
import { frameSamples } from '../../media/frame.ts';
import { RateDoubler } from '../../media/rate-doubler.ts';
import { Resampler } from '../../media/resample.ts';
import { SampleRing } from '../../media/ring.ts';

export const LISTEN_RATE_HZ = 16_000;
/** Of both channels together, in 20 ms. */
export const LISTEN_FRAME_SAMPLES = 2 * frameSamples(LISTEN_RATE_HZ);
/** 0.5 s: the door looks every 20 ms. A ring that is full takes nothing more. */
const RING_SAMPLES = 16_384;

export const createListenRing = (): SharedArrayBuffer => SampleRing.create(RING_SAMPLES).shared;

interface Converter {
  convert(block: Int16Array): Int16Array;
}

export class ListenTap {
  readonly #ring: SampleRing;
  /** Null where the call has the listeners' rate. */
  readonly #up: { caller: Converter; agent: Converter } | null;
  readonly #silence: Int16Array;
  readonly #both = new Int16Array(LISTEN_FRAME_SAMPLES + 16);

  constructor(memory: SharedArrayBuffer, sampleRateHz: number) {
    this.#ring = new SampleRing(memory);
    const up = (): Converter =>
      2 * sampleRateHz === LISTEN_RATE_HZ ? new RateDoubler() : new Resampler(sampleRateHz, LISTEN_RATE_HZ);
    this.#up = sampleRateHz === LISTEN_RATE_HZ ? null : { caller: up(), agent: up() };
    this.#silence = new Int16Array(frameSamples(sampleRateHz));
  }

  /** One frame of each side at the call's rate; `agent` null: silence. */
  write(caller: Int16Array, agent: Int16Array | null): void {
    const left = this.#up ? this.#up.caller.convert(caller) : caller;
    const right = this.#up ? this.#up.agent.convert(agent ?? this.#silence) : (agent ?? this.#silence);
    const count = Math.min(left.length, right.length);
    const both = this.#both.length >= 2 * count ? this.#both.subarray(0, 2 * count) : new Int16Array(2 * count);
    for (let i = 0; i < count; i++) {
      both[2 * i] = left[i] as number;
      both[2 * i + 1] = right[i] as number;
    }
    this.#ring.write(both);
  }
}
