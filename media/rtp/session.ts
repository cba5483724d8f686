// The RTP and RTCP sockets of a call (even and odd port), and the processing that every packet needs: latching to one
// source, SRTP, statistics, reports (RFC 3550). `rtp-transport.ts` interprets the packets.
import { Latch } from './latch.ts';
import { unmapped } from './mapped-address.ts';
import {
  emptyRtpHeader,
  looksLikeRtcp,
  MAX_RTP_BYTES,
  parseRtp,
  RTP_HEADER_BYTES,
  type RtpHeader,
  writeRtpHeader,
} from './packet.ts';
import { buildRtcp, parseRtcp, ReceptionStats } from './rtcp.ts';
import { SrtpContext, type SrtpProgress } from './srtp.ts';
import type { RtpStream } from './stream.ts';

interface RtpSessionStats {
  packetsReceived: number;
  packetsSent: number;
  bytesSent: number;
  /** Packets from another source than the peer, or of a payload type that was not agreed. */
  foreignPackets: number;
  malformedPackets: number;
}

/** The far side as signalling describes it. */
interface RtpPeer {
  remoteAddress: string;
  remotePort: number;
  remoteRtcpPort: number;
  /** Payload types that are accepted. */
  payloadTypes: readonly number[];
  /** Clock rate of the peer's time stamps. */
  clockRateHz: number;
  /** base64 key || salt of each direction, null for plain RTP. */
  srtp: { localKeySalt: string; remoteKeySalt: string } | null;
  /** Addresses and CIDRs that packets may come from, besides `remoteAddress`. */
  sources: readonly string[];
}

interface RtpSessionOptions {
  /** The pair made by `bindRtpPair`. */
  sockets: RtpSockets;
  ssrc: number;
  /** The stream of an earlier session that this one goes on with. */
  resume?: RtpStream;
  /** Clock rate of the time stamps until `connect` changes it. */
  clockRateHz: number;
  cname: string;
  /** A packet of the peer. `header` and `datagram` are valid only during this call. */
  onPacket: (datagram: Buffer, header: RtpHeader, isNewSource: boolean, nowMs: number) => void;
  /** A callback threw: the call must end. */
  onFault: (error: unknown) => void;
  /** Any monotonic clock, ms. */
  now: () => number;
}

/** The part of a socket of node:dgram that a session uses. */
export interface RtpSocket {
  on(event: 'message', listener: (datagram: Buffer, from: Source) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  send(bytes: Uint8Array, offset: number, length: number, port: number, address: string): void;
  close(): unknown;
}

interface Source {
  address: string;
  port: number;
}

export interface RtpSockets {
  rtp: RtpSocket;
  rtcp: RtpSocket;
  port: number;
}

interface Keyed {
  keySalt: string;
  context: SrtpContext;
}

/** RFC 3711, 9.1: a direction with an unchanged key continues; a restart would repeat its key stream. */
function keyed(before: Keyed | null, keySalt: string, progress: SrtpProgress | null): Keyed {
  if (before?.keySalt === keySalt) return before;
  const context = new SrtpContext(keySalt);
  if (progress && before === null) context.goOn(progress);
  return { keySalt, context };
}

// RFC 3550, 6.2: at least 5 s, spread over 0.5-1.5 of it; the first report after half of that.
const REPORT_INTERVAL_MS = 5000;
// Packets of 5 ms, and 20 s of usual ones at once: a process may stand still for 15. The decoding of one costs a tenth
// of a millisecond and more, also where its sender has nothing to say; those beyond count as lost.
const PACKETS_PER_SECOND = 250;
const PACKETS_AT_ONCE = 1_000;
// A send may still be queued in libuv when the next packet is built, so 8 buffers (160 ms) are used in turn.
const SEND_BUFFERS = 8;

export class RtpSession {
  readonly stats: RtpSessionStats = {
    packetsReceived: 0,
    packetsSent: 0,
    bytesSent: 0,
    foreignPackets: 0,
    malformedPackets: 0,
  };
  readonly #options: RtpSessionOptions;
  readonly #now: () => number;
  readonly #latch = new Latch();
  readonly #header = emptyRtpHeader();
  readonly #buffers = Array.from({ length: SEND_BUFFERS }, () => Buffer.alloc(MAX_RTP_BYTES));
  #reception: ReceptionStats;
  #clockRateHz: number;
  #lostBefore = 0;
  #bufferIndex = 0;
  #peer: RtpPeer | null = null;
  #accepts = new Uint8Array(128);
  #inbound: Keyed | null = null;
  #outbound: Keyed | null = null;
  /** Both directions use SRTP; the contexts of an earlier agreement are kept for its keys. */
  #secure = false;
  #sequence: number;
  #lastTimestamp = 0;
  #lastLifeMs: number;
  /** Packets that may come, and as of when. */
  #allowance = { packets: PACKETS_AT_ONCE, atMs: 0 };
  #nextReportMs: number;
  #reported = { packets: 0 };
  #senderReport = 0;
  #senderReportAtMs = 0;
  #rtcpPort = 0;
  #closed = false;

