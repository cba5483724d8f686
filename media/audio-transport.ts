// What carries a call's audio to and from its far side: RTP (`rtp/rtp-transport.ts`) or a browser's socket
// (`socket/socket-transport.ts`). Both are pulled and fed by the pacer, one 20 ms frame of each direction at a time.
import type { FrameKind } from './rtp/jitter-buffer.ts';

export interface TransportStats {
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  packetsConcealed: number;
  foreignPackets: number;
  jitterMs: number;
}

export interface AudioTransport {
  /** Rate of the frames of both directions. */
  readonly sampleRateHz: number;
  /** Audio of the far side waits this long in the transport's buffer, ms. */
  readonly delayMs: number;
  /** When the far side last gave a sign of life, on the pacer's clock. */
  readonly lastLifeMs: number;
  /** The far side has put us on hold: its silence means nothing. */
  readonly held: boolean;
  /** Forgets what came in before the call began. */
  start(): void;
  /** The far side's next 20 ms. Never fails: at worst it is silence. */
  pull(out: Int16Array): FrameKind;
  /** Sends 20 ms; `skippedFrames` were due since the last one and were not sent, so time moves on by that much more. */
  send(samples: Int16Array, skippedFrames: number): void;
  /** Queues digits; false when the far side takes none in its audio. */
  sendDigits(digits: string): boolean;
  /** Periodic work (reports). `wallMs` is the time of day. */
  housekeep(nowMs: number, wallMs: number): void;
  stats(): TransportStats;
  /** Says goodbye where the protocol has a word for it, and closes. `wallMs` as in `housekeep`. */
  close(wallMs: number): void;
}
