// The audio of one call: the path of its two 20 ms frames at each tick of the pacer, the agent's first. It reports and
// decides nothing; decisions are made in `hosted-call.ts`.
//
//   transport.pull ─► caller's frame ─┬─► recorder (left)
//                                     ├─► 8 kHz ─► ring ─► VAD worker
//                                     ├─► history (2 s, late packets in place) ─► open utterance ─► STT worker
//                                     └─► echo detector ◄─┐
//   playout.pull ─► agent's frame ────┬───────────────────┘
//                                     ├─► recorder (right)
//                                     └─► transport.send

import type { AudioTransport } from '../../media/audio-transport.ts';
import { Denoiser } from '../../media/denoise.ts';
import { EchoDetector, type LineEcho } from '../../media/echo.ts';
import { FRAME_MS, frameSamples } from '../../media/frame.ts';
import type { PacedCall } from '../../media/pacer.ts';
import { type ClauseKind, Playout } from '../../media/playout.ts';
import type { Recorder } from '../../media/recorder.ts';
import { Resampler } from '../../media/resample.ts';
import { SampleRing } from '../../media/ring.ts';
import { TURN_END_SECONDS } from '../../models/turn-end/turn-end.ts';
import { VAD_SAMPLE_RATE_HZ, VAD_WINDOW_SAMPLES } from '../../models/vad/vad.ts';
import type { Clock } from '../clock.ts';
import { CallerHistory } from './caller-history.ts';
import { finality } from './prosody.ts';

export interface CallAudioListener {
  /**
   * The first sample of `epoch` was sent, at `atMs` on the call's clock; or the first of another kind within it, such
   * as the answer after words that bridged the wait for it. `kind`: null for an answer.
   */
  agentStarted(epoch: number, atMs: number, kind: ClauseKind | null): void;
  /** Every clause queued so far for the open epoch was sent. Called once for each `watchDrain`. */
  drained(epoch: number): void;
  /** The open utterance's next audio, about 60 ms at the call's rate. The listener owns the array. */
  utteranceAudio(utterance: number, samples: Int16Array): void;
  /** The caller's packets have stopped in the middle of their stream. */
  lineLost(): void;
  /** Packets arrive again after `missingMs`, or the wait for them has ended. */
  lineBack(missingMs: number): void;
  /** The far side sent nothing for 20 s. Called once. */
  mediaLost(): void;
  /** A frame could not be processed: the call must end. */
  failed(error: unknown): void;
}

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
const MAX_INPUT_DELAY_MS = 1_000;
/** Shorter gaps are concealed. */
const LINE_LOST_MS = 60;
/** After a longer silence of the line, the caller may use silence suppression. */
const MAX_LINE_LOST_MS = 2_000;
/** How much audio the intonation at the end of speech is judged by. */
const MELODY_MS = 1_200;
const MEDIA_LOST_MS = 20_000;
const HOUSEKEEPING_FRAMES = 25;
// Up to 1 s of missed ticks is caught up frame by frame; the rest becomes silence.
const MAX_CATCH_UP_FRAMES = 50;
// At most 80 ms of the peer's audio is queued.
const BRIDGE_FRAMES = 4;

/** One side of a bridge: the peer's frames replace the agent's. */
interface Bridge {
  peer: CallAudio;
  /** The peer's frames at our rate, oldest first. */
  incoming: Int16Array[];
  /** From our rate to the peer's; null when both are equal. */
  toPeer: Resampler | null;
}

