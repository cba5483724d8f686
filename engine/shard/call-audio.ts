// The audio of one call: what happens to its two 20 ms frames at each turn of the pacer. Nothing here decides anything;
// `hosted-call.ts` does, on what it is told.
//
//   transport.pull ─► caller's frame ─┬─► recorder (left)
//                                     ├─► 8 kHz ─► ring ─► VAD worker
//                                     └─► history (2 s) ─► open utterance ─► STT worker
//   playout.pull ─► agent's frame ────┬─► recorder (right)
//                                     └─► transport.send
import type { AudioTransport } from '../../media/audio-transport.ts';
import { frameSamples } from '../../media/frame.ts';
import type { PacedCall } from '../../media/pacer.ts';
import { Playout } from '../../media/playout.ts';
import type { Recorder } from '../../media/recorder.ts';
import { Resampler } from '../../media/resample.ts';
import { SampleRing } from '../../media/ring.ts';
import { VAD_SAMPLE_RATE_HZ } from '../../models/vad/vad.ts';
import type { Clock } from '../clock.ts';

export interface CallAudioListener {
  /** First sample of `epoch` was sent at `atMs`. */
  agentStarted(epoch: number, atMs: number): void;
  /** All clauses queued so far of the open epoch were sent. Told once after each clause that was added. */
  drained(epoch: number): void;
  /** Audio of the open utterance, 60 ms at a time; the array is the listener's. */
  utteranceAudio(utterance: number, samples: Int16Array): void;
  /** No sign of life for 20 s. Told once. */
  mediaLost(): void;
  /** A frame could not be processed: the call must end. */
  failed(error: unknown): void;
}

// 1 s: a VAD worker further behind than that is of no use for taking turns.
const VAD_RING_SAMPLES = VAD_SAMPLE_RATE_HZ;
// An utterance begins a little before its onset was noticed; doubt and a second thought may take a second more.
const HISTORY_MS = 2000;
// Three frames a message: a tenth of the STT's partial interval, a third of the messages.
const STT_BLOCK_FRAMES = 3;
const MEDIA_LOST_MS = 20_000;
const HOUSEKEEPING_FRAMES = 25;
// A second of missed turns is caught up frame by frame; of a longer stop the rest is silence.
const MAX_CATCH_UP_FRAMES = 50;
const BRIDGE_FRAMES = 4;

export class CallAudio implements PacedCall {
  readonly playout: Playout;
  readonly sampleRateHz: number;
  readonly #transport: AudioTransport;
  readonly #listener: CallAudioListener;
  readonly #clock: Clock;
  readonly #caller: Int16Array;
  readonly #agent: Int16Array;
  readonly #silence: Int16Array;
  readonly #history: Int16Array;
  readonly #toVadRate: Resampler | null;
  readonly #vadFrame: Int16Array;
  #recorder: Recorder | null = null;
  #vadRing = SampleRing.create(VAD_RING_SAMPLES);
  /** Position (8 kHz samples of the call) at which the ring's count of samples is zero; grows by what did not fit. */
  #vadBase = 0;
  #vadWritten = 0;
  #samples = 0;
  #firstSample = 0;
  #utterance: number | null = null;
  #utteranceSent = 0;
  #startedEpoch: number | null = null;
  #drainWatch: number | null = null;
  #frames = 0;
  #started = false;
  #tap: ((samples: Int16Array) => void) | null = null;
  #lost = false;
  #bridge: { peer: CallAudio; incoming: Int16Array[]; toPeer: Resampler | null } | null = null;

  constructor(transport: AudioTransport, listener: CallAudioListener, clock: Clock) {
    const rate = transport.sampleRateHz;
    this.sampleRateHz = rate;
    this.playout = new Playout(rate);
    this.#transport = transport;
    this.#listener = listener;
    this.#clock = clock;
    this.#caller = new Int16Array(frameSamples(rate));
    this.#agent = new Int16Array(frameSamples(rate));
    this.#silence = new Int16Array(frameSamples(rate));
    this.#history = new Int16Array((rate * HISTORY_MS) / 1000);
    this.#toVadRate = rate === VAD_SAMPLE_RATE_HZ ? null : new Resampler(rate, VAD_SAMPLE_RATE_HZ);
    this.#vadFrame = new Int16Array(frameSamples(VAD_SAMPLE_RATE_HZ) + 2);
  }

