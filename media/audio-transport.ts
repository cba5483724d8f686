// The port to a call's far side: RTP (`rtp/rtp-transport.ts`) or a WebSocket (`socket/socket-transport.ts`). The pacer
// drives both, one 20 ms frame in each direction per tick.
import type { FrameKind, LateArrivals } from './rtp/jitter-buffer.ts';

export interface TransportStats {
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  /** 20 ms frames that were concealed at least in part. */
  packetsConcealed: number;
  /** Packets from a source that is not the peer, or of a payload type that was not agreed. */
  foreignPackets: number;
  jitterMs: number;
}

export interface AudioTransport {
  /** Rate of the frames in both directions. */
  readonly sampleRateHz: number;
  /** Length of the far side's audio in the transport's buffer, ms. */
  readonly delayMs: number;
  /** Arrival of its newest part, ms on the pacer's clock. */
  readonly lastAudioAtMs: number;
  /**
   * How long the far side's audio has been missing although it was sending, ms; 0 while it arrives, and in its pauses.
   */
  readonly missingMs: number;
  /** When the far side last sent anything, ms on the pacer's clock. */
  readonly lastLifeMs: number;
  /** The far side has put us on hold, so its silence means nothing. */
  readonly held: boolean;
  /** The call begins: drops earlier audio. */
  start(): void;
  /** Fills `out` with the far side's next 20 ms. Never fails; at worst it is silence. */
  pull(out: Int16Array): FrameKind;
  /** Audio since the last `takeLate` that arrived too late to be pulled; null if there was none. */
  takeLate(): LateArrivals | null;
  /** Sends 20 ms. `skippedFrames`: frames due since the last one that were not sent; media time advances by them. */
  send(samples: Int16Array, skippedFrames: number): void;
  /** Drops audio that was sent but not yet played, if the far side can do so. */
  flush(): void;
  /** Queues digits; false if the far side does not accept them in the media stream. */
  sendDigits(digits: string): boolean;
  /**
   * A key has come by INFO; false if it was heard as a tone before. From now on this far side's tones are no keys.
   * Absent: no tones are heard.
   */
  isNewInfoDigit?(digit: string): boolean;
  /** Periodic work (reports). `nowMs` is monotonic, `wallMs` is ms since the epoch. */
  housekeep(nowMs: number, wallMs: number): void;
  stats(): TransportStats;
  /** Sends the protocol's goodbye, if it has one, and closes. `wallMs` as in `housekeep`. */
  close(wallMs: number): void;
}
