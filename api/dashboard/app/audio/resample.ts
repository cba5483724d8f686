// Resamples block by block, for browsers that use a microphone only at its own rate. Downwards each sample is the mean
// of the samples that it covers, which suppresses most aliasing; upwards it is interpolated linearly.

export class Resampler {
  readonly #ratio: number;
  #sum = 0;
  #covered = 0;
  #last = 0;
  /** Position of the next output sample between the last input sample and the next one, 0 to 1. */
  #phase = 0;

  constructor(fromHz: number, toHz: number) {
    this.#ratio = fromHz / toHz;
  }

  process(input: Float32Array): Float32Array {
    if (this.#ratio === 1) return input;
    const output = new Float32Array(Math.ceil(input.length / this.#ratio) + 1);
    const count = this.#ratio > 1 ? this.#down(input, output) : this.#up(input, output);
    return output.subarray(0, count);
  }

  #down(input: Float32Array, output: Float32Array): number {
    let count = 0;
    for (const sample of input) {
      const open = this.#ratio - this.#covered;
      if (open > 1) {
        this.#sum += sample;
        this.#covered += 1;
        continue;
      }
      output[count++] = (this.#sum + sample * open) / this.#ratio;
      this.#sum = sample * (1 - open);
      this.#covered = 1 - open;
    }
    return count;
  }

  #up(input: Float32Array, output: Float32Array): number {
    let count = 0;
    for (const sample of input) {
      for (; this.#phase < 1; this.#phase += this.#ratio) {
        output[count++] = this.#last + (sample - this.#last) * this.#phase;
      }
      this.#phase -= 1;
      this.#last = sample;
    }
    return count;
  }
}
