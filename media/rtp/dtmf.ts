// Telephone events (RFC 4733): digits as RTP packets. All packets of one press carry the same time stamp, which tells
// presses apart. The sender repeats the end packet three times, since one may be lost.
import { FRAME_MS } from '../frame.ts';
import { timestampDistance } from './packet.ts';

const DIGITS = '0123456789*#ABCD';
// A person can press about 10 keys a second, and RFC 4733 asks for 40 ms of tone and 40 ms of pause. More is a flood.
const MAX_DIGITS_PER_SECOND = 12;
const MAX_QUEUED_DIGITS = 64;
const SEGMENT_UNITS = 0xffff;
const TONE_MS = 100;
const PAUSE_MS = 80;
const END_REPEATS = 3;
// -10 dBm0, the usual level of telephone exchanges.
const VOLUME = 10;

/** A press, as its packets name it: the event code, and the time stamp of its start. */
export interface Press {
  event: number;
  timestamp: number;
}

export class DtmfReceiver {
  readonly #clockRateHz: number;
  /** Time stamp of the current or last press; null before the first. */
  #lastTimestamp: number | null = null;
  #lastEvent = -1;
  /** Token bucket against floods, refilled at `MAX_DIGITS_PER_SECOND`. */
  #tokens = MAX_DIGITS_PER_SECOND;
  #tokensAtMs = 0;
  #dropped = 0;

  constructor(clockRateHz = 8000) {
    this.#clockRateHz = clockRateHz;
  }

  /** Presses dropped as a flood. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Takes the event payload of `bytes` bytes at `offset` (RFC 4733, 2.3). Returns the digit if the packet starts a
   * press; null for a repetition, an old packet, an event that is no digit, or part of a flood. `nowMs` is any
   * monotonic clock.
   */
  receive(datagram: Buffer, offset: number, bytes: number, timestamp: number, nowMs: number): string | null {
    if (bytes < 4 || offset + 4 > datagram.length) return null;
    const event = datagram[offset] as number;
    const digit = DIGITS[event];
    if (digit === undefined) return null;
    if (this.#lastTimestamp !== null) {
      const distance = timestampDistance(this.#lastTimestamp, timestamp);
      // A reordered packet of an earlier press. Further back than 5 s the stream was restarted.
      if (distance <= 0 && distance > -5 * this.#clockRateHz) return null;
      // RFC 4733, 2.5.1.3: a press longer than 65,535 units continues as a segment that begins at the end of the last.
      // Whole segments may be missing: nobody was here to receive them.
      if (event === this.#lastEvent && distance % SEGMENT_UNITS === 0) {
        this.#lastTimestamp = timestamp;
        return null;
      }
    }
    this.#lastTimestamp = timestamp;
    this.#lastEvent = event;
    this.#tokens = Math.min(
      MAX_DIGITS_PER_SECOND,
      this.#tokens + (Math.max(0, nowMs - this.#tokensAtMs) * MAX_DIGITS_PER_SECOND) / 1000,
    );
    this.#tokensAtMs = nowMs;
    if (this.#tokens < 1) {
      this.#dropped++;
      return null;
    }
    this.#tokens--;
    return digit;
  }

  /** The current or last press; null before the first. */
  get last(): Press | null {
    return this.#lastTimestamp === null ? null : { event: this.#lastEvent, timestamp: this.#lastTimestamp };
  }

  /** Another receiver of the same source has told that press. */
  goOn({ event, timestamp }: Press): void {
    this.#lastEvent = event;
    this.#lastTimestamp = timestamp;
  }

  /** Forgets the press in progress, for a new source with unrelated time stamps. */
  reset(): void {
    this.#lastTimestamp = null;
    this.#lastEvent = -1;
  }
}

interface DtmfPacket {
  /** Time stamp at which the press began. */
  timestamp: number;
  marker: boolean;
  /** Four bytes: event, end bit and volume, duration. Valid until the next call. */
  payload: Buffer;
}

/** Sends queued digits: for each 20 ms frame, `next` gives the packet to send in place of audio. */
export class DtmfSender {
  readonly #clockRateHz: number;
  readonly #payload = Buffer.alloc(4);
  readonly #packet: DtmfPacket;
  #queue = '';
  #elapsedMs = 0;
  #ends = 0;
  #timestamp = 0;

  constructor(clockRateHz = 8000) {
    this.#clockRateHz = clockRateHz;
    this.#packet = { timestamp: 0, marker: false, payload: this.#payload };
  }

  get busy(): boolean {
    return this.#queue.length > 0;
  }

  /**
   * Queues digits: 0-9 * # A-D, and a comma or `w` for a pause as long as a tone. Other characters are skipped.
   * @returns how many were queued; at most 64 wait
   */
  enqueue(digits: string): number {
    const wanted = digits
      .toUpperCase()
      .replace(/[^0-9*#A-D,W]/g, '')
      .replace(/W/g, ',');
    const taken = wanted.slice(0, Math.max(0, MAX_QUEUED_DIGITS - this.#queue.length));
    this.#queue += taken;
    return taken.length;
  }

  /**
   * The next 20 ms: a packet to send in place of audio, `'pause'` between digits (send silence), or null if idle.
   * `timestamp` is that of the replaced frame.
   */
  next(timestamp: number): DtmfPacket | 'pause' | null {
    const digit = this.#queue[0];
    if (digit === undefined) return null;
    if (this.#elapsedMs === 0) this.#timestamp = timestamp;
    this.#elapsedMs += FRAME_MS;
    if (this.#elapsedMs > TONE_MS + PAUSE_MS || (this.#elapsedMs > TONE_MS && digit === ',')) {
      this.#queue = this.#queue.slice(1);
      this.#elapsedMs = 0;
      this.#ends = 0;
      return 'pause';
    }
    if (digit === ',' || this.#ends >= END_REPEATS) return 'pause';
    const durationMs = Math.min(this.#elapsedMs, TONE_MS);
    const end = this.#elapsedMs >= TONE_MS;
    if (end) this.#ends++;
    this.#payload[0] = DIGITS.indexOf(digit);
    this.#payload[1] = (end ? 0x80 : 0) | VOLUME;
    this.#payload.writeUInt16BE((durationMs * this.#clockRateHz) / 1000, 2);
    this.#packet.timestamp = this.#timestamp;
    this.#packet.marker = this.#elapsedMs === FRAME_MS;
    return this.#packet;
  }
}
