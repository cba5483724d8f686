// The audio of somebody whose socket another thread has: their microphone comes through a ring in shared memory, PCM16
// mono at 16 kHz. Nothing goes back to them here: they hear the call as its listeners do.
import { samplesToBytes } from '../frame.ts';
import { SampleRing } from '../ring.ts';
import type { FrameKind } from '../rtp/jitter-buffer.ts';
import { SocketTransport } from './socket-transport.ts';

const RATE_HZ = 16_000;
/** 0.5 s. */
const RING_SAMPLES = 8_192;

export const createMicrophoneRing = (): SharedArrayBuffer => SampleRing.create(RING_SAMPLES).shared;

export class RingTransport extends SocketTransport {
  readonly #ring: SampleRing;

  /** `memory`: of `createMicrophoneRing`. `now`: any monotonic clock, ms. */
  constructor(memory: SharedArrayBuffer, now: () => number) {
    super(RATE_HZ, now);
    this.#ring = new SampleRing(memory);
  }

  override pull(out: Int16Array): FrameKind {
    const { available } = this.#ring;
    if (available > 0) {
      const fresh = new Int16Array(available);
      this.#ring.read(fresh);
      this.receive(samplesToBytes(fresh));
    }
    return super.pull(out);
  }

  /** Nobody is told here. */
  override sendText(): void {}
}