  constructor(options: RtpSessionOptions) {
    this.#options = options;
    this.#now = options.now;
    this.#clockRateHz = options.clockRateHz;
    this.#reception = new ReceptionStats(options.clockRateHz);
    this.#sequence = options.resume?.sequence ?? Math.floor(Math.random() * 0x8000);
    const nowMs = this.#now();
    this.#lastLifeMs = nowMs;
    this.#nextReportMs = nowMs + REPORT_INTERVAL_MS / 2;
    this.#listen(options.sockets.rtp, (datagram, from) => this.#onRtp(datagram, from));
    this.#listen(options.sockets.rtcp, (datagram, from) => this.#onRtcp(datagram, from));
  }

  /** The state from which another session goes on with this stream; `timestamp`: of the next packet. */
  stream(timestamp: number): RtpStream {
    return {
      ssrc: this.#options.ssrc,
      sequence: this.#sequence,
      timestamp,
      clockRateHz: this.#clockRateHz,
      inbound: this.#inbound?.context.progress ?? null,
      outbound: this.#outbound?.context.progress ?? null,
    };
  }

  /** When the peer last sent RTP or RTCP, ms on the session's clock. */
  get lastLifeMs(): number {
    return this.#lastLifeMs;
  }

  get packetsLost(): number {
    return this.#lostBefore + this.#reception.lost;
  }

  get jitterMs(): number {
    return this.#reception.jitterMs;
  }

  /**
   * Sets or changes the far side; a different address re-opens the latch, a different key restarts SRTP in its
   * direction.
   * @throws SrtpError
   */
  connect(peer: RtpPeer): void {
    if (peer.srtp) {
      const { resume } = this.#options;
      this.#inbound = keyed(this.#inbound, peer.srtp.remoteKeySalt, resume?.inbound ?? null);
      this.#outbound = keyed(this.#outbound, peer.srtp.localKeySalt, resume?.outbound ?? null);
    }
    this.#secure = peer.srtp !== null;
    this.#peer = peer;
    if (peer.clockRateHz !== this.#clockRateHz) {
      this.#clockRateHz = peer.clockRateHz;
      this.#renewReception();
    }
    this.#rtcpPort = peer.remoteRtcpPort;
    this.#accepts.fill(0);
    for (const payloadType of peer.payloadTypes) this.#accepts[payloadType & 0x7f] = 1;
    this.#latch.signal(peer.remoteAddress, peer.remotePort, peer.sources);
    this.#lastLifeMs = this.#now();
  }

  /** A buffer for the next packet; its payload starts at byte 12. Send it before requesting another. */
  nextPacket(): Buffer {
    this.#bufferIndex = (this.#bufferIndex + 1) % SEND_BUFFERS;
    return this.#buffers[this.#bufferIndex] as Buffer;
  }

