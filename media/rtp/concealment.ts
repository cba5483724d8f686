// Packet loss concealment after ITU-T G.711 Appendix I: the last pitch period is repeated, faded from 10 ms to silence
// at 60 ms, and cross-faded into the next real audio. Appendix I delays its output by 3.75 ms to smooth the first join.
// Here the join is smoothed within the concealed part, so an undisturbed stream passes bit for bit.

// Appendix I searches for a pitch between 66 and 200 Hz.
const MIN_PITCH_MS = 5;
const MAX_PITCH_MS = 15;
const CORRELATION_MS = 20;
const FULL_GAIN_MS = 10;
const FADE_END_MS = 60;
const JOIN_MS = 4;
const ENTRY_MS = 1.25;

export class Concealer {
  readonly #minPitch: number;
  readonly #maxPitch: number;
  readonly #window: number;
  readonly #fullGain: number;
  readonly #fadeEnd: number;
  readonly #join: number;
  readonly #entry: number;
  /** The newest samples heard, oldest first. */
  readonly #history: Float32Array;
  /** The pitch period that is being repeated, in its first `#periodSamples`. */
  readonly #period: Float32Array;
  #periodSamples = 0;
  #position = 0;
  /** Samples concealed since the last real one. */
  #concealed = 0;
  #entryOffset = 0;

  constructor(sampleRateHz: number) {
    const samples = (ms: number) => Math.round((ms * sampleRateHz) / 1000);
    this.#minPitch = samples(MIN_PITCH_MS);
    this.#maxPitch = samples(MAX_PITCH_MS);
    this.#window = samples(CORRELATION_MS);
    this.#fullGain = samples(FULL_GAIN_MS);
    this.#fadeEnd = samples(FADE_END_MS);
    this.#join = samples(JOIN_MS);
    this.#entry = samples(ENTRY_MS);
    this.#history = new Float32Array(this.#window + this.#maxPitch * 2);
    this.#period = new Float32Array(this.#maxPitch);
  }

  /** Whether the concealment has faded to silence. */
  get faded(): boolean {
    return this.#concealed >= this.#fadeEnd;
  }

  /** Takes real samples `out[from, to)`: cross-fades them with a running concealment, and remembers them. */
  real(out: Int16Array, from: number, to: number): void {
    if (this.#concealed > 0 && this.#concealed < this.#fadeEnd) {
      const count = Math.min(this.#join, to - from);
      for (let i = 0; i < count; i++) {
        const weight = (i + 1) / (count + 1);
        out[from + i] = Math.round((out[from + i] as number) * weight + this.#next() * (1 - weight));
      }
    }
    this.#concealed = 0;
    this.#remember(out, from, to);
  }

  /**
   * Fills `out[from, to)` with intended silence (comfort noise, a pause between talk spurts). Concealment never repeats
   * it.
   */
  silence(out: Int16Array, from: number, to: number): void {
    out.fill(0, from, to);
    this.#concealed = this.#fadeEnd;
    this.#history.fill(0);
  }

  /** Fills `out[from, to)` with concealment for lost samples. */
  conceal(out: Int16Array, from: number, to: number): void {
    if (this.#concealed === 0) this.#findPeriod();
    for (let i = from; i < to; i++) out[i] = Math.round(this.#next());
  }

  #next(): number {
    if (this.#concealed >= this.#fadeEnd || this.#periodSamples === 0) {
      this.#concealed++;
      return 0;
    }
    let value = this.#period[this.#position] as number;
    if (this.#concealed < this.#entry) value += this.#entryOffset * (1 - this.#concealed / this.#entry);
    this.#position = this.#position + 1 === this.#periodSamples ? 0 : this.#position + 1;
    const gain =
      this.#concealed < this.#fullGain ? 1 : 1 - (this.#concealed - this.#fullGain) / (this.#fadeEnd - this.#fullGain);
    this.#concealed++;
    const scaled = value * gain;
    return scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : scaled;
  }

  #remember(out: Int16Array, from: number, to: number): void {
    const history = this.#history;
    const count = to - from;
    if (count >= history.length) {
      for (let i = 0; i < history.length; i++) history[i] = out[to - history.length + i] as number;
      return;
    }
    history.copyWithin(0, count);
    for (let i = 0; i < count; i++) history[history.length - count + i] = out[from + i] as number;
  }

  // Normalised cross-correlation of the newest 20 ms with the samples one candidate period earlier.
  #findPeriod(): void {
    const history = this.#history;
    const end = history.length;
    const start = end - this.#window;
    let best = -1;
    let bestLag = this.#maxPitch;
    for (let lag = this.#minPitch; lag <= this.#maxPitch; lag++) {
      let product = 0;
      let energy = 0;
      for (let i = start; i < end; i++) {
        const earlier = history[i - lag] as number;
        product += (history[i] as number) * earlier;
        energy += earlier * earlier;
      }
      const score = energy > 0 && product > 0 ? product / Math.sqrt(energy) : 0;
      if (score > best) {
        best = score;
        bestLag = lag;
      }
    }
    this.#periodSamples = bestLag;
    this.#position = 0;
    const overlap = bestLag >> 2;
    for (let i = 0; i < bestLag; i++) {
      let value = history[end - bestLag + i] as number;
      const intoTail = i - (bestLag - overlap);
      if (intoTail >= 0) {
        // The period's tail is blended into the samples before its head, so that the repetition has no edge.
        const weight = (intoTail + 1) / (overlap + 1);
        value = value * (1 - weight) + (history[end - 2 * bestLag + i] as number) * weight;
      }
      this.#period[i] = value;
    }
    const last = history[end - 1] as number;
    const before = history[end - bestLag - 1] as number;
    this.#entryOffset = last - before;
  }
}
