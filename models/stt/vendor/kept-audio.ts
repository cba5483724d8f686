// The audio of one open utterance, kept so that it can be sent again when a connection is replaced.

export class KeptAudio {
  readonly #maxSamples: number;
  #pieces: Int16Array[] = [];
  #samples = 0;

  /** Beyond `maxMs` the oldest audio is dropped. */
  constructor(sampleRateHz: number, maxMs: number) {
    this.#maxSamples = (sampleRateHz * maxMs) / 1_000;
  }

  get samples(): number {
    return this.#samples;
  }

  get pieces(): readonly Int16Array[] {
    return this.#pieces;
  }

  add(samples: Int16Array): void {
    this.#pieces.push(samples);
    this.#samples += samples.length;
    while (this.#samples > this.#maxSamples) this.#samples -= this.#pieces.shift()?.length ?? this.#samples;
  }

  clear(): void {
    this.#pieces = [];
    this.#samples = 0;
  }
}