  /**
   * Sends the buffer of `nextPacket` with `payloadBytes` of payload. Synchronous; never throws, a failed packet is
   * lost.
   */
  send(packet: Buffer, payloadBytes: number, payloadType: number, marker: boolean, timestamp: number): void {
    const address = this.#latch.address;
    const port = this.#latch.port;
    if (this.#closed || address === null || port === 0 || !this.#peer) return;
    writeRtpHeader(packet, marker, payloadType, this.#sequence, timestamp, this.#options.ssrc);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#lastTimestamp = timestamp;
    this.stats.packetsSent++;
    this.stats.bytesSent += payloadBytes;
    const bytes = RTP_HEADER_BYTES + payloadBytes;
    try {
      if (this.#secure && this.#outbound) {
        const secured = this.#outbound.context.protect(packet.subarray(0, bytes), RTP_HEADER_BYTES);
        this.#options.sockets.rtp.send(secured, 0, secured.length, port, address);
      } else {
        this.#options.sockets.rtp.send(packet, 0, bytes, port, address);
      }
    } catch {
      // A packet that cannot be sent counts as lost, as it could be lost on the way.
    }
  }

  /** Sends a report if one is due. `nowMs` is monotonic; `wallMs`, ms since the epoch, gives the report's NTP time. */
  report(nowMs: number, wallMs: number): void {
    if (nowMs < this.#nextReportMs) return;
    this.#nextReportMs = nowMs + REPORT_INTERVAL_MS * (0.5 + Math.random());
    this.#sendReport(nowMs, wallMs, false);
  }

  /** Sends BYE and closes both sockets. */
  close(wallMs: number): void {
    if (this.#closed) return;
    this.#sendReport(this.#now(), wallMs, true);
    this.leave();
  }

  /** Closes both sockets: another session goes on with the stream. */
  leave(): void {
    this.#closed = true;
    for (const socket of [this.#options.sockets.rtp, this.#options.sockets.rtcp]) {
      // The BYE may still be queued, so the socket closes one turn of the event loop later.
      setImmediate(() => socket.close());
    }
  }

  #listen(socket: RtpSocket, handle: (datagram: Buffer, from: Source) => void): void {
    socket.on('message', (datagram, from) => {
      if (this.#closed) return;
      try {
        const address = unmapped(from.address);
        handle(datagram, address === from.address ? from : { address, port: from.port });
      } catch (error) {
        this.#options.onFault(error);
      }
    });
    // Asynchronous send errors (a closed port of the peer) arrive here and concern only that packet.
    socket.on('error', () => undefined);
  }

  #onRtp(datagram: Buffer, from: Source): void {
    if (looksLikeRtcp(datagram)) {
      this.#onRtcp(datagram, from);
      return;
    }
    const header = this.#header;
    if (!parseRtp(datagram, header)) {
      this.stats.malformedPackets++;
      return;
    }
    if (this.#accepts[header.payloadType] !== 1) {
      this.stats.foreignPackets++;
      return;
    }
    const nowMs = this.#now();
    // Strangers' packets are not worth their decryption.
    if (!this.#latch.mayTake(from.address, from.port, nowMs)) {
      this.stats.foreignPackets++;
      return;
    }
    let plain: Buffer = datagram;
    if (this.#secure && this.#inbound) {
      const opened = this.#inbound.context.unprotect(datagram, header.payloadOffset);
      if (!opened || !parseRtp(opened, header)) {
        this.stats.foreignPackets++;
        return;
      }
      plain = opened;
    }
    const verdict = this.#latch.judge(from.address, from.port, header, nowMs);
    if (verdict === 'foreign') {
      this.stats.foreignPackets++;
      return;
    }
    if (verdict === 'accept-new-source') this.#renewReception();
    this.#lastLifeMs = nowMs;
    if (this.#isTooMany(nowMs)) return;
    this.stats.packetsReceived++;
    this.#reception.receive(header.sequence, header.timestamp, nowMs);
    this.#options.onPacket(plain, header, verdict === 'accept-new-source', nowMs);
  }

  #isTooMany(nowMs: number): boolean {
    const { packets, atMs } = this.#allowance;
    const allowed = Math.min(PACKETS_AT_ONCE, packets + ((nowMs - atMs) * PACKETS_PER_SECOND) / 1_000);
    this.#allowance.atMs = nowMs;
    this.#allowance.packets = Math.max(0, allowed - 1);
    return allowed < 1;
  }

  #renewReception(): void {
    this.#lostBefore += this.#reception.lost;
    this.#reception = new ReceptionStats(this.#clockRateHz);
  }

  #onRtcp(datagram: Buffer, from: Source): void {
    if (!this.#latch.isPeerHost(from.address)) {
      this.stats.foreignPackets++;
      return;
    }
    const plain = this.#secure && this.#inbound ? this.#inbound.context.unprotectRtcp(datagram) : datagram;
    const summary = plain ? parseRtcp(plain, this.#options.ssrc) : null;
    if (!summary) {
      this.stats.malformedPackets++;
      return;
    }
    const nowMs = this.#now();
    this.#lastLifeMs = nowMs;
    if (summary.senderReport !== null) {
      this.#senderReport = summary.senderReport;
      this.#senderReportAtMs = nowMs;
    }
  }

  #sendReport(nowMs: number, wallMs: number, bye: boolean): void {
    const address = this.#latch.address;
    if (this.#closed || address === null || this.#rtcpPort === 0) return;
    const hasSent = this.stats.packetsSent > this.#reported.packets;
    this.#reported.packets = this.stats.packetsSent;
    const source = this.#latch.ssrc;
    const report = buildRtcp({
      ssrc: this.#options.ssrc,
      cname: this.#options.cname,
      sender: hasSent
        ? {
            wallMs,
            rtpTimestamp: this.#lastTimestamp,
            packets: this.stats.packetsSent,
            payloadBytes: this.stats.bytesSent,
          }
        : null,
      reception:
        source === null
          ? null
          : {
              ssrc: source,
              stats: this.#reception,
              lastSenderReport: this.#senderReport,
              delaySinceMs: nowMs - this.#senderReportAtMs,
            },
      bye,
    });
    const wire = this.#secure && this.#outbound ? this.#outbound.context.protectRtcp(report) : report;
    try {
      this.#options.sockets.rtcp.send(wire, 0, wire.length, this.#rtcpPort, address);
    } catch {
      // A report that cannot be sent is lost; the next one supersedes it.
    }
  }
}
