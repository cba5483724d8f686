// The caller's audio as the models hear it: each 20 ms frame, without noise if the call asks for that.
//
//   caller's frame ─┬─► 8 kHz ─► ring ─► VAD worker
//                   └─► history (2 s, late packets in place) ─► open utterance ─► STT worker

import { Denoiser } from '../../../media/denoise.ts';
import { frameSamples } from '../../../media/frame.ts';
import { Resampler } from '../../../media/resample.ts';
import { SampleRing } from '../../../media/ring.ts';
import type { LateArrivals } from '../../../media/rtp/jitter-buffer.ts';
import { TURN_END_SECONDS } from '../../../models/turn-end/turn-end.ts';
import { VAD_SAMPLE_RATE_HZ, VAD_WINDOW_SAMPLES } from '../../../models/vad/vad.ts';
import { CallerHistory } from './caller-history.ts';
import { finality, pitchOf } from './prosody.ts';

// 1 s. A VAD worker that is further behind is too late for turn-taking.
const VAD_RING_SAMPLES = VAD_SAMPLE_RATE_HZ;
/** A third as many messages as with single frames, and still within the 100 ms between two partials. */
const STT_BLOCK_MS = 60;
/** Speech begins before the VAD notices it: soft onsets, the breath before a word. */
const PRE_ROLL_MS = 250;
/** Longest gap between two utterances that is included in the second. */
const JOINED_MS = 700;
/** Kept after the last voice of an utterance: sounds too soft for the VAD that end a word. */
const WORD_TAIL_MS = 60;
/** How much audio the intonation at the end of speech is judged by. */
const MELODY_MS = 1_200;
const PITCH_MS = 40;
/** Recognisers of whole utterances take 30 s. */
const REPEATED_MS = 30_000;
/** Utterances whose beginnings are known; a turn has fewer. */
const MAX_BEGINNINGS = 64;
const LONGEST_BLOCK_S = 2;

export interface HeardOptions {
  /** Length of the blocks in which an utterance is sent on. */
  sttBlockMs?: number;
  /** The models hear the audio without noise; the recording keeps it. */
  denoise?: boolean;
  /** `since` reaches back as far as a turn-end model listens. */
  keepsTurns?: boolean;
  /** An utterance may begin where an earlier one of the turn began. */
  repeatsTurns?: boolean;
}

export class HeardAudio {
  readonly #rate: number;
  readonly #sttBlockSamples: number;
  readonly #onUtterance: (utterance: number, samples: Int16Array) => void;
  readonly #denoiser: Denoiser | null;
  readonly #history: CallerHistory;
  /** Null when the call runs at the VAD's rate. */
  readonly #toVadRate: Resampler | null;
  /** The caller's frame at the VAD's rate; unused when the call runs at it. */
  readonly #vadFrame: Int16Array;
  /**
   * `base`: the position in the call, in samples at 8 kHz, of the ring's first sample; it grows by the skipped samples.
   */
  #vad = { ring: SampleRing.create(VAD_RING_SAMPLES), base: 0, written: 0 };
  /** The utterance whose audio is being sent, up to `sentTo` on the call's clock; null between utterances. */
  #utterance: { number: number; sentTo: number } | null = null;
  /** Where the newest utterances began, samples, in their order. */
  readonly #beginnings = new Map<number, number>();
  /** Where the newest finished utterance ended, samples. */
  #heardTo = 0;
  /** Whether the VAD listens to the caller. */
  #listens = true;
  /** Machine detection's view of the caller; null on calls without it. */
  #tap: ((samples: Int16Array) => void) | null = null;

  /** `onUtterance` is given the open utterance's next audio, and owns the array. */
  constructor(
    sampleRateHz: number,
    { sttBlockMs = STT_BLOCK_MS, denoise = false, keepsTurns = false, repeatsTurns = false }: HeardOptions,
    onUtterance: (utterance: number, samples: Int16Array) => void,
  ) {
    this.#rate = sampleRateHz;
    this.#sttBlockSamples = (sampleRateHz * sttBlockMs) / 1_000;
    this.#onUtterance = onUtterance;
    this.#denoiser = denoise ? new Denoiser(sampleRateHz) : null;
    const keptMs = repeatsTurns ? REPEATED_MS : keepsTurns ? TURN_END_SECONDS * 1_000 : undefined;
    this.#history = new CallerHistory(sampleRateHz, keptMs);
    this.#toVadRate = sampleRateHz === VAD_SAMPLE_RATE_HZ ? null : new Resampler(sampleRateHz, VAD_SAMPLE_RATE_HZ);
    this.#vadFrame = new Int16Array(frameSamples(VAD_SAMPLE_RATE_HZ) + 2);
  }

