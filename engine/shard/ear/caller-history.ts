// The caller's last 2 s on the call's clock (more if a model wants whole turns), and how much of it is released to the
// recogniser. Missing packets are concealed, and audio after them is held back: packets that the network delivers after
// a stall replace the concealment, so that the recogniser gets the words whole and in order, only later. Recording and
// VAD heard the concealment.
//
//   written ──────────────► gap (missing) ──► written      late audio fills the gap from its start; it is
//                 settled ──┘                     └── end  given up 100 ms after its end, or when it is 2 s old
import type { LateArrivals, LateAudio } from '../../../media/rtp/jitter-buffer.ts';

/** Samples `from` to `to` on the call's clock. */
interface Stretch {
  from: number;
  to: number;
}

const HISTORY_MS = 2000;
/** Reordered packets have all arrived after this time. */
const SETTLE_MS = 100;
/** Speech that begins this shortly after late audio may have begun in it. */
const LATE_LEAD_MS = 500;
/** Late audio no further apart is of one burst. */
const BURST_MS = 1000;
/** The VAD's last window ends 1-55 ms (p50 32) after the speech; its last sound, as found here, 1-16 ms before. */
const MAX_HANGOVER_MS = 96;
const SOUND_BLOCK_MS = 4;
const PEAK_MS = 200;
/** At 25 dB below the loudest block a sound has ended. In noise no such block exists, and the window's end is used. */
const DIED_AWAY = 10 ** -2.5;
/** Bounds the lists below; a line with more gaps in 2 s carries no usable speech. */
const MAX_STRETCHES = 64;

export class CallerHistory {
  readonly #rate: number;
  /** How far back late audio and utterances reach, samples. */
  readonly #reach: number;
  /** Sample n of the call is stored at n modulo the length. */
  readonly #ring: Int16Array;
  #end = 0;
  /** Where this shard's audio begins. */
  #start = 0;
  /** Missing stretches that may still arrive, oldest first. */
  #gaps: Stretch[] = [];
  /** Concealment beyond the caller's time: the stream was played later from there on. */
  #stretched: Stretch[] = [];
  /** The newest late audio; null before the first. */
  #late: Stretch | null = null;

  /** `keptMs`: at least 2 s. */
  constructor(sampleRateHz: number, keptMs = HISTORY_MS) {
    this.#rate = sampleRateHz;
    this.#reach = (sampleRateHz * HISTORY_MS) / 1000;
    this.#ring = new Int16Array((sampleRateHz * keptMs) / 1000);
  }

  /** The position of the next frame. */
  get end(): number {
    return this.#end;
  }

