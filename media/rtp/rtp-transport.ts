// A telephone call's audio over RTP: G.711 both ways, digits as RFC 4733 events, comfort noise as silence.
//
//   socket ─► latch ─► RtpSession.onPacket ─┬─ audio ─► decode ─► JitterBuffer ─► pull() by the pacer
//                                           ├─ comfort noise ─► pause
//                                           └─ telephone-event ─► DtmfReceiver ─► onDigit
//   send() by the pacer ─► DtmfSender or encode ─► RtpSession.send
import type { AudioTransport, TransportStats } from '../audio-transport.ts';
import { frameSamples } from '../frame.ts';
import { decodeG711, encodeG711, type Law } from '../g711.ts';
import { DtmfReceiver, DtmfSender } from './dtmf.ts';
import { type FrameKind, JitterBuffer, type LateArrivals } from './jitter-buffer.ts';
import { RTP_HEADER_BYTES, type RtpHeader } from './packet.ts';
import { RtpSession, type RtpSockets } from './session.ts';

/** What offer and answer agreed on. */
export interface RtpAudio {
  remoteAddress: string;
  remotePort: number;
  remoteRtcpPort: number;
  codec: 'PCMU' | 'PCMA';
  payloadType: number;
  /** Null when the peer takes no telephone events (RFC 4733). */
  telephoneEventPayloadType: number | null;
  comfortNoisePayloadType: number | null;
  /** From our side: `recvonly` and `inactive` mean that the peer holds us. */
  direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** base64 of master key and salt for each direction; null for plain RTP. */
  srtp: { localKeySalt: string; remoteKeySalt: string } | null;
}

export interface RtpTransportOptions {
  sockets: RtpSockets;
  /** RTCP's canonical name (RFC 3550, 6.5.1). */
  cname: string;
  onDigit: (digit: string) => void;
  onFault: (error: unknown) => void;
  /** Any monotonic clock, ms. */
  now: () => number;
}

const CLOCK_RATE_HZ = 8000;
// Static payload type of comfort noise (RFC 3551). Some peers send it without having offered it.
const COMFORT_NOISE = 13;
// 100 ms in one packet; the longest ptime accepted is 60.
const MAX_PAYLOAD_BYTES = 800;

export class RtpTransport implements AudioTransport {
  readonly sampleRateHz = CLOCK_RATE_HZ;
  readonly #session: RtpSession;
  readonly #jitter = new JitterBuffer(CLOCK_RATE_HZ);
  readonly #dtmfIn = new DtmfReceiver(CLOCK_RATE_HZ);
  readonly #dtmfOut = new DtmfSender(CLOCK_RATE_HZ);
  readonly #onDigit: (digit: string) => void;
  readonly #decoded = new Int16Array(MAX_PAYLOAD_BYTES);
  /** Null before the first `connect`. */
  #audio: RtpAudio | null = null;
  #law: Law = 'pcmu';
  #timestamp: number;
  /** The next packet starts a talk spurt: it is the first, or follows a gap or digits. */
  #marker = true;