  /** Length of the call's audio so far, ms. */
  get positionMs(): number {
    return (this.#history.end * 1000) / this.#rate;
  }

  get vadMemory(): SharedArrayBuffer {
    return this.#vad.ring.shared;
  }

  /** The next frame is at `positionMs` on the call's clock. */
  start(positionMs: number): void {
    this.#history.start(Math.round((positionMs * this.#rate) / 1000));
    this.#vad.base = Math.round((positionMs * VAD_SAMPLE_RATE_HZ) / 1000);
  }

  /** A ring for a new VAD worker, which counts from zero. */
  renewVad(): SharedArrayBuffer {
    const { base, written } = this.#vad;
    this.#vad = { ring: SampleRing.create(VAD_RING_SAMPLES), base: base + written, written: 0 };
    return this.#vad.ring.shared;
  }

  /** Whether the VAD hears the caller. Audio that it did not hear is not examined later either. */
  listen(listens: boolean): void {
    this.#listens = listens;
  }

  /** Position of the VAD's sample `endSample` on the call's clock, ms. */
  vadPositionMs(endSample: number): number {
    return ((this.#vad.base + endSample) * 1000) / VAD_SAMPLE_RATE_HZ;
  }

  /** Full frames that the VAD's ring was given after `endSample`. */
  framesAfter(endSample: number): number {
    return Math.floor((this.#vad.written - endSample) / frameSamples(VAD_SAMPLE_RATE_HZ));
  }

  /**
   * Mean square of the caller's sound in the VAD window that ends at `endSample`, 1 = full scale; null if no longer
   * kept.
   */
  windowPower(endSample: number): number | null {
    return this.#history.power(...this.#windowAt(endSample));
  }

  /** How much of the same sound is in the upper half of the band, 0..1. */
  windowSharpness(endSample: number): number {
    return this.#history.sharpness(...this.#windowAt(endSample));
  }

  /** Pitch of the 40 ms that end with the window at `endSample`, Hz; 0 without one. */
  windowPitch(endSample: number): number {
    const [, end] = this.#windowAt(endSample);
    const from = end - (PITCH_MS * this.#rate) / 1000;
    return from < this.#history.oldest || end > this.#history.end
      ? 0
      : pitchOf(this.#history.read(from, end), this.#rate);
  }

  /** Whether an utterance is open: then its recogniser gets what arrives late by itself. */
  get isHearing(): boolean {
    return this.#utterance !== null;
  }

  /** Mean squares of the 20 ms frames from `fromMs` to now, as far as they are kept; 1 = full scale. */
  framePowers(fromMs: number): Array<{ atMs: number; power: number }> {
    const frame = frameSamples(this.#rate);
    const powers: Array<{ atMs: number; power: number }> = [];
    for (let end = this.#history.end; end - frame >= Math.max(this.#history.oldest, (fromMs * this.#rate) / 1000); ) {
      powers.unshift({ atMs: ((end - frame) * 1000) / this.#rate, power: this.#history.power(end - frame, end) ?? 0 });
      end -= frame;
    }
    return powers;
  }

  /** Intonation of the caller's speech that ended at `endMs`; null if unknown. */
  finalityAt(endMs: number): number | null {
    const end = Math.min(this.#history.end, Math.round((endMs * this.#rate) / 1000));
    const start = Math.max(this.#history.oldest, end - (MELODY_MS * this.#rate) / 1000);
    return end > start ? finality(this.#history.read(start, end), this.#rate) : null;
  }

  /** The caller's audio since `fromMs` on the call's clock, as far as it is kept. */
  since(fromMs: number): Int16Array {
    const from = Math.max(this.#history.oldestKept, Math.round((fromMs * this.#rate) / 1000));
    return this.#history.read(Math.min(from, this.#history.end), this.#history.end);
  }

  /** Where the speech ended on the call's clock, ms; its last VAD window ends at `endSample`. */
  speechEndMs(endSample: number): number {
    const position = (this.#vad.base + endSample) * (this.#rate / VAD_SAMPLE_RATE_HZ);
    return (this.#history.speechEnd(position) * 1000) / this.#rate;
  }

  /**
   * Sends the audio from a little before `fromMs` to the listener, at most 2 s back, until `endUtterance`. No audio
   * goes to two utterances, unless this one begins where an earlier one did, `since`.
   */
  beginUtterance(utterance: number, fromMs: number, since?: number): void {
    const lead = Math.floor(((fromMs - PRE_ROLL_MS) * this.#rate) / 1000);
    const gap = ((lead - this.#heardTo) * 1000) / this.#rate;
    // Includes audio shortly after the last utterance, so that a soft word between two loud ones is kept.
    const onset = this.#heardTo > 0 && gap > 0 && gap <= JOINED_MS ? this.#heardTo : this.#history.onset(lead);
    const own = Math.max(this.#history.oldest, this.#heardTo, onset);
    const first = since === undefined ? undefined : this.#beginnings.get(since);
    const from = Math.min(this.#history.end, first === undefined ? own : Math.max(this.#history.oldestKept, first));
    this.#beginnings.set(utterance, from);
    for (const oldest of this.#beginnings.keys()) {
      if (this.#beginnings.size > MAX_BEGINNINGS) this.#beginnings.delete(oldest);
      else break;
    }
    this.#utterance = { number: utterance, sentTo: from };
    this.#sendUtterance(this.#history.settledTo, 1);
  }

  /** Sends what is there of the utterance's audio, because the recogniser will be asked for its words. */
  flushUtterance(utterance: number): void {
    if (this.#utterance?.number !== utterance) return;
    this.#sendUtterance(this.#history.settledTo, 1);
  }

  /**
   * Sends the rest of the utterance's audio and stops. `voiceEndMs`: when its last voice ended, null while it goes on.
   * Audio sent after that may be the onset of a next word, which must not be split between two utterances.
   */
  endUtterance(utterance: number, voiceEndMs: number | null = null): void {
    if (this.#utterance?.number !== utterance) return;
    this.#sendUtterance(this.#history.end, 1);
    const { sentTo } = this.#utterance;
    const tailMs = voiceEndMs === null ? Number.POSITIVE_INFINITY : voiceEndMs + WORD_TAIL_MS;
    this.#heardTo = Math.min(sentTo, Math.floor((tailMs * this.#rate) / 1000));
    this.#utterance = null;
  }

  cancelUtterance(utterance: number): void {
    if (this.#utterance?.number === utterance) this.#utterance = null;
  }

  /** Sends every frame of the caller to `tap` at 8 kHz. The array is reused once `tap` returns. */
  tapCaller(tap: (samples: Int16Array) => void): void {
    this.#tap = tap;
  }

  /** Packets that came too late for their frame. */
  receive(late: LateArrivals): void {
    this.#history.receive(late);
  }

  /** The caller's next frame; its noise is removed in place. `isMissing`: it is concealed. */
  write(caller: Int16Array, isMissing: boolean): void {
    this.#denoiser?.process(caller);
    this.#history.write(caller, isMissing);
    const vad = this.#toVadRate ? this.#vadFrame.subarray(0, this.#toVadRate.process(caller, this.#vadFrame)) : caller;
    if (this.#listens && this.#vad.ring.write(vad)) this.#vad.written += vad.length;
    else this.#vad.base += vad.length;
    this.#tap?.(vad);
    this.#sendUtterance(this.#history.settledTo, this.#sttBlockSamples);
  }

  close(): void {
    this.#denoiser?.close();
  }

  /** The samples of the VAD window that ends at `endSample`. */
  #windowAt(endSample: number): [from: number, to: number] {
    const perVadSample = this.#rate / VAD_SAMPLE_RATE_HZ;
    const end = (this.#vad.base + endSample) * perVadSample;
    return [end - VAD_WINDOW_SAMPLES * perVadSample, end];
  }

  /** Sends the utterance's audio up to `to`, if that is `atLeast` samples. */
  #sendUtterance(to: number, atLeast: number): void {
    const utterance = this.#utterance;
    if (utterance === null || to - utterance.sentTo < atLeast) return;
    // All of a turn at once would look like a backlog.
    for (const block = LONGEST_BLOCK_S * this.#rate; utterance.sentTo < to; ) {
      const until = Math.min(to, utterance.sentTo + block);
      const samples = this.#history.read(utterance.sentTo, until);
      utterance.sentTo = until;
      if (samples.length > 0) this.#onUtterance(utterance.number, samples);
    }
  }
}
