// The audio of one call: the path of its two 20 ms frames at each tick of the pacer, the agent's first. It reports and
// decides nothing; decisions are made in `hosted-call.ts`.
//
//   transport.pull ─► caller's frame ─┬─► recorder (left), tap of listeners (left)
//                                     ├─► what the models hear of it (heard-audio.ts)
//                                     └─► echo detector ◄─┐
//   playout.pull ─► agent's frame ────┬───────────────────┘
//                                     ├─► recorder (right), tap of listeners (right)
//                                     └─► transport.send

import type { AudioTransport } from '../../media/audio-transport.ts';
import { EchoDetector, type LineEcho } from '../../media/echo.ts';
import { FRAME_MS, frameSamples } from '../../media/frame.ts';
import { HoldMusic } from '../../media/hold-music.ts';
import type { PacedCall } from '../../media/pacer.ts';
import { type ClauseKind, Playout } from '../../media/playout.ts';
import type { Recorder } from '../../media/recorder.ts';
import { Resampler } from '../../media/resample.ts';
import type { Clock } from '../clock.ts';
import { ListenTap } from './door/listen-tap.ts';
import { NoticeTone } from './door/notice-tone.ts';
import { HeardAudio, type HeardOptions } from './ear/heard-audio.ts';

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

const MAX_INPUT_DELAY_MS = 1_000;
/** Shorter gaps are concealed. */
const LINE_LOST_MS = 60;
/** After a longer silence of the line, the caller may use silence suppression. */
const MAX_LINE_LOST_MS = 2_000;
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
  /** The words of both are recognised all the same. */
  hears: boolean;
}

/** A second source that is heard on a line beside the usual one. */
interface Beside {
  from: CallAudio;
  incoming: Int16Array[];
  toUs: Resampler | null;
}

export class CallAudio implements PacedCall {
  readonly playout: Playout;
  readonly heard: HeardAudio;
  readonly sampleRateHz: number;
  readonly #transport: AudioTransport;
  readonly #listener: CallAudioListener;
  readonly #clock: Clock;
  /** The caller's current frame, reused at every tick. */
  readonly #caller: Int16Array;
  /** The agent's current frame, reused at every tick. */
  readonly #agent: Int16Array;
  readonly #silence: Int16Array;
  readonly #echo: EchoDetector;
  /** Null before `start`, and on calls that are not recorded. */
  #recorder: Recorder | null = null;
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
  /** Where this shard's audio begins on the call's clock, ms; null before `start`. */
  #startMs: number | null = null;
  /** The last epoch that `agentStarted` reported. */
  #startedEpoch: number | null = null;
  #startedKind: ClauseKind | null = null;
  /** The epoch whose drain must be reported; null if nothing was queued since the last report. */
  #drainWatch: number | null = null;
  /** How long packets have been missing, ms; null unless the line is reported lost. */
  #missingMs: number | null = null;
  /** Ticks so far; every 25th does housekeeping. */
  #frames = 0;
  /** `mediaLost` was reported. */
  #lost = false;
  /** Null unless the caller waits for somebody. */
  #music: HoldMusic | null = null;
  /** Null while the caller talks to the agent. */
  #bridge: Bridge | null = null;
  #beside: Beside | null = null;
  /** The call whose line hears this caller beside somebody else. */
  #heardBeside: CallAudio | null = null;
  /** Null while nobody listens. */
  #tap: ListenTap | null = null;
  #notice: NoticeTone | null = null;
  #isMasked = false;
  #isSecret = false;

  constructor(transport: AudioTransport, listener: CallAudioListener, clock: Clock, options: HeardOptions = {}) {
    const rate = transport.sampleRateHz;
    this.sampleRateHz = rate;
    this.playout = new Playout(rate);
    this.heard = new HeardAudio(rate, options, (utterance, samples) => listener.utteranceAudio(utterance, samples));
    this.#transport = transport;
    this.#listener = listener;
    this.#clock = clock;
    this.#caller = new Int16Array(frameSamples(rate));
    this.#agent = new Int16Array(frameSamples(rate));
    this.#silence = new Int16Array(frameSamples(rate));
    this.#echo = new EchoDetector(rate);
  }

