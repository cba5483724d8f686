// A browser's WebRTC without a browser: offer, ICE checks as the controlling side, DTLS as the client, and SRTP, over
// one UDP socket. `repeat` stands for its timers.
import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { RtpSockets } from '../../../media/rtp/session.ts';
import { makeCertificate } from '../../../media/webrtc/dtls/certificate.ts';
import type { SrtpKeys } from '../../../media/webrtc/dtls/keys.ts';
import { BINDING_REQUEST, bindingRequest, bindingResponse, isAuthentic, readStun } from '../../../media/webrtc/stun.ts';
import { virtualPair } from '../../../media/webrtc/virtual-pair.ts';
import { DtlsClient, type DtlsClientOptions } from './dtls-client.ts';

export const OPUS_TYPE = 111;
const EVENT_TYPE = 110;

/** Of the side that answers. */
interface Answered {
  ufrag: string;
  password: string;
  fingerprint: string;
  address: string;
  port: number;
}

export class WebRtcPhone {
  readonly ufrag = randomBytes(6).toString('base64');
  readonly password = randomBytes(18).toString('base64');
  readonly #certificate = makeCertificate();
  readonly #socket: Socket;
  readonly #lies: Partial<DtlsClientOptions>;
  #answered: Answered | null = null;
  #dtls: DtlsClient | null = null;
  #isWritable = false;
  readonly #pair = virtualPair(
    (packet) => this.send(packet),
    () => undefined,
  );
  keys: SrtpKeys | null = null;
  /** Bytes from the other side, and to it. */
  bytes = { in: 0, out: 0 };
  /** Nothing goes out, or comes in: a network that lets no UDP through. */
  isDeaf = false;
  isMute = false;
  #isClosed = false;

  private constructor(socket: Socket, lies: Partial<DtlsClientOptions>) {
    this.#socket = socket;
    this.#lies = lies;
    socket.on('message', (datagram) => this.#receive(datagram));
  }

  /** `lies`: of its handshake. */
  static async open(lies: Partial<DtlsClientOptions> = {}): Promise<WebRtcPhone> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new WebRtcPhone(socket, lies);
  }

  get offer(): string {
    return [
      ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0'],
      `m=audio 9 UDP/TLS/RTP/SAVPF ${OPUS_TYPE} 0 ${EVENT_TYPE}`,
      ...['c=IN IP4 0.0.0.0', 'a=rtcp:9 IN IP4 0.0.0.0', `a=ice-ufrag:${this.ufrag}`, `a=ice-pwd:${this.password}`],
      ...[
        'a=ice-options:trickle',
        `a=fingerprint:sha-256 ${this.#certificate.fingerprint}`,
        'a=setup:actpass',
        'a=mid:0',
      ],
      ...['a=sendrecv', 'a=rtcp-mux', `a=rtpmap:${OPUS_TYPE} opus/48000/2`, 'a=rtpmap:0 PCMU/8000'],
      `a=rtpmap:${EVENT_TYPE} telephone-event/48000`,
      '',
    ].join('\r\n');
  }

  get identity(): { ufrag: string; password: string; fingerprint: string } {
    return { ufrag: this.ufrag, password: this.password, fingerprint: this.#certificate.fingerprint };
  }

  /** Begins to connect. */
  answer(answered: Answered): void {
    this.#answered = answered;
    this.repeat();
  }

  /** Sends once more whatever is not answered yet. */
  repeat(): void {
    this.check();
    if (this.#isWritable && !this.#dtls?.isDone) this.#dtls?.repeat();
  }

  /** A connectivity check; browsers repeat it as long as they consent (RFC 7675). */
  check(): void {
    const { ufrag, password } = this.#answered ?? {};
    if (ufrag === undefined || password === undefined) return;
    this.send(bindingRequest(`${ufrag}:${this.ufrag}`, password).datagram);
  }

  send(datagram: Uint8Array): void {
    if (this.#answered === null || this.isMute || this.#isClosed) return;
    this.bytes.out += datagram.length;
    this.#socket.send(datagram, this.#answered.port, this.#answered.address);
  }

  /** The connection as a pair of ports. */
  get sockets(): RtpSockets {
    return this.#pair.sockets;
  }

  /** Says goodbye, and closes. */
  close(): void {
    this.#dtls?.end();
    setImmediate(() => {
      this.#isClosed = true;
      this.#socket.close();
    });
  }

  #receive(datagram: Buffer): void {
    if (this.isDeaf) return;
    this.bytes.in += datagram.length;
    const first = datagram[0] ?? 255;
    if (first < 4) this.#receiveStun(datagram);
    else if (first < 64) this.#dtls?.receive(datagram);
    else this.#pair.deliver(datagram);
  }

  #receiveStun(datagram: Buffer): void {
    const message = readStun(datagram);
    const answered = this.#answered;
    if (!message || !answered) return;
    if (message.type === BINDING_REQUEST) {
      if (!isAuthentic(datagram, message, this.password)) return;
      this.send(bindingResponse(message.transactionId, answered, this.password));
      return;
    }
    if (this.#isWritable || !isAuthentic(datagram, message, answered.password)) return;
    this.#isWritable = true;
    this.#dtls = new DtlsClient({
      certificate: this.#certificate,
      serverFingerprint: answered.fingerprint,
      send: (bytes) => this.send(bytes),
      onKeys: (keys) => {
        this.keys = keys;
      },
      ...this.#lies,
    });
    this.#dtls.begin();
  }
}
