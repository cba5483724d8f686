// An adaptive jitter buffer over decoded samples, addressed by RTP time stamp. The play cursor moves with the pulling
// clock, so a pause of the sender keeps its length. Only the cursor's distance to the sender adapts: a late packet
// moves the cursor back (more delay), a buffer that never runs low lets it skip ahead (less delay).
//
//   push(time stamp) ──► ring of samples: missing | audio | silence ──► pull() 20 ms: copy, conceal, or silence
//                          ▲ cursor (played up to here)        ▲ highest (known up to here)
import { FRAME_MS } from '../frame.ts';
import { Concealer } from './concealment.ts';
import { timestampDistance } from './packet.ts';

/** The content of a pulled frame, by its best part. `idle`: no stream yet. */
export type FrameKind = 'idle' | 'audio' | 'concealed' | 'silence';

/** Audio that arrived after its turn. It was not played, but the recogniser can use it. */
export interface LateAudio {
  samples: Int16Array;
  /** How long before the next pull its first sample was due, in samples. */
  age: number;
}

export interface LateArrivals {
  /** In order of arrival. */
  audio: readonly LateAudio[];
  /**
   * How far the cursor went back, in samples: the last pulled audio was concealment that corresponds to no time of the
   * sender.
   */
  rewound: number;
}

const MISSING = 0;
const AUDIO = 1;
const SILENCE = 2;

// A packet up to this far ahead of the cursor belongs to the stream; further ahead, the sender's clock has jumped.
const MAX_AHEAD_MS = 300;
// A packet later than this is lost. A stream that stays this late is re-anchored.
const MAX_LATE_MS = 120;
// Two consecutive packets further off than this prove a new clock. Nearer ones must also stay late for some time,
// because a network stall ends in a burst of packets that are late only once.
const JUMP_MS = 2100;
const STAYS_LATE_MS = 60;
// After this many, nothing of this sender counts as missing. One may be the end of a hold.
const SILENT_PAUSES = 2;
const LONGEST_PAUSE_MS = 10_000;
// Older late audio is useless; nor is more than this kept between two pulls.
const MAX_AGE_MS = 2000;
const MAX_LATE_PACKETS = 200;
// One frame of delay is given back after this many pulls (4 s) without needing it, ...
const SHRINK_PULLS = 200;
// ... in a quiet moment, or after as many pulls again at the latest. Delay not needed for 1 s and above this surplus is
// given back down to two frames: piece by piece while the caller is quiet, and after 2 s in any case.
const SURPLUS_MS = 80;
const SURPLUS_KEEP_MS = 40;
const SURPLUS_PULLS = 50;
const SURPLUS_WAIT_PULLS = 100;
const QUIET_RMS = 200;
// Block length in the search for quiet.
const QUIET_MS = 5;

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

interface JitterBufferStats {
  /** Frames that were concealed at least in part. */
  concealedFrames: number;
  /** Packets that came too late for use. */
  latePackets: number;
  duplicatePackets: number;
}

export class JitterBuffer {
  readonly stats: JitterBufferStats = { concealedFrames: 0, latePackets: 0, duplicatePackets: 0 };
  readonly #rate: number;
  readonly #ring: Int16Array;
  readonly #marks: Uint8Array;
  readonly #mask: number;
  readonly #concealer: Concealer;
  /** A stream is being played; positions are meaningless before. */
  #anchored = false;
  /** Time stamp of the next sample to be pulled. */
  #cursor = 0;
  /** Time stamp after the newest known sample. */
  #highest = 0;
  /** Time stamp after the last received sample that was pulled. */
  #realEnd = 0;
  /** The sender announced a pause: everything missing after `#highest` is silence. */
  #pausing = false;
  /** Consecutive packets that do not fit the stream but fit each other. */
  #outliers = 0;
  #outlierNext = 0;
  #outlierSinceMs = 0;
  /** Distance of the first outlier from the cursor. */
  #outlierAhead = 0;
  /** Samples pulled since the last received sample or intended silence. */
  #missing = 0;
  #newestAtMs = 0;
  /** How often a talk spurt began after missing audio: the sender pauses without announcing it. */
  #silentPauses = 0;
  #late: LateAudio[] = [];
  /** Time stamp after the newest audio that was kept as late since the stream began; null before the first. */
  #lateEnd: number | null = null;
  #rewound = 0;
  #pulls = 0;
  #surplusPulls = 0;
  /** Least depth over the last `#pulls`, and over the last `#surplusPulls`, in samples. */
  #minDepth = Number.POSITIVE_INFINITY;
  #minDepthShort = Number.POSITIVE_INFINITY;
  #shrink = false;
  /** Delay to be given back, samples, and for how many pulls it has waited for quiet. */
  #surplus = 0;
  #surplusWait = 0;

