// From one rate to another, block by block, for browsers that take a microphone at its own rate only. Downwards each
// sample is the mean of what it covers, which keeps most of what would alias out; upwards it lies on the line between
// its neighbours.

export class Resampler {
  readonly #ratio: number;
  #sum = 0;
  #covered = 0;
  #last = 0;
  /** Where the next sample lies between the last one and the one that comes, 0 to 1. */
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
