// Keeps the silence behind a caller's words from the decoder while many callers speak: decoding it costs as much as
// decoding words, and those who have finished wait for it. Where the caller goes on, the decoder gets it after all, so
// that it hears the same sound as without this.
import { joinSamples } from '../../../media/frame.ts';

/** Beside the loudest block; the weakest ends of words are louder. */
const QUIET_SHARE = 0.01;
/** 300 ms at 8 kHz: the decoder finds the end of a word in the silence behind it. */
const KEPT_SAMPLES = 2_400;

export class QuietEnd {
  #loudest = 0;
  #quietSamples = 0;
  #withheld: Int16Array[] = [];

  reset(): void {
    this.#loudest = 0;
    this.#quietSamples = 0;
    this.#withheld = [];
  }

  /** Takes a block of PCM16; returns all that is to be decoded now, or null. */
  take(block: Int16Array): Int16Array | null {
    const loudness = rms(block);
    this.#loudest = Math.max(this.#loudest, loudness);
    // Before the first word nothing is known of its loudness.
    const isQuiet = loudness < this.#loudest * QUIET_SHARE;
    if (!isQuiet) return this.sound(block);
    this.#quietSamples += block.length;
    if (this.#quietSamples <= KEPT_SAMPLES) return block;
    this.#withheld.push(block.slice());
    return null;
  }

  /** As `take`, of what is to be decoded however quiet it is. */
  sound(block: Int16Array): Int16Array {
    this.#quietSamples = 0;
    const withheld = this.#withheld.splice(0);
    return withheld.length === 0 ? block : joinSamples([...withheld, block]);
  }
}

function rms(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return Math.sqrt(energy / Math.max(1, samples.length));
}
