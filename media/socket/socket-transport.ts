// A call's audio over a WebSocket: PCM16 mono, in 20 ms frames from us and pieces of any length to us. A socket
// loses nothing but may delay: late audio is queued up to a bound, and a queue longer than needed is shortened again.
// What a sender is too slow for is concealed as a lost packet is; each concealed frame leaves one more in the queue.
//
//   message ─► samples ─► queue (1 s, oldest dropped) ─► pull() by the pacer
//   send() by the pacer ─► one binary message, or none while the socket is 1 s behind
import type { AudioTransport, TransportStats } from '../audio-transport.ts';
import { bytesToSamples, FRAME_MS, frameSamples, msToSamples, samplesToBytes } from '../frame.ts';
import { Concealer } from '../rtp/concealment.ts';
import type { FrameKind, LateArrivals } from '../rtp/jitter-buffer.ts';
import type { AudioSocket } from './audio-socket.ts';

const QUEUE_MS = 1000;
// Browsers deliver in steps of 3 to 20 ms, and in bursts after a busy main thread: start with two frames queued.
export const START_MS = 40;
const MAX_START_MS = 160;
// If the queue was longer than needed for 2 s, the surplus is dropped.
const SURPLUS_PULLS = 100;
const MAX_UNSENT_MS = 1000;
/** The IANA registry of close codes: the client may connect again. */
const SERVICE_RESTART = 1012;

export class SocketTransport implements AudioTransport {
  readonly sampleRateHz: number;
  readonly #now: () => number;
  readonly #queue: Int16Array;
  readonly #maxUnsentBytes: number;
  readonly #concealer: Concealer;
  #head = 0;
  #count = 0;
  /** Samples that must be queued before playing starts; grows each time the queue ran empty. */
  #startSamples: number;
  #playing = false;
  #hasPlayed = false;
  /** Frames pulled since the queue ran empty. */
  #missingFrames = 0;
  #pulls = 0;
  #leastInHand = Number.POSITIVE_INFINITY;
  #oddByte: number | null = null;
  #socket: AudioSocket | null = null;
  /** The client was here before, in another thread or process, and is awaited. */
  #isAwaited: boolean;
  #lastLifeMs: number;
  #lastAudioAtMs: number;
  #stats = { received: 0, sent: 0, dropped: 0, empty: 0 };

  /** `now`: any monotonic clock, ms. `isAwaited`: the client was here before and comes back; until then it is held. */
  constructor(sampleRateHz: number, now: () => number, isAwaited = false) {
    this.#isAwaited = isAwaited;
    this.sampleRateHz = sampleRateHz;
    this.#now = now;
    this.#queue = new Int16Array(msToSamples(QUEUE_MS, sampleRateHz));
    this.#maxUnsentBytes = msToSamples(MAX_UNSENT_MS, sampleRateHz) * 2;
    this.#startSamples = msToSamples(START_MS, sampleRateHz);
    this.#concealer = new Concealer(sampleRateHz);
    this.#lastLifeMs = now();
    this.#lastAudioAtMs = this.#lastLifeMs;
  }

