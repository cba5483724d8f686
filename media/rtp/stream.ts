// The state of a call's own RTP stream, so that another thread or process goes on with it: the far side hears a gap,
// and no new source. A packet's number never comes twice, also where the last packets before the end are not known.
import { FRAME_MS } from '../frame.ts';
import type { Press } from './dtmf.ts';
import type { SrtpProgress } from './srtp.ts';

/** RFC 3550 5.1; `sequence` and `timestamp`: of the next packet. */
export interface RtpStream {
  ssrc: number;
  sequence: number;
  timestamp: number;
  /** Clock rate of the time stamps. */
  clockRateHz: number;
  /** SRTP of the peer's packets and of ours; null for plain RTP. */
  inbound: SrtpProgress | null;
  outbound: SrtpProgress | null;
  /** The peer's current or last key (RFC 4733), of which more packets may come; null or absent: it has pressed none. */
  lastKey?: (Press & { ssrc: number }) | null;
}

/** Packets beyond one per frame: repeated ends of a telephone event, a pacer that caught up. */
const SPARE_PACKETS = 8;
/** Reports are sent every five seconds, with a BYE at the end. */
const SPARE_REPORTS = 16;

/** The stream `elapsedMs` later, as if a packet had been sent every 20 ms and some more. */
export function laterStream(stream: RtpStream, elapsedMs: number): RtpStream {
  const frames = Math.max(0, Math.ceil(elapsedMs / FRAME_MS));
  const packets = frames + SPARE_PACKETS;
  const units = frames * ((stream.clockRateHz * FRAME_MS) / 1_000);
  const { outbound } = stream;
  return {
    ...stream,
    sequence: (stream.sequence + packets) & 0xffff,
    timestamp: (stream.timestamp + units) >>> 0,
    outbound: outbound && {
      ...outbound,
      sent: outbound.sent && laterIndex(outbound.sent, packets),
      rtcpIndex: outbound.rtcpIndex + SPARE_REPORTS,
    },
  };
}

/** The index (rollover counter and sequence number, RFC 3711 3.3.1) after that many packets. */
function laterIndex({ rollover, sequence }: { rollover: number; sequence: number }, packets: number) {
  const last = sequence + packets;
  return { rollover: rollover + (last >>> 16), sequence: last & 0xffff };
}