export class CallAudio implements PacedCall {
  readonly playout: Playout;
  readonly sampleRateHz: number;
  readonly #transport: AudioTransport;
  readonly #listener: CallAudioListener;
  readonly #clock: Clock;
  /** The caller's current frame, reused at every tick. */
  readonly #caller: Int16Array;
  /** The agent's current frame, reused at every tick. */
  readonly #agent: Int16Array;
  readonly #silence: Int16Array;
  readonly #history: CallerHistory;
  readonly #echo: EchoDetector;
  /** Null when the call runs at the VAD's rate. */
  readonly #toVadRate: Resampler | null;
  /** The caller's frame at the VAD's rate; unused when the call runs at it. */
  readonly #vadFrame: Int16Array;
  /** Null before `start`, and on calls that are not recorded. */
  #recorder: Recorder | null = null;
  /**
   * `base`: the position in the call, in samples at 8 kHz, of the ring's first sample; it grows by the skipped samples.
   */
  #vad = { ring: SampleRing.create(VAD_RING_SAMPLES), base: 0, written: 0 };
  /** Zero of the call's clock on the pacer's, ms. */
  #zeroMs = 0;
  /**
   * How far the caller's sound lags behind its arrival on the call's clock, ms: a frame's wait for its tick, plus its
   * length. Mean over the newest frames; null before the first.
   */
  #inputDelayMs: number | null = null;
  /** When the newest frame was sent, by the pacer's clock, ms. */
  #tickedAtMs = 0;
  /** Ticks that were missed before the newest frame was sent. */
  #missed = 0;
  /** Where this shard's audio begins on the call's clock, samples at its own rate; null before `start`. */
  #firstSample: number | null = null;
  /** The utterance whose audio is being sent, up to `sentTo` on the call's clock; null between utterances. */
  #utterance: { number: number; sentTo: number } | null = null;
  readonly #sttBlockSamples: number;
  readonly #denoiser: Denoiser | null;
  /** Where the newest finished utterance ended, samples. */
  #heardTo = 0;
  /** The last epoch that `agentStarted` reported. */
  #startedEpoch: number | null = null;
  #startedKind: ClauseKind | null = null;
  /** The epoch whose drain must be reported; null if nothing was queued since the last report. */
  #drainWatch: number | null = null;
  /** How long packets have been missing, ms; null unless the line is reported lost. */
  #missingMs: number | null = null;
  /** Whether the VAD listens to the caller. */
  #listens = true;
  /** Ticks so far; every 25th does housekeeping. */
  #frames = 0;
  /** Machine detection's view of the caller; null on calls without it. */
  #tap: ((samples: Int16Array) => void) | null = null;
  /** `mediaLost` was reported. */
  #lost = false;
  /** Null while the caller talks to the agent. */
  #bridge: Bridge | null = null;

  /**
   * `sttBlockMs`: length of the blocks in which an utterance is sent on. `denoise`: the models hear the audio without
   * noise; the recording keeps it. `keepsTurns`: `callerSince` reaches back as far as a turn-end model listens.
   */
  constructor(
    transport: AudioTransport,
    listener: CallAudioListener,
    clock: Clock,
    {
      sttBlockMs = STT_BLOCK_MS,
      denoise = false,
      keepsTurns = false,
    }: { sttBlockMs?: number; denoise?: boolean; keepsTurns?: boolean } = {},
  ) {
    const rate = transport.sampleRateHz;
    this.sampleRateHz = rate;
    this.playout = new Playout(rate);
    this.#sttBlockSamples = (rate * sttBlockMs) / 1_000;
    this.#denoiser = denoise ? new Denoiser(rate) : null;
    this.#transport = transport;
    this.#listener = listener;
    this.#clock = clock;
    this.#caller = new Int16Array(frameSamples(rate));
    this.#agent = new Int16Array(frameSamples(rate));
    this.#silence = new Int16Array(frameSamples(rate));
    this.#history = new CallerHistory(rate, keepsTurns ? TURN_END_SECONDS * 1_000 : undefined);
    this.#echo = new EchoDetector(rate);
    this.#toVadRate = rate === VAD_SAMPLE_RATE_HZ ? null : new Resampler(rate, VAD_SAMPLE_RATE_HZ);
    this.#vadFrame = new Int16Array(frameSamples(VAD_SAMPLE_RATE_HZ) + 2);
  }