  constructor(options: RtpTransportOptions) {
    this.#onDigit = options.onDigit;
    this.#timestamp = Math.floor(Math.random() * 2 ** 31);
    this.#session = new RtpSession({
      sockets: options.sockets,
      ssrc: Math.floor(Math.random() * 2 ** 32),
      clockRateHz: CLOCK_RATE_HZ,
      cname: options.cname,
      onPacket: (datagram, header, isNewSource, nowMs) => this.#receive(datagram, header, isNewSource, nowMs),
      onFault: options.onFault,
      now: options.now,
    });
  }

  /** Datagrams that were neither RTP nor RTCP. */
  get malformedPackets(): number {
    return this.#session.stats.malformedPackets;
  }

  get delayMs(): number {
    return this.#jitter.depthMs;
  }

  get lastAudioAtMs(): number {
    return this.#jitter.newestAtMs;
  }

  get missingMs(): number {
    return this.held ? 0 : this.#jitter.missingMs;
  }

  get lastLifeMs(): number {
    return this.#session.lastLifeMs;
  }

  get held(): boolean {
    return this.#audio?.direction === 'recvonly' || this.#audio?.direction === 'inactive';
  }

  /** Sets or changes what offer and answer agreed on. @throws {SrtpError} */
  connect(audio: RtpAudio): void {
    this.#audio = audio;
    this.#law = audio.codec === 'PCMA' ? 'pcma' : 'pcmu';
    const payloadTypes = [audio.payloadType, audio.comfortNoisePayloadType ?? COMFORT_NOISE];
    if (audio.telephoneEventPayloadType !== null) payloadTypes.push(audio.telephoneEventPayloadType);
    this.#session.connect({ ...audio, payloadTypes });
  }

  start(): void {
    this.#jitter.reset();
  }

  pull(out: Int16Array): FrameKind {
    return this.#jitter.pull(out);
  }

  takeLate(): LateArrivals | null {
    return this.#jitter.takeLate();
  }

  send(samples: Int16Array, skippedFrames: number): void {
    const frame = frameSamples(CLOCK_RATE_HZ);
    this.#timestamp = (this.#timestamp + frame * (skippedFrames + 1)) >>> 0;
    const audio = this.#audio;
    if (!audio || audio.direction === 'recvonly' || audio.direction === 'inactive') {
      this.#marker = true;
      return;
    }
    const packet = this.#session.nextPacket();
    if (this.#dtmfOut.busy && audio.telephoneEventPayloadType !== null) {
      const event = this.#dtmfOut.next(this.#timestamp);
      if (event !== null && event !== 'pause') {
        event.payload.copy(packet, RTP_HEADER_BYTES);
        const type = audio.telephoneEventPayloadType;
        this.#session.send(packet, event.payload.length, type, event.marker, event.timestamp);
        this.#marker = true;
        return;
      }
    }
    encodeG711(this.#law, samples, packet, RTP_HEADER_BYTES);
    this.#session.send(packet, samples.length, audio.payloadType, this.#marker, this.#timestamp);
    this.#marker = false;
  }

  sendDigits(digits: string): boolean {
    if (!this.#audio || this.#audio.telephoneEventPayloadType === null) return false;
    this.#dtmfOut.enqueue(digits);
    return true;
  }

  housekeep(nowMs: number, wallMs: number): void {
    this.#session.report(nowMs, wallMs);
  }

  stats(): TransportStats {
    return {
      packetsReceived: this.#session.stats.packetsReceived,
      packetsSent: this.#session.stats.packetsSent,
      packetsLost: this.#session.packetsLost,
      packetsConcealed: this.#jitter.stats.concealedFrames,
      foreignPackets: this.#session.stats.foreignPackets,
      jitterMs: Math.round(this.#session.jitterMs * 10) / 10,
    };
  }

  close(wallMs: number): void {
    this.#session.close(wallMs);
  }

  #receive(datagram: Buffer, header: RtpHeader, isNewSource: boolean, nowMs: number): void {
    const audio = this.#audio;
    if (!audio) return;
    if (isNewSource) {
      this.#jitter.reset();
      this.#dtmfIn.reset();
    }
    const { payloadType, payloadOffset, payloadBytes, timestamp } = header;
    if (payloadType === audio.payloadType) {
      if (payloadBytes > MAX_PAYLOAD_BYTES) return;
      decodeG711(this.#law, datagram, payloadOffset, payloadBytes, this.#decoded);
      this.#jitter.push(this.#decoded, payloadBytes, timestamp, header.marker, nowMs);
      return;
    }
    this.#jitter.pause(timestamp);
    if (payloadType !== audio.telephoneEventPayloadType) return;
    const digit = this.#dtmfIn.receive(datagram, payloadOffset, payloadBytes, timestamp, nowMs);
    if (digit !== null) this.#onDigit(digit);
  }
}
