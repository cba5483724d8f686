// RTCP (RFC 3550, 6): sender and receiver reports with a CNAME, and the reception statistics that fill them.
import { sequenceDistance } from './packet.ts';

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const BYE = 203;
// RFC 3550, A.1: steps within these bounds are loss or reordering; beyond them the source has restarted.
const MAX_DROPOUT = 3000;
const MAX_MISORDER = 100;
// From 1900, where NTP time starts, to 1970.
const NTP_OFFSET_S = 2_208_988_800;
// A compound packet has few parts. The bound limits what a crafted datagram of tiny parts can cost.
const MAX_PARTS = 32;

/** Loss and jitter of one source (RFC 3550, A.1, A.3, A.8). */
export class ReceptionStats {
  readonly #clockRateHz: number;
  #started = false;
  #baseSequence = 0;
  #maxSequence = 0;
  #cycles = 0;
  #badSequence = -1;
  #received = 0;
  #receivedBefore = 0;
  #expectedBefore = 0;
  #expectedRestarts = 0;
  #lastTransit = 0;
  #jitter = 0;
  #firstArrivalMs = 0;

  constructor(clockRateHz: number) {
    this.#clockRateHz = clockRateHz;
  }

  get received(): number {
    return this.#received;
  }

  /** Interarrival jitter, ms. */
  get jitterMs(): number {
    return (this.#jitter * 1000) / this.#clockRateHz;
  }

  get expected(): number {
    return this.#started
      ? this.#expectedRestarts + this.#cycles + this.#maxSequence - this.#baseSequence + 1
      : this.#expectedRestarts;
  }

  /** Packets that never came; duplicates do not make it negative. */
  get lost(): number {
    return Math.max(0, this.expected - this.#received);
  }

  /** Counts one packet. `timestamp` in clock units, `nowMs` of any monotonic clock, taken when it arrived. */
  receive(sequence: number, timestamp: number, nowMs: number): void {
    if (!this.#started) {
      this.#restart(sequence);
      this.#firstArrivalMs = nowMs;
      this.#lastTransit = -timestamp;
      this.#received++;
      return;
    }
    const step = sequenceDistance(this.#maxSequence, sequence);
    if (step > 0 && step < MAX_DROPOUT) {
      if (sequence < this.#maxSequence) this.#cycles += 65536;
      this.#maxSequence = sequence;
    } else if (step > 0 || step < -MAX_MISORDER) {
      // Only two packets in sequence prove that the source really restarted.
      if (sequence !== this.#badSequence) {
        this.#badSequence = (sequence + 1) & 0xffff;
        return;
      }
      this.#expectedRestarts = this.expected;
      this.#restart(sequence);
    }
    this.#received++;
    const arrival = ((nowMs - this.#firstArrivalMs) * this.#clockRateHz) / 1000;
    const transit = arrival - timestamp;
    const difference = Math.abs(transit - this.#lastTransit);
    this.#lastTransit = transit;
    // A jump of the time stamps is not jitter.
    if (difference < this.#clockRateHz) this.#jitter += (difference - this.#jitter) / 16;
  }

  /** The fields of a report block (RFC 3550, 6.4.1); the lost fraction is of 256 and counts since the last report. */
  report(): { fractionLost: number; cumulativeLost: number; extendedHighestSequence: number; jitter: number } {
    const expectedNow = this.expected - this.#expectedBefore;
    const receivedNow = this.#received - this.#receivedBefore;
    this.#expectedBefore = this.expected;
    this.#receivedBefore = this.#received;
    const lostNow = expectedNow - receivedNow;
    return {
      fractionLost: expectedNow <= 0 || lostNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow)),
      cumulativeLost: Math.max(-0x800000, Math.min(0x7fffff, this.expected - this.#received)),
      extendedHighestSequence: (this.#cycles + this.#maxSequence) >>> 0,
      jitter: Math.min(0xffffffff, Math.floor(this.#jitter)),
    };
  }

  #restart(sequence: number): void {
    this.#started = true;
    this.#baseSequence = sequence;
    this.#maxSequence = sequence;
    this.#cycles = 0;
    this.#badSequence = -1;
  }
}

interface RtcpReportInput {
  ssrc: number;
  cname: string;
  /** Our sending figures; null makes it a receiver report. `wallMs` is ms since the epoch. */
  sender: { wallMs: number; rtpTimestamp: number; packets: number; payloadBytes: number } | null;
  /** Our reception figures; null if nothing has come yet. */
  reception: {
    ssrc: number;
    stats: ReceptionStats;
    /** Middle 32 bits of the peer's last SR, 0 if there was none. */
    lastSenderReport: number;
    /** Time since that SR arrived, ms. */
    delaySinceMs: number;
  } | null;
  bye: boolean;
}

/** Builds a compound packet (RFC 3550, 6.1): SR or RR, SDES with CNAME (cut at 255 bytes), and BYE if requested. */
export function buildRtcp(input: RtcpReportInput): Buffer {
  const blocks = input.reception ? 1 : 0;
  const reportBytes = 8 + (input.sender ? 20 : 0) + blocks * 24;
  const cname = Buffer.from(input.cname, 'utf8').subarray(0, 255);
  // SSRC, item, terminating zero, padded to 32 bits.
  const sdesBytes = 4 + Math.ceil((4 + 2 + cname.length + 1) / 4) * 4;
  const out = Buffer.alloc(reportBytes + sdesBytes + (input.bye ? 8 : 0));
  out[0] = 0x80 | blocks;
  out[1] = input.sender ? SENDER_REPORT : RECEIVER_REPORT;
  out.writeUInt16BE(reportBytes / 4 - 1, 2);
  out.writeUInt32BE(input.ssrc >>> 0, 4);
  let offset = 8;
  if (input.sender) {
    const seconds = Math.floor(input.sender.wallMs / 1000);
    out.writeUInt32BE((seconds + NTP_OFFSET_S) >>> 0, offset);
    out.writeUInt32BE(Math.floor(((input.sender.wallMs - seconds * 1000) / 1000) * 2 ** 32) >>> 0, offset + 4);
    out.writeUInt32BE(input.sender.rtpTimestamp >>> 0, offset + 8);
    out.writeUInt32BE(input.sender.packets >>> 0, offset + 12);
    out.writeUInt32BE(input.sender.payloadBytes >>> 0, offset + 16);
    offset += 20;
  }
  if (input.reception) {
    const report = input.reception.stats.report();
    out.writeUInt32BE(input.reception.ssrc >>> 0, offset);
    out[offset + 4] = report.fractionLost;
    out.writeIntBE(report.cumulativeLost, offset + 5, 3);
    out.writeUInt32BE(report.extendedHighestSequence, offset + 8);
    out.writeUInt32BE(report.jitter, offset + 12);
    out.writeUInt32BE(input.reception.lastSenderReport >>> 0, offset + 16);
    const delay =
      input.reception.lastSenderReport === 0 ? 0 : Math.round((input.reception.delaySinceMs * 65536) / 1000);
    out.writeUInt32BE(Math.min(0xffffffff, Math.max(0, delay)), offset + 20);
    offset += 24;
  }
  out[offset] = 0x81;
  out[offset + 1] = SOURCE_DESCRIPTION;
  out.writeUInt16BE(sdesBytes / 4 - 1, offset + 2);
  out.writeUInt32BE(input.ssrc >>> 0, offset + 4);
  out[offset + 8] = 1;
  out[offset + 9] = cname.length;
  cname.copy(out, offset + 10);
  offset += sdesBytes;
  if (input.bye) {
    out[offset] = 0x81;
    out[offset + 1] = BYE;
    out.writeUInt16BE(1, offset + 2);
    out.writeUInt32BE(input.ssrc >>> 0, offset + 4);
  }
  return out;
}

interface RtcpSummary {
  /** SSRC of the first report. */
  ssrc: number;
  /** Middle 32 bits of the NTP time of a sender report, null if there was none. */
  senderReport: number | null;
  /** The peer's report on our stream, null if there was none. */
  ours: { fractionLost: number; cumulativeLost: number; jitter: number } | null;
  bye: boolean;
}

/** Parses a compound packet as far as it is well-formed; null if it does not begin with a report (RFC 3550, A.2). */
export function parseRtcp(datagram: Buffer, ourSsrc: number): RtcpSummary | null {
  let summary: RtcpSummary | null = null;
  let offset = 0;
  for (let part = 0; part < MAX_PARTS && offset + 8 <= datagram.length; part++) {
    const first = datagram[offset] as number;
    const type = datagram[offset + 1] as number;
    const bytes = (datagram.readUInt16BE(offset + 2) + 1) * 4;
    if (first >> 6 !== 2 || bytes < 8 || offset + bytes > datagram.length) break;
    const count = first & 0x1f;
    if (type === SENDER_REPORT || type === RECEIVER_REPORT) {
      const isSender = type === SENDER_REPORT;
      if (isSender && bytes < 28) break;
      summary ??= { ssrc: datagram.readUInt32BE(offset + 4), senderReport: null, ours: null, bye: false };
      if (isSender) summary.senderReport = datagram.readUInt32BE(offset + 10);
      let block = offset + (isSender ? 28 : 8);
      for (let i = 0; i < count && block + 24 <= offset + bytes; i++, block += 24) {
        if (datagram.readUInt32BE(block) !== ourSsrc >>> 0) continue;
        summary.ours = {
          fractionLost: datagram[block + 4] as number,
          cumulativeLost: datagram.readIntBE(block + 5, 3),
          jitter: datagram.readUInt32BE(block + 12),
        };
      }
    } else if (summary === null) {
      return null;
    } else if (type === BYE) {
      summary.bye = true;
    }
    offset += bytes;
  }
  return summary;
}
