// An adaptive jitter buffer over decoded samples, addressed by RTP time stamp. The play cursor always moves with the clock of
// whoever pulls, so a pause of the sender stays exactly as long as it was. What adapts is only the cursor's distance to the
// sender: a packet that comes too late moves it back (more delay), a buffer that never runs low lets it skip (less).
//
//   push(time stamp) ──► ring of samples, each marked missing | audio | silence ──► pull() 20 ms: copy, conceal, or silence
//                          ▲ cursor (played up to here)        ▲ highest (known up to here)
import { FRAME_MS, rms } from '../frame.ts';
import { Concealer } from './concealment.ts';
import { timestampDistance } from './packet.ts';

/** What a pulled frame is made of: the best of its parts. */
export type FrameKind = 'idle' | 'audio' | 'concealed' | 'silence';

const MISSING = 0;
const AUDIO = 1;
const SILENCE = 2;

// The cursor follows the sender at most this far ahead; more is a jump of the sender's clock.
const MAX_AHEAD_MS = 300;
// A packet later than this is lost; a stream that stays so late is anchored anew.
const MAX_LATE_MS = 120;
// Further off than this is another clock, which two packets in sequence prove; nearer it takes some time as well, since a
// stall of the network ends in a burst of packets that are all late once.
const JUMP_MS = 1000;
const STAYS_LATE_MS = 60;
// A frame's worth of delay is given back after so many pulls (4 s) in which it was never needed, ...
const SHRINK_PULLS = 200;
// ... in a quiet moment, or at the latest after as many again. More than this is given back at once, down to two frames.
const SURPLUS_MS = 80;
const SURPLUS_KEEP_MS = 40;
const SURPLUS_PULLS = 50;
const QUIET_RMS = 200;

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

export interface JitterBufferStats {
  /** Frames of which at least a part was concealed. */
  concealedFrames: number;
  /** Packets that came after their time and could not be used. */
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
  #anchored = false;
  #cursor = 0;
  #highest = 0;
  #realEnd = 0;
  /** The sender has said that it pauses: what is missing from `highest` on is silence. */
  #pausing = false;
  #outliers = 0;
  #outlierNext = 0;
  #outlierSinceMs = 0;
  #pulls = 0;
  #surplusPulls = 0;
  #minDepth = Number.POSITIVE_INFINITY;
  #minDepthShort = Number.POSITIVE_INFINITY;
  #shrink = false;

  /** `sampleRateHz` is both the rate of the samples and of the time stamps (8,000 for G.711). */
  constructor(sampleRateHz: number) {
    this.#rate = sampleRateHz;
    const capacity = 2 ** Math.ceil(Math.log2(sampleRateHz));
    this.#ring = new Int16Array(capacity);
    this.#marks = new Uint8Array(capacity);
    this.#mask = capacity - 1;
    this.#concealer = new Concealer(sampleRateHz);
  }

