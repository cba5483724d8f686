// A floor of noise under what the decoders hear. Many far sides send zeros between words; the spectrum of these is
// bottomless and pulls the mean down that the decoder subtracts: measured by its phones, "hello" before 0.6 s of zeros
// had a likelihood of 0.01, with the noise 0.46.

/** Peak of the noise: -69 dBFS. It changes nothing on a line that has noise of its own. */
const NOISE_PEAK = 12;

/** Of one utterance: the same noise each time, triangular. */
export class NoiseFloor {
  #seed = 1;

  under(samples: Int16Array): Int16Array {
    return samples.map((sample) => {
      const noisy = sample + Math.round((this.#random() + this.#random() - 1) * NOISE_PEAK);
      return Math.max(-32_768, Math.min(32_767, noisy));
    });
  }

  #random(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed / 2 ** 32;
  }
}
