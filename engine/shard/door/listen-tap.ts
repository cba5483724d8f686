// Both sides of a call for its listeners, written by the call's shard into a ring in shared memory, which the shard
// with the door empties: at 16 kHz, the caller's sample before the agent's. Two conversions of the rate a call, however
// many listen; no message between the threads.
import { frameSamples } from '../../../media/frame.ts';
import { RateDoubler } from '../../../media/rate-doubler.ts';
import { SampleRing } from '../../../media/ring.ts';

const LISTEN_RATE_HZ = 16_000;
/** Of both channels together, in 20 ms. */
export const LISTEN_FRAME_SAMPLES = 2 * frameSamples(LISTEN_RATE_HZ);
/** 0.5 s: the door looks every 20 ms. A ring that is full takes nothing more. */
const RING_SAMPLES = 16_384;

export const createListenRing = (): SharedArrayBuffer => SampleRing.create(RING_SAMPLES).shared;

/** Puts one side between the other one's samples. */
interface Side {
  interleave(block: Int16Array, out: Int16Array, offset: 0 | 1): void;
}

const SIDES: Record<number, () => Side> = {
  [LISTEN_RATE_HZ / 2]: () => new RateDoubler(),
  [LISTEN_RATE_HZ]: () => ({
    interleave(block, out, offset) {
      for (let i = 0; i < block.length; i++) out[2 * i + offset] = block[i] as number;
    },
  }),
};

export class ListenTap {
  readonly #ring: SampleRing;
  readonly #caller: Side;
  readonly #agent: Side;
  readonly #silence: Int16Array;
  readonly #both = new Int16Array(LISTEN_FRAME_SAMPLES);

  /** @throws {RangeError} for a rate that no line has */
  constructor(memory: SharedArrayBuffer, sampleRateHz: number) {
    const side = SIDES[sampleRateHz];
    if (side === undefined) throw new RangeError(`nobody can listen to a line at ${sampleRateHz} Hz`);
    this.#ring = new SampleRing(memory);
    this.#caller = side();
    this.#agent = side();
    this.#silence = new Int16Array(frameSamples(sampleRateHz));
  }

  /** One frame of each side at the call's rate; `agent` null: silence. */
  write(caller: Int16Array, agent: Int16Array | null): void {
    this.#caller.interleave(caller, this.#both, 0);
    this.#agent.interleave(agent ?? this.#silence, this.#both, 1);
    this.#ring.write(this.#both);
  }
}