  /** What lies ready beyond the cursor, ms: the delay that the buffer adds beyond the wait for the next pull. */
  get depthMs(): number {
    if (!this.#anchored) return 0;
    return (Math.max(0, timestampDistance(this.#cursor, this.#highest)) * 1000) / this.#rate;
  }

  /** Forgets the stream: a new source begins. Concealment runs on across the seam. */
  reset(): void {
    this.#anchored = false;
    this.#outliers = 0;
    this.#pausing = false;
  }

  /**
   * Takes the decoded `count` samples of one packet. `marker` begins a talk spurt: what lies between it and the last known
   * sample is silence. `nowMs` is any monotonic clock.
   */
  push(samples: Int16Array, count: number, timestamp: number, marker: boolean, nowMs: number): void {
    if (count <= 0 || count > this.#ms(MAX_AHEAD_MS)) return;
    if (!this.#anchored) this.#anchor(timestamp, count);
    let ahead = timestampDistance(this.#cursor, timestamp);
    if (ahead + count > this.#ms(MAX_AHEAD_MS) || ahead < -this.#ms(MAX_LATE_MS)) {
      if (!this.#isNewClock(timestamp, count, ahead, nowMs)) {
        this.stats.latePackets++;
        return;
      }
      this.#anchor(timestamp, count);
      ahead = timestampDistance(this.#cursor, timestamp);
    }
    this.#outliers = 0;
    let from = 0;
    if (ahead < 0) {
      const depth = timestampDistance(timestamp, this.#highest);
      if (timestampDistance(this.#realEnd, timestamp) >= 0 && depth <= this.#ms(MAX_AHEAD_MS)) {
        // Nothing real was played since: play it now, and keep that much more distance from here on.
        this.#cursor = timestamp;
        this.#resetDepth();
      } else {
        from = -ahead;
        if (from >= count) {
          this.stats.latePackets++;
          return;
        }
      }
    }
    const start = (timestamp + from) >>> 0;
    const gap = timestampDistance(this.#highest, start);
    if (gap >= 0) {
      if (marker || this.#pausing) this.#markSilence(start);
      this.#pausing = false;
    }
    if (this.#marks[start & this.#mask] === AUDIO) {
      this.stats.duplicatePackets++;
      return;
    }
    for (let i = from; i < count; i++) {
      const index = (timestamp + i) & this.#mask;
      this.#ring[index] = samples[i] as number;
      this.#marks[index] = AUDIO;
    }
    const end = (timestamp + count) >>> 0;
    if (timestampDistance(this.#highest, end) > 0) this.#highest = end;
  }

  /** Comfort noise or a telephone event at `timestamp`: the sender is there but silent until its next audio. */
  pause(timestamp: number): void {
    if (this.#anchored && timestampDistance(this.#highest, timestamp) >= -this.#ms(10)) this.#pausing = true;
  }

  /** Fills `out` with the next samples of the stream and says what they are. Never fails: at worst it is silence. */
  pull(out: Int16Array): FrameKind {
    if (!this.#anchored) {
      this.#concealer.silence(out, 0, out.length);
      return 'idle';
    }
    let audio = false;
    let concealed = false;
    let from = 0;
    while (from < out.length) {
      const mark = this.#marks[(this.#cursor + from) & this.#mask] as number;
      let to = from + 1;
      while (to < out.length && this.#marks[(this.#cursor + to) & this.#mask] === mark) to++;
      if (mark === AUDIO) {
        this.#copy(out, from, to);
        audio = true;
      } else if (mark === SILENCE || this.#silentAt((this.#cursor + from) >>> 0)) {
        this.#concealer.silence(out, from, to);
      } else {
        if (!this.#concealer.faded) concealed = true;
        this.#concealer.conceal(out, from, to);
      }
      from = to;
    }
    for (let i = 0; i < out.length; i++) this.#marks[(this.#cursor + i) & this.#mask] = MISSING;
    this.#cursor = (this.#cursor + out.length) >>> 0;
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
    for (let i = from; i < to; i++) out[i] = this.#ring[(this.#cursor + i) & this.#mask] as number;
    this.#concealer.real(out, from, to);
    this.#realEnd = (this.#cursor + to) >>> 0;
  }

  #anchor(timestamp: number, count: number): void {
    // Packets of 10 or 30 ms do not fall in step with pulls of 20: so much in hand, and the pulls never meet half a frame.
    const frame = this.#ms(FRAME_MS);
    const lead = frame - commonDivisor(frame, count);
    this.#anchored = true;
    this.#cursor = (timestamp - lead) >>> 0;
    this.#highest = timestamp;
    this.#realEnd = this.#cursor;
    this.#pausing = false;
    this.#outliers = 0;
    this.#marks.fill(MISSING);
    for (let i = 0; i < lead; i++) this.#marks[(this.#cursor + i) & this.#mask] = SILENCE;
    this.#resetDepth();
  }

  #markSilence(until: number): void {
    const begin = timestampDistance(this.#cursor, this.#highest) > 0 ? this.#highest : this.#cursor;
    const count = timestampDistance(begin, until);
    for (let i = 0; i < count; i++) this.#marks[(begin + i) & this.#mask] = SILENCE;
  }

  // One stray packet moves nothing; a run of them that is consistent in itself does.
  #isNewClock(timestamp: number, count: number, ahead: number, nowMs: number): boolean {
    const fits = this.#outliers > 0 && Math.abs(timestampDistance(this.#outlierNext, timestamp)) <= count * 3;
    this.#outlierNext = (timestamp + count) >>> 0;
    if (!fits) {
      this.#outliers = 1;
      this.#outlierSinceMs = nowMs;
      return false;
    }
    this.#outliers++;
    const far = ahead > 0 || ahead < -this.#ms(JUMP_MS);
    return far || nowMs - this.#outlierSinceMs >= STAYS_LATE_MS;
  }

  #resetDepth(): void {
    this.#pulls = 0;
    this.#surplusPulls = 0;
    this.#minDepth = Number.POSITIVE_INFINITY;
    this.#minDepthShort = Number.POSITIVE_INFINITY;
    this.#shrink = false;
  }

  #adapt(frame: Int16Array): void {
    const depth = timestampDistance(this.#cursor, this.#highest);
    this.#minDepth = Math.min(this.#minDepth, depth);
    this.#minDepthShort = Math.min(this.#minDepthShort, depth);
    this.#pulls++;
    if (++this.#surplusPulls >= SURPLUS_PULLS) {
      if (this.#minDepthShort > this.#ms(SURPLUS_MS)) {
        this.#skip(this.#minDepthShort - this.#ms(SURPLUS_KEEP_MS));
        return;
      }
      this.#surplusPulls = 0;
      this.#minDepthShort = Number.POSITIVE_INFINITY;
    }
    if (this.#pulls >= SHRINK_PULLS && this.#minDepth >= frame.length) {
      if (this.#shrink || rms(frame) < QUIET_RMS) {
        this.#skip(frame.length);
        return;
      }
    }
    if (this.#pulls >= SHRINK_PULLS * 2) {
      if (this.#minDepth >= frame.length) this.#shrink = true;
      else this.#resetDepth();
    }
  }

  #skip(samples: number): void {
    for (let i = 0; i < samples; i++) this.#marks[(this.#cursor + i) & this.#mask] = MISSING;
    this.#cursor = (this.#cursor + samples) >>> 0;
    this.#realEnd = this.#cursor;
    this.#resetDepth();
  }
}