  /** Length of the call in audio so far, ms: the place in the recording at which the next frame goes. */
  get positionMs(): number {
    return (this.#samples * 1000) / this.sampleRateHz;
  }

  get inputDelayMs(): number {
    return this.#transport.delayMs;
  }

  get vadMemory(): SharedArrayBuffer {
    return this.#vadRing.shared;
  }

  /** The call's clock begins with the next turn of the pacer, at `positionMs`. */
  start(recorder: Recorder | null, positionMs: number): void {
    this.#samples = Math.round((positionMs * this.sampleRateHz) / 1000);
    this.#vadBase = Math.round((positionMs * VAD_SAMPLE_RATE_HZ) / 1000);
    this.#firstSample = this.#samples;
    this.#recorder = recorder;
    this.#started = true;
    this.#transport.start();
  }

  /** A new VAD worker: it counts from zero, in a ring of its own. */
  renewVad(): SharedArrayBuffer {
    this.#vadBase += this.#vadWritten;
    this.#vadWritten = 0;
    this.#vadRing = SampleRing.create(VAD_RING_SAMPLES);
    return this.#vadRing.shared;
  }

  /** Where the VAD's sample `endSample` lies on the call's clock, ms. */
  vadPositionMs(endSample: number): number {
    return ((this.#vadBase + endSample) * 1000) / VAD_SAMPLE_RATE_HZ;
  }

  /** Hands audio from `fromMs` on (as far back as is kept) to the listener, until `endUtterance`. */
  beginUtterance(utterance: number, fromMs: number): void {
    const oldest = Math.max(this.#firstSample, this.#samples - this.#history.length);
    this.#utterance = utterance;
    this.#utteranceSent = Math.min(this.#samples, Math.max(oldest, Math.floor((fromMs * this.sampleRateHz) / 1000)));
    this.#sendUtterance(0);
  }

  /** Hands over what is left of it; later audio belongs to nobody. */
  endUtterance(utterance: number): void {
    if (this.#utterance !== utterance) return;
    this.#sendUtterance(0);
    this.#utterance = null;
  }

  cancelUtterance(utterance: number): void {
    if (this.#utterance === utterance) this.#utterance = null;
  }

  /** A clause of `epoch` was queued: its end is worth telling again. */
  watchDrain(epoch: number): void {
    this.#drainWatch = epoch;
  }

  /** Hands every frame of the caller at 8 kHz to `tap`, which must be done with it when it returns. */
  tapCaller(tap: (samples: Int16Array) => void): void {
    this.#tap = tap;
  }

  get isBridged(): boolean {
    return this.#bridge !== null;
  }

  /** Both callers hear each other in place of the agent. */
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

  tick(nowMs: number, missed: number): void {
    if (!this.#started) return;
    // What came in meanwhile is recorded and heard by the models where it belongs; nothing was sent in that time.
    for (let i = Math.min(missed, MAX_CATCH_UP_FRAMES); i > 0; i--) {
      this.#transport.pull(this.#caller);
      this.#keep(null);
    }
    for (let i = missed - MAX_CATCH_UP_FRAMES; i > 0; i--) {
      this.#caller.fill(0);
      this.#keep(null);
    }
    this.#transport.pull(this.#caller);
    const epoch = this.playout.openEpoch;
    const spoken = this.#bridge ? this.#pullBridge(this.#bridge) : this.playout.pull(this.#agent);
    this.#transport.send(this.#agent, missed);
    const atMs = this.positionMs;
    this.#keep(this.#agent);
    if (spoken > 0 && epoch !== null && epoch !== this.#startedEpoch) {
      this.#startedEpoch = epoch;
      this.#listener.agentStarted(epoch, atMs);
    }
    if (this.#drainWatch !== null && this.#drainWatch === epoch && this.playout.drained(epoch)) {
      this.#drainWatch = null;
      this.#listener.drained(epoch);
    }
    if (++this.#frames % HOUSEKEEPING_FRAMES === 0) this.#housekeep(nowMs);
  }

  fault(error: unknown): void {
    this.#listener.failed(error);
  }

  #keep(agent: Int16Array | null): void {
    const caller = this.#caller;
    this.#recorder?.write(caller, agent);
    this.#history.set(caller, this.#samples % this.#history.length);
    this.#samples += caller.length;
    const vad = this.#toVadRate ? this.#vadFrame.subarray(0, this.#toVadRate.process(caller, this.#vadFrame)) : caller;
    if (this.#vadRing.write(vad)) this.#vadWritten += vad.length;
    else this.#vadBase += vad.length;
    this.#tap?.(vad);
    if (this.#utterance !== null) this.#sendUtterance(STT_BLOCK_FRAMES * caller.length);
    if (this.#bridge) this.#giveToPeer(this.#bridge);
  }

  #sendUtterance(atLeast: number): void {
    const count = this.#samples - this.#utteranceSent;
    if (this.#utterance === null || count <= 0 || count < atLeast) return;
    const samples = new Int16Array(count);
    const start = this.#utteranceSent % this.#history.length;
    const untilEnd = Math.min(count, this.#history.length - start);
    samples.set(this.#history.subarray(start, start + untilEnd));
    samples.set(this.#history.subarray(0, count - untilEnd), untilEnd);
    this.#utteranceSent = this.#samples;
    this.#listener.utteranceAudio(this.#utterance, samples);
  }

  #housekeep(nowMs: number): void {
    this.#transport.housekeep(nowMs, this.#clock.nowMs());
    if (this.#lost || this.#transport.held || nowMs - this.#transport.lastLifeMs < MEDIA_LOST_MS) return;
    this.#lost = true;
    this.#listener.mediaLost();
  }

  #joinTo(peer: CallAudio): void {
    this.unbridge();
    const toPeer = peer.sampleRateHz === this.sampleRateHz ? null : new Resampler(this.sampleRateHz, peer.sampleRateHz);
    this.#bridge = { peer, incoming: [], toPeer };
  }

  #giveToPeer(bridge: { peer: CallAudio; toPeer: Resampler | null }): void {
    const incoming = bridge.peer.#bridge?.incoming;
    if (!incoming) return;
    incoming.push(bridge.toPeer ? bridge.toPeer.convert(this.#caller).slice() : this.#caller.slice());
    // The peer's turns come as often as ours: more than a few waiting is its lateness, and old speech.
    if (incoming.length > BRIDGE_FRAMES) incoming.shift();
  }

  #pullBridge(bridge: { incoming: Int16Array[] }): number {
    const frame = bridge.incoming.shift() ?? this.#silence;
    this.#agent.fill(0);
    this.#agent.set(frame.subarray(0, this.#agent.length));
    return 0;
  }
}