  /** Length of the call's audio so far, ms: the position of the next frame in the recording. */
  get positionMs(): number {
    return (this.#history.end * 1000) / this.sampleRateHz;
  }

  /** How far the caller's sound lags behind its arrival on the call's clock, ms. */
  get inputDelayMs(): number {
    return this.#inputDelayMs ?? 0;
  }

  /** When the next packet is due, ms on the call's clock. */
  get nextPacketMs(): number {
    return Math.max(this.#clock.monotonicMs(), this.#tickedAtMs + FRAME_MS) - this.#zeroMs;
  }

  /** When a pause that the playout has begun becomes silent, ms on the call's clock. */
  get silentAtMs(): number {
    return this.nextPacketMs + (this.playout.samplesToSilence * 1000) / this.sampleRateHz;
  }

  /** Our own voice as it returns on the line; null if none was found. */
  get lineEcho(): LineEcho | null {
    return this.#echo.echo;
  }

  get vadMemory(): SharedArrayBuffer {
    return this.#vad.ring.shared;
  }

  /** Starts the call's clock at `positionMs` with the next tick. */
  start(recorder: Recorder | null, positionMs: number): void {
    this.#history.start(Math.round((positionMs * this.sampleRateHz) / 1000));
    this.#vad.base = Math.round((positionMs * VAD_SAMPLE_RATE_HZ) / 1000);
    this.#firstSample = this.#history.end;
    this.#zeroMs = this.#clock.monotonicMs() - positionMs;
    this.#recorder = recorder;
    this.#transport.start();
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

  /** How long ago the last sample up to `endSample` entered the VAD's ring, ms. */
  vadLatenessMs(endSample: number): number {
    const frames = Math.floor((this.#vad.written - endSample) / frameSamples(VAD_SAMPLE_RATE_HZ));
    return this.#clock.monotonicMs() - this.#tickedAtMs + frames * FRAME_MS;
  }

  /**
   * Mean square of the caller's sound in the VAD window that ends at `endSample`, 1 = full scale; null if no longer
   * kept.
   */
  windowPower(endSample: number): number | null {
    const perVadSample = this.sampleRateHz / VAD_SAMPLE_RATE_HZ;
    const end = (this.#vad.base + endSample) * perVadSample;
    return this.#history.power(end - VAD_WINDOW_SAMPLES * perVadSample, end);
  }

  /** Intonation of the caller's speech that ended at `endMs`; null if unknown. */
  finalityAt(endMs: number): number | null {
    const end = Math.min(this.#history.end, Math.round((endMs * this.sampleRateHz) / 1000));
    const start = Math.max(this.#history.oldest, end - (MELODY_MS * this.sampleRateHz) / 1000);
    return end > start ? finality(this.#history.read(start, end), this.sampleRateHz) : null;
  }

  /** The caller's audio since `fromMs` on the call's clock, as far as it is kept. */
  callerSince(fromMs: number): Int16Array {
    const from = Math.max(this.#history.oldestKept, Math.round((fromMs * this.sampleRateHz) / 1000));
    return this.#history.read(Math.min(from, this.#history.end), this.#history.end);
  }

  /** When the end of the speech arrived, ms on the call's clock; its last VAD window ends at `endSample`. */
  speechEndMs(endSample: number): number {
    const position = (this.#vad.base + endSample) * (this.sampleRateHz / VAD_SAMPLE_RATE_HZ);
    const endMs = (this.#history.speechEnd(position) * 1000) / this.sampleRateHz;
    return Math.max(0, endMs - (this.#inputDelayMs ?? 0));
  }

  /** Whether the voice in the VAD window that ends at `endSample` is our own, returned by the line. */
  isEcho(endSample: number): boolean {
    const startMs = ((this.#firstSample ?? 0) * 1000) / this.sampleRateHz;
    return this.#echo.isEcho(this.vadPositionMs(endSample) - startMs);
  }

  /**
   * Sends the audio from a little before `fromMs` to the listener, at most 2 s back, until `endUtterance`. No audio
   * goes to two utterances.
   */
  beginUtterance(utterance: number, fromMs: number): void {
    const lead = Math.floor(((fromMs - PRE_ROLL_MS) * this.sampleRateHz) / 1000);
    const gap = ((lead - this.#heardTo) * 1000) / this.sampleRateHz;
    // Includes audio shortly after the last utterance, so that a soft word between two loud ones is kept.
    const onset = this.#heardTo > 0 && gap > 0 && gap <= JOINED_MS ? this.#heardTo : this.#history.onset(lead);
    const from = Math.max(this.#history.oldest, this.#heardTo, onset);
    this.#utterance = { number: utterance, sentTo: Math.min(this.#history.end, from) };
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
    this.#heardTo = Math.min(sentTo, Math.floor((tailMs * this.sampleRateHz) / 1000));
    this.#utterance = null;
  }

  cancelUtterance(utterance: number): void {
    if (this.#utterance?.number === utterance) this.#utterance = null;
  }

  /** The agent was interrupted: audio already sent is dropped if the far side can do so. */
  flushSent(): void {
    this.#transport.flush();
  }

  /** A clause of `epoch` was queued: report when it drains. */
  watchDrain(epoch: number): void {
    this.#drainWatch = epoch;
  }

  /** Sends every frame of the caller to `tap` at 8 kHz. The array is reused once `tap` returns. */
  tapCaller(tap: (samples: Int16Array) => void): void {
    this.#tap = tap;
  }

  get isBridged(): boolean {
    return this.#bridge !== null;
  }

  /** Lets both callers hear each other in place of the agent. */
  bridge(peer: CallAudio): void {
    this.#joinTo(peer);
    peer.#joinTo(this);
  }

  unbridge(): void {
    const bridge = this.#bridge;
    this.#bridge = null;
    const theirs = bridge ? bridge.peer.#bridge : null;
    if (bridge && theirs?.peer === this) bridge.peer.#bridge = null;
  }

  send(nowMs: number, missed: number): void {
    if (this.#firstSample === null) return;
    this.#tickedAtMs = nowMs;
    const epoch = this.playout.openEpoch;
    const spoken = this.#bridge ? this.#pullBridge(this.#bridge) : this.playout.pull(this.#agent);
    this.#transport.send(this.#agent, missed);
    this.#missed = missed;
    if (spoken === 0 || epoch === null) return;
    const kind = this.playout.sentKind;
    if (epoch === this.#startedEpoch && kind === this.#startedKind) return;
    this.#startedEpoch = epoch;
    this.#startedKind = kind;
    this.#listener.agentStarted(epoch, this.positionMs + missed * FRAME_MS, kind);
  }

  hear(nowMs: number): void {
    if (this.#firstSample === null) return;
    const missed = this.#missed;
    const late = this.#transport.takeLate();
    if (late !== null) this.#history.receive(late);
    // The caller's audio of the missed ticks goes to recording and models at its proper position; nothing was sent
    // then.
    for (let i = Math.min(missed, MAX_CATCH_UP_FRAMES); i > 0; i--) {
      this.#transport.pull(this.#caller);
      this.#keep(null);
    }
    for (let i = missed - MAX_CATCH_UP_FRAMES; i > 0; i--) {
      this.#caller.fill(0);
      this.#keep(null);
    }
    const kind = this.#transport.pull(this.#caller);
    this.#keep(this.#agent);
    if (kind === 'audio') this.#measureDelay(nowMs);
    const epoch = this.playout.openEpoch;
    if (this.#drainWatch !== null && this.#drainWatch === epoch && this.playout.drained(epoch)) {
      this.#drainWatch = null;
      this.#listener.drained(epoch);
    }
    this.#watchLine();
    if (++this.#frames % HOUSEKEEPING_FRAMES === 0) this.#housekeep(nowMs);
  }

  fault(error: unknown): void {
    this.#listener.failed(error);
  }

  #keep(agent: Int16Array | null): void {
    const caller = this.#caller;
    this.#recorder?.write(caller, agent);
    if (this.#bridge) this.#giveToPeer(this.#bridge);
    this.#echo.frame(caller, agent);
    this.#denoiser?.process(caller);
    this.#history.write(caller, this.#transport.missingMs > 0);
    const vad = this.#toVadRate ? this.#vadFrame.subarray(0, this.#toVadRate.process(caller, this.#vadFrame)) : caller;
    if (this.#listens && this.#vad.ring.write(vad)) this.#vad.written += vad.length;
    else this.#vad.base += vad.length;
    this.#tap?.(vad);
    this.#sendUtterance(this.#history.settledTo, this.#sttBlockSamples);
  }

  /** Sends the utterance's audio up to `to`, if that is `atLeast` samples. */
  #sendUtterance(to: number, atLeast: number): void {
    const utterance = this.#utterance;
    if (utterance === null || to - utterance.sentTo < atLeast) return;
    const samples = this.#history.read(utterance.sentTo, to);
    utterance.sentTo = to;
    if (samples.length > 0) this.#listener.utteranceAudio(utterance.number, samples);
  }

  #measureDelay(nowMs: number): void {
    const { delayMs, lastAudioAtMs } = this.#transport;
    const arrivedMs = lastAudioAtMs - delayMs - this.#zeroMs;
    const waitedMs = Math.min(MAX_INPUT_DELAY_MS, Math.max(0, this.positionMs - arrivedMs));
    // A stale arrival (the frame was partly concealed) tells nothing.
    if (nowMs - lastAudioAtMs > LINE_LOST_MS) return;
    this.#inputDelayMs ??= waitedMs;
    this.#inputDelayMs += (waitedMs - this.#inputDelayMs) / 8;
  }

  #watchLine(): void {
    const { missingMs } = this.#transport;
    if (this.#missingMs === null) {
      if (missingMs < LINE_LOST_MS || missingMs >= MAX_LINE_LOST_MS) return;
      this.#missingMs = missingMs;
      this.#listener.lineLost();
      return;
    }
    this.#missingMs = Math.max(missingMs, this.#missingMs);
    if (missingMs > 0 && missingMs < MAX_LINE_LOST_MS) return;
    this.#listener.lineBack(this.#missingMs);
    this.#missingMs = null;
  }

  #housekeep(nowMs: number): void {
    this.#transport.housekeep(nowMs, this.#clock.nowMs());
    if (this.#lost || this.#transport.held || nowMs - this.#transport.lastLifeMs < MEDIA_LOST_MS) return;
    this.#lost = true;
    this.#listener.mediaLost();
  }

  /** Releases the call's resources; later ticks do no harm. */
  close(): void {
    this.unbridge();
    this.#denoiser?.close();
  }

  #joinTo(peer: CallAudio): void {
    this.unbridge();
    const toPeer = peer.sampleRateHz === this.sampleRateHz ? null : new Resampler(this.sampleRateHz, peer.sampleRateHz);
    this.#bridge = { peer, incoming: [], toPeer };
  }

  #giveToPeer(bridge: Bridge): void {
    const incoming = bridge.peer.#bridge?.incoming;
    if (!incoming) return;
    incoming.push(bridge.toPeer ? bridge.toPeer.convert(this.#caller).slice() : this.#caller.slice());
    // Both sides tick equally often, so a longer queue means that the peer is late and its oldest frame is stale.
    if (incoming.length > BRIDGE_FRAMES) incoming.shift();
  }

  #pullBridge(bridge: Bridge): number {
    const frame = bridge.incoming.shift() ?? this.#silence;
    this.#agent.fill(0);
    this.#agent.set(frame.subarray(0, this.#agent.length));
    return 0;
  }
}
