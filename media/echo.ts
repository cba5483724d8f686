// Recognises the agent's own voice when the caller's side returns it (a loudspeaker, a hybrid), by normalised
// cross-correlation of the heard with the sent audio, over the delays of telephone lines. The measure is that of
// correlation-based double-talk detectors (Benesty, Morgan and Cho, IEEE Trans. Speech and Audio Processing 8(2),
// 2000). Nothing is cancelled; the only result is whether a window is an echo. Both signals are kept at 2 kHz, which
// holds pitch and first formant.
//
//   sent  ─► mean of 4 or 8 ─► pre-emphasis ─► ring ─┐ delayed by 0-800 ms
//   heard ─► mean of 4 or 8 ─► pre-emphasis ─► ring ─┴─► r over 128 ms ─► average over windows ─► the line's delay
import { frameSamples } from './frame.ts';

const RATE_HZ = 2_000;
const FRAME = frameSamples(RATE_HZ);
/** 2 s of both signals: the longest delay, a window, and a reader that is 1 s late. A power of two. */
const RING = 4_096;
const MASK = RING - 1;
/** 128 ms. */
const WINDOW = 256;
/** 800 ms: the round trip of a mobile network, and a jitter buffer at each end. */
const MAX_DELAY = 1_600;
/** 900 ms after our last sound, none of it can return. */
const ECHO_GONE = 1_800;
/** Flattens the spectrum of voices, so that two voices of the same pitch resemble each other less. */
const PRE_EMPHASIS = 0.9;

/** Weight of a new window in the average r of each delay. */
const AVERAGE_WEIGHT = 0.3;
/**
 * Average r at one delay that proves an echo; with fewer windows more is needed (0.7 after two, 0.6 after three). Over
 * 1,546 beginnings of another voice the maximum was 0.61 after two, 0.51 after three, 0.4 after six.
 */
const LEARN_R = 0.5;
const LEARN_R_MORE = 0.8;
const LEARN_WINDOWS = 2;
/** A window at the learned delay is an echo from this r on. */
const ECHO_R = 0.5;
/** A delay may wander by 1.5 ms. */
const NEAR = 3;
/** Sound above the line's usual echo by more than this is double talk, dB. */
const DOUBLE_TALK_DB = 9;
/** Sound above the expected echo by less than this is masked by it, dB. */
const MASKED_DB = 3;
/** During double talk weak syllables count too: for 192 ms after the second clear window. */
const VOICE_WINDOWS = 2;
const VOICE_HOLD = 384;
const LOSS_WEIGHT = 0.2;
/** Mean square of our quietest sound that can cause an echo. */
const AUDIBLE = 100;

export interface LineEcho {
  delayMs: number;
  /** Attenuation of the echo relative to the sent audio, dB. */
  lossDb: number;
}

export class EchoDetector {
  /** Samples at the call's rate per sample at 2 kHz. */
  readonly #step: number;
  readonly #heard = new Float64Array(RING);
  readonly #sent = new Float64Array(RING);
  /** The newest samples of both before pre-emphasis. */
  readonly #previous = { heard: 0, sent: 0 };
  /** The window in question, and the audio sent in it and in the 800 ms before. */
  readonly #window = new Float64Array(WINDOW);
  readonly #past = new Float64Array(WINDOW + MAX_DELAY);
  /** Average r of each delay over the windows searched so far. */
  readonly #average = new Float64Array(MAX_DELAY + 1);
  #searches = 0;
  /** Positions below are samples at 2 kHz since the first frame; this one is the end of both signals. */
  #end = 0;
  #soundEnd = Number.NEGATIVE_INFINITY;
  #searchEnd = Number.NEGATIVE_INFINITY;
  #voiceEnd = Number.NEGATIVE_INFINITY;
  /** Clear windows of double talk. */
  #voiceWindows = 0;
  /** Null while no echo was found; the loss is null until a window at this delay was judged. */
  #delay: number | null = null;
  #lossDb: number | null = null;

  constructor(sampleRateHz: number) {
    this.#step = sampleRateHz / RATE_HZ;
  }

