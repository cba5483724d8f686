// RTP packets (RFC 3550, 5.1) as bytes. Parsing fills a header object that the caller reuses, because it runs for every
// packet of every call. The payload is not copied.

export const RTP_HEADER_BYTES = 12;
/** Larger datagrams are refused: 60 ms of G.711 with header and SRTP tag take under 600 bytes. */
export const MAX_RTP_BYTES = 1500;

export interface RtpHeader {
  marker: boolean;
  payloadType: number;
  sequence: number;
  timestamp: number;
  ssrc: number;
  /** Where the payload starts in the datagram. */
  payloadOffset: number;
  /** Without padding. */
  payloadBytes: number;
}

/** A header object to be filled by `parseRtp`. */
export function emptyRtpHeader(): RtpHeader {
  return { marker: false, payloadType: 0, sequence: 0, timestamp: 0, ssrc: 0, payloadOffset: 0, payloadBytes: 0 };
}

/**
 * Fills `header` from `datagram` (RFC 3550, 5.1). False if it is not a valid RTP packet; `header` is then partly
 * filled.
 */
export function parseRtp(datagram: Buffer, header: RtpHeader): boolean {
  const bytes = datagram.length;
  if (bytes < RTP_HEADER_BYTES || bytes > MAX_RTP_BYTES) return false;
  const first = datagram[0] as number;
  if (first >> 6 !== 2) return false;
  const second = datagram[1] as number;
  header.marker = second >= 128;
  header.payloadType = second & 0x7f;
  header.sequence = datagram.readUInt16BE(2);
  header.timestamp = datagram.readUInt32BE(4);
  header.ssrc = datagram.readUInt32BE(8);
  let offset = RTP_HEADER_BYTES + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (offset + 4 > bytes) return false;
    offset += 4 + datagram.readUInt16BE(offset + 2) * 4;
  }
  let end = bytes;
  if (first & 0x20) {
    const padding = datagram[bytes - 1] as number;
    if (padding === 0) return false;
    end -= padding;
  }
  if (offset > end) return false;
  header.payloadOffset = offset;
  header.payloadBytes = end - offset;
  return true;
}

/** Writes the fixed header (RFC 3550, 5.1) into the first 12 bytes of `out`. Sequence and time stamp wrap. */
export function writeRtpHeader(
  out: Buffer,
  marker: boolean,
  payloadType: number,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  out[0] = 0x80;
  out[1] = (marker ? 0x80 : 0) | payloadType;
  out.writeUInt16BE(sequence & 0xffff, 2);
  out.writeUInt32BE(timestamp >>> 0, 4);
  out.writeUInt32BE(ssrc >>> 0, 8);
}

/**
 * Whether a datagram on the RTP port is RTCP (RFC 5761, 4): packet type 192-223 where RTP has marker and payload type.
 */
export function looksLikeRtcp(datagram: Buffer): boolean {
  if (datagram.length < 8 || (datagram[0] as number) >> 6 !== 2) return false;
  const type = datagram[1] as number;
  return type >= 192 && type <= 223;
}

/** Signed distance from `from` to `to` of 16-bit sequence numbers: positive if `to` is newer (RFC 1982). */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from) << 16) >> 16;
}

/** Signed distance from `from` to `to` of 32-bit time stamps, in clock units: positive if `to` is newer. */
export function timestampDistance(from: number, to: number): number {
  return (to - from) | 0;
}