  /** Length of the call's audio so far, ms: the position of the next frame in the recording. */
  get positionMs(): number {
    return this.heard.positionMs;
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

  /** Starts the call's clock at `positionMs` with the next tick. */
  start(recorder: Recorder | null, positionMs: number): void {
    this.heard.start(positionMs);
    this.#startMs = this.positionMs;
    this.#zeroMs = this.#clock.monotonicMs() - positionMs;
    this.#recorder = recorder;
    this.#transport.start();
  }

  /** How long ago the last sample up to `endSample` entered the VAD's ring, ms. */
  vadLatenessMs(endSample: number): number {
    return this.#clock.monotonicMs() - this.#tickedAtMs + this.heard.framesAfter(endSample) * FRAME_MS;
  }

  /** When the end of the speech arrived, ms on the call's clock; its last VAD window ends at `endSample`. */
  speechEndMs(endSample: number): number {
    return Math.max(0, this.heard.speechEndMs(endSample) - this.inputDelayMs);
  }

  /** Whether the voice in the VAD window that ends at `endSample` is our own, returned by the line. */
  isEcho(endSample: number): boolean {
    return this.#echo.isEcho(this.heard.vadPositionMs(endSample) - (this.#startMs ?? 0));
  }

  /** The agent was interrupted: audio already sent is dropped if the far side can do so. */
  flushSent(): void {
    this.#transport.flush();
  }

  /** A clause of `epoch` was queued: report when it drains. */
  watchDrain(epoch: number): void {
    this.#drainWatch = epoch;
  }

  /** The caller talks to somebody else, and the models hear nothing of it. */
  get isAway(): boolean {
    return this.#bridge !== null && !this.#bridge.hears;
  }

  /** Lets both callers hear each other in place of the agent. `hears`: the models go on hearing both. */
  bridge(peer: CallAudio, hears = false): void {
    this.#joinTo(peer, hears);
    peer.#joinTo(this, hears);
  }

  /** The caller of `from` is heard here too, until null. */
  hearBeside(from: CallAudio | null): void {
    if (this.#beside) this.#beside.from.#heardBeside = null;
    this.#beside = null;
    if (from === null) return;
    const toUs = from.sampleRateHz === this.sampleRateHz ? null : new Resampler(from.sampleRateHz, this.sampleRateHz);
    this.#beside = { from, incoming: [], toUs };
    from.#heardBeside = this;
  }

  /** From now on both channels of the recording are silence, or no longer. */
  mask(isMasked: boolean): void {
    this.#isMasked = isMasked;
  }

  /** Neither the recording nor a listener hears anything: a line may carry keys as tones. */
  keepSecret(isSecret: boolean): void {
    this.#isSecret = isSecret;
  }

  /** Both sides go into this ring from now on; null: nobody listens. */
  tap(memory: SharedArrayBuffer | null): void {
    this.#tap = memory && new ListenTap(memory, this.sampleRateHz);
  }

  /** The caller hears a short tone over whatever they hear. */
  soundNotice(): void {
    this.#notice = new NoticeTone(this.sampleRateHz);
  }

  /** `own`: in place of ours. */
  holdMusic(isOn: boolean, own: Int16Array | null = null): void {
    if (isOn) this.#music ??= new HoldMusic(this.sampleRateHz, own);
    else this.#music = null;
  }

  unbridge(): void {
    const bridge = this.#bridge;
    this.#bridge = null;
    const theirs = bridge ? bridge.peer.#bridge : null;
    if (bridge && theirs?.peer === this) bridge.peer.#bridge = null;
  }

  send(nowMs: number, missed: number): void {
    if (this.#startMs === null) return;
    this.#tickedAtMs = nowMs;
    const epoch = this.playout.openEpoch;
    const spoken = this.#bridge ? this.#pullBridge(this.#bridge) : this.playout.pull(this.#agent);
    if (this.#music !== null && this.#bridge === null) {
      if (spoken > 0) this.#music.rest();
      else this.#music.fill(this.#agent);
    }
    if (this.#beside) mixInto(this.#agent, this.#beside.incoming.shift());
    if (this.#notice?.mixInto(this.#agent)) this.#notice = null;
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
    if (this.#startMs === null) return;
    const missed = this.#missed;
    const late = this.#transport.takeLate();
    if (late !== null) this.heard.receive(late);
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
    const isSilent = this.#isMasked || this.#isSecret;
    this.#recorder?.write(isSilent ? null : caller, isSilent ? null : agent);
    this.#tap?.write(this.#isSecret ? this.#silence : caller, this.#isSecret ? null : agent);
    if (this.#bridge) this.#giveToPeer(this.#bridge);
    this.#heardBeside?.takeBeside(caller);
    this.#echo.frame(caller, agent);
    this.heard.write(caller, this.#transport.missingMs > 0);
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
    this.hearBeside(null);
    this.#heardBeside?.hearBeside(null);
    this.heard.close();
  }

  /** The next frame of whom we hear beside. */
  takeBeside(frame: Int16Array): void {
    const beside = this.#beside;
    if (!beside) return;
    beside.incoming.push(beside.toUs ? beside.toUs.convert(frame).slice() : frame.slice());
    if (beside.incoming.length > BRIDGE_FRAMES) beside.incoming.shift();
  }

  #joinTo(peer: CallAudio, hears: boolean): void {
    this.unbridge();
    const toPeer = peer.sampleRateHz === this.sampleRateHz ? null : new Resampler(this.sampleRateHz, peer.sampleRateHz);
    this.#bridge = { peer, incoming: [], toPeer, hears };
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

/** Adds a frame to another, within the range of PCM16. */
function mixInto(out: Int16Array, frame: Int16Array | undefined): void {
  if (frame === undefined) return;
  const count = Math.min(out.length, frame.length);
  for (let i = 0; i < count; i++) {
    out[i] = Math.max(-32_768, Math.min(32_767, (out[i] as number) + (frame[i] as number)));
  }
}