  /** The oldest sample of the last 2 s. */
  get oldest(): number {
    return Math.max(this.#start, this.#end - this.#reach);
  }

  get oldestKept(): number {
    return Math.max(this.#start, this.#end - this.#ring.length);
  }

  /** Audio before this position will not change any more. */
  get settledTo(): number {
    return this.#gaps[0]?.from ?? this.#end;
  }

  start(position: number): void {
    this.#start = position;
    this.#end = position;
  }

  /** Appends a frame. `missing`: it is concealment, at least at its end. */
  write(frame: Int16Array, missing: boolean): void {
    this.#ring.set(frame, this.#end % this.#ring.length);
    const last = this.#gaps.at(-1);
    if (missing && last?.to === this.#end) last.to += frame.length;
    else if (missing) keep(this.#gaps, { from: this.#end, to: this.#end + frame.length });
    this.#end += frame.length;
    this.#settle();
  }

  /** Inserts late audio at its position. To be called before the next frame is written. */
  receive({ audio, rewound }: LateArrivals): void {
    for (const each of audio) this.#patch(each);
    if (rewound === 0) return;
    const from = Math.max(this.oldest, this.#end - rewound);
    keep(this.#stretched, { from, to: this.#end });
    this.#gaps = this.#gaps.map((gap) => ({ ...gap, to: Math.min(gap.to, from) })).filter(({ from, to }) => from < to);
  }

  /** Start of an utterance whose first voice, lead included, was at `position`. */
  onset(position: number): number {
    const late = this.#late;
    const nearMs = late === null ? Number.POSITIVE_INFINITY : ((position - late.to) * 1000) / this.#rate;
    return late !== null && nearMs <= LATE_LEAD_MS ? Math.min(position, late.from) : position;
  }

  /** A copy of the caller's audio from `from` to `to`. */
  read(from: number, to: number): Int16Array {
    const samples = new Int16Array(to - from);
    let count = 0;
    let at = from;
    const skipped = this.#stretched.filter((stretch) => stretch.to > from && stretch.from < to);
    for (const { from: until, to: next } of [...skipped, { from: to, to }]) {
      const length = Math.max(0, until - at);
      this.#copy(at, samples.subarray(count, count + length));
      count += length;
      at = Math.max(at, next);
    }
    return count === samples.length ? samples : samples.slice(0, count);
  }

  /** Mean square of the samples from `from` to `to`, 1 = full scale; null if they are no longer kept. */
  power(from: number, to: number): number | null {
    if (from < this.#end - this.#ring.length || to > this.#end) return null;
    const ring = this.#ring;
    let index = from % ring.length;
    let sum = 0;
    for (let at = from; at < to; at++) {
      const sample = ring[index] as number;
      sum += sample * sample;
      if (++index === ring.length) index = 0;
    }
    return sum / (to - from) / 32_768 ** 2;
  }

  /** Share of the power in the upper half of the band, 0..1; 0 if the samples are no longer kept. */
  sharpness(from: number, to: number): number {
    if (from < this.#end - this.#ring.length || to > this.#end) return 0;
    const ring = this.#ring;
    let index = from % ring.length;
    let before = ring[index] as number;
    let sum = 0;
    let change = 0;
    for (let at = from + 1; at < to; at++) {
      if (++index === ring.length) index = 0;
      const sample = ring[index] as number;
      sum += sample * sample;
      change += (sample - before) * (sample - before);
      before = sample;
    }
    // The difference of neighbours has a gain of 0 at 0 Hz, 2 in the middle of the band, 4 at its end.
    return sum > 0 ? Math.min(1, change / (4 * sum)) : 0;
  }

  /** End of the speech whose last window ends at `position`. */
  speechEnd(position: number): number {
    const samples = (ms: number) => (ms * this.#rate) / 1000;
    const block = samples(SOUND_BLOCK_MS);
    let peak = 0;
    for (let at = position; at > position - samples(PEAK_MS); at -= block) {
      peak = Math.max(peak, this.power(at - block, at) ?? 0);
    }
    for (let at = position; at >= position - samples(MAX_HANGOVER_MS); at -= block) {
      if ((this.power(at - block, at) ?? peak) > peak * DIED_AWAY) return at;
    }
    return position;
  }

  #copy(from: number, out: Int16Array): void {
    const start = from % this.#ring.length;
    const untilEnd = Math.min(out.length, this.#ring.length - start);
    out.set(this.#ring.subarray(start, start + untilEnd));
    out.set(this.#ring.subarray(0, out.length - untilEnd), untilEnd);
  }

  #patch({ samples, age }: LateAudio): void {
    const from = this.#placeOf(this.#end - age);
    const to = from + samples.length;
    if (from < this.oldest || to > this.#end) return;
    for (let n = 0; n < samples.length; n++) this.#ring[(from + n) % this.#ring.length] = samples[n] as number;
    this.#late = this.#joinLate({ from, to });
    const gap = this.#gaps.find((each) => each.from <= from && from < each.to);
    // While an earlier packet is missing, the gap stays open.
    if (gap === undefined || from > gap.from) return;
    gap.from = to;
    this.#gaps = this.#gaps.filter((each) => each.from < each.to);
  }

  /** Where audio belongs that was due at `position` of the stream as it is played now: before the stretches since. */
  #placeOf(position: number): number {
    return this.#stretched.reduceRight((at, { from, to }) => (at < to ? at - (to - from) : at), position);
  }

  /** Packets of one burst may come in any order. */
  #joinLate({ from, to }: Stretch): Stretch {
    const late = this.#late;
    const near = (BURST_MS * this.#rate) / 1000;
    if (late === null || from > late.to + near || to < late.from - near) return { from, to };
    return { from: Math.min(late.from, from), to: Math.max(late.to, to) };
  }

  #settle(): void {
    const first = this.#gaps[0];
    if (first === undefined) return;
    const isOpen = first.to === this.#end;
    const overdue = !isOpen && this.#end - first.to >= (SETTLE_MS * this.#rate) / 1000;
    if (overdue || first.from <= this.oldest) this.#gaps.shift();
  }
}

function keep(stretches: Stretch[], stretch: Stretch): void {
  stretches.push(stretch);
  if (stretches.length > MAX_STRETCHES) stretches.shift();
}