  get delayMs(): number {
    return (this.#count * 1000) / this.sampleRateHz;
  }

  get lastAudioAtMs(): number {
    return this.#lastAudioAtMs;
  }

  get missingMs(): number {
    return this.#missingFrames * FRAME_MS;
  }

  get lastLifeMs(): number {
    return this.#lastLifeMs;
  }

  get held(): boolean {
    return this.#isAwaited;
  }

  /** The client has joined. False if the call already has a socket. */
  attach(socket: AudioSocket): boolean {
    if (this.#socket) return false;
    this.#socket = socket;
    this.#isAwaited = false;
    this.#lastLifeMs = this.#now();
    return true;
  }

  /** Takes a binary message: PCM16 little-endian, any length, odd ones too. Its memory is not kept. */
  receive(bytes: Uint8Array): void {
    this.alive();
    this.#lastAudioAtMs = this.#lastLifeMs;
    this.#stats.received++;
    this.#append(bytesToSamples(this.#whole(bytes)));
  }

  /** Audio on a socket is never late: delayed audio is played later. */
  takeLate(): LateArrivals | null {
    return null;
  }

  /** A message or pong without audio. */
  alive(): void {
    this.#lastLifeMs = this.#now();
  }

  sendText(text: string): void {
    if (this.#socket && this.#socket.bufferedBytes < this.#maxUnsentBytes) this.#socket.sendText(text);
  }

  start(): void {
    this.#head = 0;
    this.#count = 0;
    this.#playing = false;
    this.#hasPlayed = false;
    this.#missingFrames = 0;
  }

  pull(out: Int16Array): FrameKind {
    if (!this.#playing && this.#count >= this.#startSamples) this.#playing = true;
    if (!this.#playing) {
      out.fill(0);
      if (this.#hasPlayed) this.#missingFrames++;
      return 'idle';
    }
    this.#hasPlayed = true;
    const count = Math.min(out.length, this.#count);
    this.#take(out, count);
    if (count > 0) this.#concealer.real(out, 0, count);
    this.#missingFrames = count > 0 ? 0 : this.#missingFrames + 1;
    if (count < out.length) {
      this.#concealer.conceal(out, count, out.length);
      this.#stats.empty++;
      // It is no gap any more, but a pause: the queue fills before playing goes on.
      if (this.#concealer.faded) this.#playing = false;
      const more = this.#startSamples + frameSamples(this.sampleRateHz);
      this.#startSamples = Math.min(more, msToSamples(MAX_START_MS, this.sampleRateHz));
    }
    this.#shorten();
    return count > 0 ? 'audio' : 'concealed';
  }

  send(samples: Int16Array, _skippedFrames: number): void {
    if (!this.#socket) return;
    if (this.#socket.bufferedBytes >= this.#maxUnsentBytes) {
      this.#stats.dropped++;
      return;
    }
    this.#stats.sent++;
    // The socket may keep the memory until it is written, but the frame is reused.
    this.#socket.sendBinary(samplesToBytes(samples.slice()));
  }

  flush(): void {
    this.#socket?.flush?.();
  }

  sendDigits(): boolean {
    return false;
  }

  housekeep(_nowMs: number, _wallMs: number): void {}

  stats(): TransportStats {
    return {
      packetsReceived: this.#stats.received,
      packetsSent: this.#stats.sent,
      packetsLost: this.#stats.dropped,
      packetsConcealed: this.#stats.empty,
      foreignPackets: 0,
      jitterMs: 0,
    };
  }

  close(_wallMs: number): void {
    this.#socket?.close(1000, 'the call has ended');
    this.#socket = null;
  }

  /** Another process goes on with the call, and the client is to join it there. */
  leave(): void {
    this.#socket?.close(SERVICE_RESTART, 'join again');
    this.#socket = null;
  }

  // A message may cut a sample in two.
  #whole(bytes: Uint8Array): Uint8Array {
    let all = bytes;
    if (this.#oddByte !== null) {
      all = new Uint8Array(bytes.length + 1);
      all[0] = this.#oddByte;
      all.set(bytes, 1);
      this.#oddByte = null;
    }
    if (all.length % 2 === 1) {
      this.#oddByte = all[all.length - 1] as number;
      return all.subarray(0, all.length - 1);
    }
    return all;
  }

  #append(samples: Int16Array): void {
    const capacity = this.#queue.length;
    const fresh = samples.length > capacity ? samples.subarray(samples.length - capacity) : samples;
    const overflow = this.#count + fresh.length - capacity;
    if (overflow > 0) {
      this.#head = (this.#head + overflow) % capacity;
      this.#count -= overflow;
    }
    const at = (this.#head + this.#count) % capacity;
    const untilEnd = Math.min(fresh.length, capacity - at);
    this.#queue.set(fresh.subarray(0, untilEnd), at);
    this.#queue.set(fresh.subarray(untilEnd), 0);
    this.#count += fresh.length;
  }

  #take(out: Int16Array, count: number): void {
    const untilEnd = Math.min(count, this.#queue.length - this.#head);
    out.set(this.#queue.subarray(this.#head, this.#head + untilEnd));
    out.set(this.#queue.subarray(0, count - untilEnd), untilEnd);
    this.#head = (this.#head + count) % this.#queue.length;
    this.#count -= count;
  }

  #shorten(): void {
    this.#leastInHand = Math.min(this.#leastInHand, this.#count);
    if (++this.#pulls < SURPLUS_PULLS) return;
    const surplus = this.#leastInHand - this.#startSamples;
    if (surplus > 0) {
      this.#head = (this.#head + surplus) % this.#queue.length;
      this.#count -= surplus;
    }
    this.#pulls = 0;
    this.#leastInHand = Number.POSITIVE_INFINITY;
  }
}