  /** `sampleRateHz` is both the rate of the samples and of the time stamps (8,000 for G.711). */
  constructor(sampleRateHz: number) {
    this.#rate = sampleRateHz;
    const capacity = 2 ** Math.ceil(Math.log2(sampleRateHz));
    this.#ring = new Int16Array(capacity);
    this.#marks = new Uint8Array(capacity);
    this.#mask = capacity - 1;
    this.#concealer = new Concealer(sampleRateHz);
  }

  /** Audio ready beyond the cursor, ms: the delay that the buffer adds to the wait for the next pull. */
  get depthMs(): number {
    if (!this.#anchored) return 0;
    return (Math.max(0, timestampDistance(this.#cursor, this.#highest)) * 1000) / this.#rate;
  }

  /** How long the stream has been missing, ms: 0 while it arrives, and in the sender's pauses. */
  get missingMs(): number {
    return this.#silentPauses >= SILENT_PAUSES ? 0 : (this.#missing * 1000) / this.#rate;
  }

  /** For longer than people pause in a call: the far side may have held it. */
  get #isLongMissing(): boolean {
    return this.#missing > this.#ms(LONGEST_PAUSE_MS);
  }

  /** When the newest sample arrived, by the clock of `push`. */
  get newestAtMs(): number {
    return this.#newestAtMs;
  }

  /** Audio since the last `takeLate` that arrived after its turn; null if there was none. */
  takeLate(): LateArrivals | null {
    if (this.#late.length === 0 && this.#rewound === 0) return null;
    const arrivals = { audio: this.#late, rewound: this.#rewound };
    this.#late = [];
    this.#rewound = 0;
    return arrivals;
  }

  /** Drops the stream, for a new source. Concealment continues across the seam. */
  reset(): void {
    this.#anchored = false;
    this.#outliers = 0;
    this.#pausing = false;
    this.#silentPauses = 0;
    this.#missing = 0;
    this.#late = [];
    this.#lateEnd = null;
    this.#rewound = 0;
  }

  /**
   * Takes the first `count` of `samples`, the decoded audio of one packet. `marker` starts a talk spurt: the time
   * between it and the newest known sample is silence. `nowMs` is any monotonic clock. `isProven`: no packet was lost
   * in that silence.
   */
  push(samples: Int16Array, count: number, timestamp: number, marker: boolean, nowMs: number, isProven = false): void {
    if (count <= 0 || count > this.#ms(MAX_AHEAD_MS)) return;
    if (!this.#anchored) this.#anchor(timestamp, count);
    let ahead = timestampDistance(this.#cursor, timestamp);
    if (ahead + count > this.#ms(MAX_AHEAD_MS) || ahead < -this.#ms(MAX_LATE_MS)) {
      if (!this.#isNewClock(timestamp, count, ahead, nowMs)) {
        this.stats.latePackets++;
        if (ahead < 0) this.#keepLate(samples, count, ahead);
        return;
      }
      this.#anchor(timestamp, count);
      ahead = timestampDistance(this.#cursor, timestamp);
    }
    this.#outliers = 0;
    let from = 0;
    if (ahead < 0) {
      const depth = timestampDistance(timestamp, this.#highest);
      if (this.#isUnheard(timestamp) && depth <= this.#ms(MAX_AHEAD_MS)) {
        // No real audio was played since, so play this now and keep the larger distance from now on.
        this.#cursor = timestamp;
        this.#rewound += -ahead;
        this.#resetDepth();
      } else {
        from = -ahead;
        this.#keepLate(samples, Math.min(from, count), ahead);
        if (from >= count) {
          this.stats.latePackets++;
          return;
        }
      }
    }
    const start = (timestamp + from) >>> 0;
    const gap = timestampDistance(this.#highest, start);
    if (gap >= 0) {
      if (marker && this.#missing > 0) this.#silentPauses += isProven && !this.#isLongMissing ? SILENT_PAUSES : 1;
      if (marker || this.#pausing) this.#markSilence(start);
      this.#pausing = false;
    }
    if (this.#marks[start & this.#mask] === AUDIO) {
      this.stats.duplicatePackets++;
      return;
    }
    // In local variables, here and below: private fields cost more for each sample than its copy.
    const [ring, marks, mask] = [this.#ring, this.#marks, this.#mask];
    for (let i = from; i < count; i++) {
      const index = (timestamp + i) & mask;
      ring[index] = samples[i] as number;
      marks[index] = AUDIO;
    }
    const end = (timestamp + count) >>> 0;
    if (timestampDistance(this.#highest, end) <= 0) return;
    this.#highest = end;
    this.#newestAtMs = nowMs;
  }

  /** Comfort noise or a telephone event at `timestamp`: the sender is silent until its next audio packet. */
  pause(timestamp: number): void {
    if (this.#anchored && timestampDistance(this.#highest, timestamp) >= -this.#ms(10)) this.#pausing = true;
  }

  /** Fills `out` with the stream's next samples and returns their kind. Never fails; at worst it is silence. */
  pull(out: Int16Array): FrameKind {
    if (!this.#anchored) {
      this.#concealer.silence(out, 0, out.length);
      return 'idle';
    }
    const [marks, cursor, mask] = [this.#marks, this.#cursor, this.#mask];
    let audio = false;
    let concealed = false;
    let from = 0;
    while (from < out.length) {
      const mark = marks[(cursor + from) & mask] as number;
      let to = from + 1;
      while (to < out.length && marks[(cursor + to) & mask] === mark) to++;
      if (mark === AUDIO) {
        this.#copy(out, from, to);
        audio = true;
        this.#missing = 0;
      } else if (mark === SILENCE || this.#silentAt((this.#cursor + from) >>> 0)) {
        this.#concealer.silence(out, from, to);
        this.#missing = 0;
      } else {
        this.#missing += to - from;
        if (!this.#concealer.faded) concealed = true;
        this.#concealer.conceal(out, from, to);
      }
      from = to;
    }
    for (let i = 0; i < out.length; i++) marks[(cursor + i) & mask] = MISSING;
    this.#cursor = (cursor + out.length) >>> 0;
    if (timestampDistance(this.#highest, this.#cursor) > 0) this.#highest = this.#cursor;
    if (concealed) this.stats.concealedFrames++;
    if (audio) this.#adapt(out);
    return audio ? 'audio' : concealed ? 'concealed' : 'silence';
  }

  #ms(durationMs: number): number {
    return (durationMs * this.#rate) / 1000;
  }

  #silentAt(position: number): boolean {
    return this.#pausing && timestampDistance(this.#highest, position) >= 0;
  }

  #copy(out: Int16Array, from: number, to: number): void {
    const [ring, cursor, mask] = [this.#ring, this.#cursor, this.#mask];
    for (let i = from; i < to; i++) out[i] = ring[(cursor + i) & mask] as number;
    this.#concealer.real(out, from, to);
    this.#realEnd = (this.#cursor + to) >>> 0;
  }

  #anchor(timestamp: number, count: number): void {
    // Packets of 10 or 30 ms are out of step with pulls of 20 ms. With this lead a pull never meets half a frame.
    const frame = this.#ms(FRAME_MS);
    const lead = frame - commonDivisor(frame, count);
    this.#anchored = true;
    this.#cursor = (timestamp - lead) >>> 0;
    this.#highest = timestamp;
    this.#realEnd = this.#cursor;
    this.#lateEnd = null;
    this.#pausing = false;
    this.#outliers = 0;
    this.#missing = 0;
    this.#marks.fill(MISSING);
    for (let i = 0; i < lead; i++) this.#marks[(this.#cursor + i) & this.#mask] = SILENCE;
    this.#resetDepth();
  }

  #markSilence(until: number): void {
    const begin = timestampDistance(this.#cursor, this.#highest) > 0 ? this.#highest : this.#cursor;
    const count = timestampDistance(begin, until);
    for (let i = 0; i < count; i++) this.#marks[(begin + i) & this.#mask] = SILENCE;
  }

  // A single stray packet changes nothing; a consistent run of them does.
  #isNewClock(timestamp: number, count: number, ahead: number, nowMs: number): boolean {
    const fits = this.#outliers > 0 && Math.abs(timestampDistance(this.#outlierNext, timestamp)) <= count * 3;
    this.#outlierNext = (timestamp + count) >>> 0;
    if (!fits) {
      this.#outliers = 1;
      this.#outlierSinceMs = nowMs;
      this.#outlierAhead = ahead;
      return false;
    }
    this.#outliers++;
    if (ahead > 0 || ahead < -this.#ms(JUMP_MS)) return true;
    if (nowMs - this.#outlierSinceMs < STAYS_LATE_MS) return false;
    // A stalled network that now delivers faster than real time will soon be in time again.
    const catchesUp = ahead - this.#outlierAhead >= this.#ms(STAYS_LATE_MS) / 2;
    this.#outlierSinceMs = nowMs;
    this.#outlierAhead = ahead;
    return !catchesUp;
  }

  /** Nothing from there on was played, or was given out as late. */
  #isUnheard(timestamp: number): boolean {
    const isAfterLate = this.#lateEnd === null || timestampDistance(this.#lateEnd, timestamp) >= 0;
    return isAfterLate && timestampDistance(this.#realEnd, timestamp) >= 0;
  }

  #keepLate(samples: Int16Array, count: number, ahead: number): void {
    const end = (this.#cursor + ahead + count) >>> 0;
    if (this.#lateEnd === null || timestampDistance(this.#lateEnd, end) > 0) this.#lateEnd = end;
    const age = this.#rewound - ahead;
    if (age > this.#ms(MAX_AGE_MS) || this.#late.length >= MAX_LATE_PACKETS) return;
    this.#late.push({ samples: samples.slice(0, count), age });
  }

  #resetDepth(): void {
    this.#pulls = 0;
    this.#surplusPulls = 0;
    this.#minDepth = Number.POSITIVE_INFINITY;
    this.#minDepthShort = Number.POSITIVE_INFINITY;
    this.#shrink = false;
    this.#surplus = 0;
  }

  #adapt(frame: Int16Array): void {
    if (this.#surplus > 0) {
      this.#giveBack();
      return;
    }
    const depth = timestampDistance(this.#cursor, this.#highest);
    this.#minDepth = Math.min(this.#minDepth, depth);
    this.#minDepthShort = Math.min(this.#minDepthShort, depth);
    this.#pulls++;
    if (++this.#surplusPulls >= SURPLUS_PULLS) {
      if (this.#minDepthShort > this.#ms(SURPLUS_MS)) {
        this.#surplus = this.#minDepthShort - this.#ms(SURPLUS_KEEP_MS);
        this.#surplusWait = 0;
        return;
      }
      this.#surplusPulls = 0;
      this.#minDepthShort = Number.POSITIVE_INFINITY;
    }
    if (this.#pulls >= SHRINK_PULLS && this.#minDepth >= frame.length) {
      if (this.#shrink || this.#quietAhead(frame.length) === frame.length) {
        this.#skip(frame.length);
        return;
      }
    }
    if (this.#pulls >= SHRINK_PULLS * 2) {
      if (this.#minDepth >= frame.length) this.#shrink = true;
      else this.#resetDepth();
    }
  }

  #giveBack(): void {
    const surplus = this.#surplus;
    const skipped = ++this.#surplusWait > SURPLUS_WAIT_PULLS ? surplus : this.#quietAhead(surplus);
    if (skipped === 0) return;
    this.#skip(skipped);
    const left = surplus - skipped;
    this.#surplus = left < this.#ms(QUIET_MS) ? 0 : left;
  }

  /** How many of the next `most` samples are quiet, in whole blocks. */
  #quietAhead(most: number): number {
    const block = this.#ms(QUIET_MS);
    let quiet = 0;
    for (; quiet + block <= most; quiet += block) {
      let sum = 0;
      for (let i = quiet; i < quiet + block; i++) {
        const index = (this.#cursor + i) & this.#mask;
        if (this.#marks[index] === MISSING) return quiet;
        if (this.#marks[index] === AUDIO) sum += (this.#ring[index] as number) ** 2;
      }
      if (sum > QUIET_RMS ** 2 * block) return quiet;
    }
    return quiet;
  }

  #skip(samples: number): void {
    for (let i = 0; i < samples; i++) this.#marks[(this.#cursor + i) & this.#mask] = MISSING;
    this.#cursor = (this.#cursor + samples) >>> 0;
    this.#realEnd = this.#cursor;
    this.#resetDepth();
  }
}