  /** The echo of this line; null if none was found. */
  get echo(): LineEcho | null {
    if (this.#delay === null || this.#lossDb === null) return null;
    return { delayMs: (this.#delay * 1_000) / RATE_HZ, lossDb: this.#lossDb };
  }

  /** Takes 20 ms of both directions from the same tick. `sent`: null if nothing was sent. */
  frame(heard: Int16Array, sent: Int16Array | null): void {
    // In local variables: private fields cost more for each sample than its arithmetic.
    const [step, end, heardRing, sentRing] = [this.#step, this.#end, this.#heard, this.#sent];
    let { heard: heardBefore, sent: sentBefore } = this.#previous;
    let isSound = false;
    for (let i = 0; i < FRAME; i++) {
      let heardSum = 0;
      let sentSum = 0;
      for (let k = i * step; k < (i + 1) * step; k++) {
        heardSum += heard[k] as number;
        if (sent !== null) sentSum += sent[k] as number;
      }
      const at = (end + i) & MASK;
      heardRing[at] = heardSum / step - PRE_EMPHASIS * heardBefore;
      sentRing[at] = sentSum / step - PRE_EMPHASIS * sentBefore;
      heardBefore = heardSum / step;
      sentBefore = sentSum / step;
      isSound ||= sentSum !== 0;
    }
    this.#previous.heard = heardBefore;
    this.#previous.sent = sentBefore;
    this.#end = end + FRAME;
    if (isSound) this.#soundEnd = this.#end;
  }

  /**
   * Whether the 128 ms before `endMs` (since the first frame) are an echo of the sent audio. Ask in time order, and
   * only about windows with voice. Costs 10 µs at a known delay; otherwise 0.5 ms once in 128 ms, to find one.
   */
  isEcho(endMs: number): boolean {
    const end = Math.floor((endMs * RATE_HZ) / 1_000);
    if (end - this.#soundEnd > ECHO_GONE || !this.#load(end)) return false;
    const power = meanSquare(this.#window, 0);
    if (power === 0) return false;
    if (end - this.#voiceEnd > VOICE_HOLD) this.#voiceWindows = 0;
    if (this.#delay !== null && this.#isEchoAt(this.#delay, power)) return true;
    this.#voiceWindows++;
    this.#voiceEnd = end;
    if (end - this.#searchEnd >= WINDOW) {
      this.#searchEnd = end;
      this.#search(power);
    }
    return false;
  }

  /** False if the rings do not hold that time, or no longer do. */
  #load(end: number): boolean {
    const from = end - WINDOW - MAX_DELAY;
    // Before the first frame the rings hold silence.
    if (end <= 0 || end > this.#end || this.#end - from > RING) return false;
    for (let i = 0; i < WINDOW; i++) this.#window[i] = this.#heard[(end - WINDOW + i) & MASK] as number;
    for (let i = 0; i < WINDOW + MAX_DELAY; i++) this.#past[i] = this.#sent[(from + i) & MASK] as number;
    return true;
  }

  #isEchoAt(delay: number, power: number): boolean {
    const sent = meanSquare(this.#past, MAX_DELAY - delay);
    // A room's reverberation adds audio sent up to 128 ms earlier.
    let loudest = sent;
    for (let more = WINDOW / 2; more <= WINDOW && delay + more <= MAX_DELAY; more += WINDOW / 2) {
      loudest = Math.max(loudest, meanSquare(this.#past, MAX_DELAY - delay - more));
    }
    if (loudest < AUDIBLE) return false;
    const lossDb = 10 * Math.log10(Math.max(1, sent) / power);
    const leastLossDb = 10 * Math.log10(loudest / power);
    const usualLossDb = this.#lossDb ?? lossDb;
    if (leastLossDb < usualLossDb - DOUBLE_TALK_DB) return false;
    if (this.#likeness(delay, power) < ECHO_R) {
      return leastLossDb >= usualLossDb - MASKED_DB && this.#voiceWindows < VOICE_WINDOWS;
    }
    this.#lossDb = usualLossDb + LOSS_WEIGHT * (lossDb - usualLossDb);
    return true;
  }

  /** The greatest r around `delay`. An echo may have the opposite sign. */
  #likeness(delay: number, power: number): number {
    let best = 0;
    for (let near = Math.max(0, delay - NEAR); near <= Math.min(MAX_DELAY, delay + NEAR); near++) {
      const sent = meanSquare(this.#past, MAX_DELAY - near);
      best = Math.max(best, Math.abs(this.#product(near)) / Math.sqrt(power * sent + 1));
    }
    return best;
  }

  /** Mean product of the window and the audio sent `delay` earlier. */
  #product(delay: number): number {
    const window = this.#window;
    const past = this.#past;
    let at = MAX_DELAY - delay;
    let even = 0;
    let odd = 0;
    for (let i = 0; i < WINDOW; i += 2, at += 2) {
      even += (window[i] as number) * (past[at] as number);
      odd += (window[i + 1] as number) * (past[at + 1] as number);
    }
    return (even + odd) / WINDOW;
  }

  // Two voices of one pitch may match at some delay for one window, but only an echo has the same delay every time.
  #search(power: number): void {
    const average = this.#average;
    const past = this.#past;
    let sent = meanSquare(past, MAX_DELAY);
    let best = 0;
    for (let delay = 0; delay <= MAX_DELAY; delay++) {
      const r = sent < AUDIBLE ? 0 : this.#product(delay) / Math.sqrt(power * sent);
      average[delay] = (average[delay] as number) + AVERAGE_WEIGHT * (r - (average[delay] as number));
      if (Math.abs(average[delay] as number) > Math.abs(average[best] as number)) best = delay;
      const at = MAX_DELAY - delay;
      if (at === 0) break;
      const entering = past[at - 1] as number;
      const leaving = past[at + WINDOW - 1] as number;
      sent += (entering * entering - leaving * leaving) / WINDOW;
    }
    this.#searches++;
    const weightSoFar = 1 - (1 - AVERAGE_WEIGHT) ** this.#searches;
    const needed = LEARN_R + LEARN_R_MORE / this.#searches ** 2;
    if (this.#searches < LEARN_WINDOWS || Math.abs(average[best] as number) < needed * weightSoFar) return;
    if (this.#delay === null || Math.abs(this.#delay - best) > NEAR) this.#lossDb = null;
    this.#delay = best;
  }
}

/** Mean square of the 128 ms that begin at `from`. */
function meanSquare(samples: Float64Array, from: number): number {
  let sum = 0;
  for (let i = from; i < from + WINDOW; i++) sum += (samples[i] as number) * (samples[i] as number);
  return sum / WINDOW;
}
