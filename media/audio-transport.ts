// The port to a call's far side: RTP (`rtp/rtp-transport.ts`) or a WebSocket (`socket/socket-transport.ts`). The pacer
// drives both, one 20 ms frame in each direction per tick.
import type { FrameKind, LateArrivals } from './rtp/jitter-buffer.ts';

export interface TransportStats {
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  /** 20 ms frames of which at least a part was concealed. */
  packetsConcealed: number;
  /** Packets from a source that is not the peer, or of a payload type that was not agreed. */
  foreignPackets: number;
  jitterMs: number;
}

export interface AudioTransport {
  /** Rate of the frames in both directions. */
  readonly sampleRateHz: number;
  /** How much of the far side's audio waits in the transport's buffer, ms. */
  readonly delayMs: number;
  /** When the newest of it arrived, ms on the pacer's clock. */
  readonly lastAudioAtMs: number;
  /**
   * For how long the far side's audio has stayed away though it was sending, ms; 0 while it comes, and in its pauses.
   */
  readonly missingMs: number;
  /** When the far side last gave a sign of life, ms on the pacer's clock. */
  readonly lastLifeMs: number;
  /** The far side has put us on hold, so its silence means nothing. */
  readonly held: boolean;
  /** The call begins: drops what came in before. */
  start(): void;
  /** Fills `out` with the far side's next 20 ms. Never fails; at worst it is silence. */
  pull(out: Int16Array): FrameKind;
  /** What arrived too late to be pulled since the last call; null when nothing did. */
  takeLate(): LateArrivals | null;
  /**
   * Sends 20 ms. `skippedFrames` is how many frames were due since the last one and not sent; media time moves on by
   * them.
   */
  send(samples: Int16Array, skippedFrames: number): void;
  /** What was sent and has not been played yet shall not be heard, where the far side can drop it. */
  flush(): void;
  /** Queues digits; false when the far side cannot take them in the media stream. */
  sendDigits(digits: string): boolean;
  /** Periodic work (reports). `nowMs` is monotonic, `wallMs` is ms since the epoch. */
  housekeep(nowMs: number, wallMs: number): void;
  stats(): TransportStats;
  /** Says goodbye if the protocol can, and closes. `wallMs` as in `housekeep`. */
  close(wallMs: number): void;
}
