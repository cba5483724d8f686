// A browser's side of a DTLS handshake, as media/webrtc/dtls has the server's. It can be told to lie.
import { createECDH, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { number, Reader, vector } from '../../../media/webrtc/dtls/bytes.ts';
import { type Certificate, fingerprintOf, keyOf } from '../../../media/webrtc/dtls/certificate.ts';
import {
  CERTIFICATE,
  CERTIFICATE_VERIFY,
  CLIENT_HELLO,
  CLIENT_KEY_EXCHANGE,
  FINISHED,
  SERVER_HELLO,
  SERVER_HELLO_DONE,
  SERVER_KEY_EXCHANGE,
} from '../../../media/webrtc/dtls/dtls-server.ts';
import { clientHello, ECDSA_P256_SHA256, extension, RANDOM_BYTES } from '../../../media/webrtc/dtls/hello.ts';
import { SessionKeys, type SrtpKeys } from '../../../media/webrtc/dtls/keys.ts';
import {
  ALERT,
  CHANGE_CIPHER_SPEC,
  fragmentsOf,
  HANDSHAKE,
  handshakeMessage,
  openRecord,
  plainRecord,
  recordsOf,
  sealRecord,
} from '../../../media/webrtc/dtls/records.ts';

export interface DtlsClientOptions {
  certificate: Certificate;
  serverFingerprint: string;
  send: (datagram: Buffer) => void;
  onKeys: (keys: SrtpKeys) => void;
  /** Signs with this key in place of the certificate's. */
  otherKey?: KeyObject;
  /** Bytes of an extension that makes the first message longer than a datagram. */
  padding?: number;
}

const DATAGRAM_BYTES = 1_100;
/** RFC 7685. */
const PADDING = 21;

export class DtlsClient {
  readonly #options: DtlsClientOptions;
  readonly #random = randomBytes(RANDOM_BYTES);
  #serverRandom: Buffer = Buffer.alloc(0);
  #point: Buffer = Buffer.alloc(0);
  readonly #messages: Buffer[] = [];
  #expected = 0;
  #keys: SessionKeys | null = null;
  #flight: ReadonlyArray<{ type: number; content: Buffer; isSealed: boolean }> = [];
  #sent = { plain: 0, sealed: 0 };
  isDone = false;

  constructor(options: DtlsClientOptions) {
    this.#options = options;
  }

  begin(): void {
    const { padding = 0 } = this.#options;
    const more = padding > 0 ? [extension(PADDING, Buffer.alloc(padding))] : [];
    const message = handshakeMessage(CLIENT_HELLO, 0, clientHello(this.#random, more));
    this.#messages.push(message);
    this.#flight = inPieces(message).map((content) => ({ type: HANDSHAKE, content, isSealed: false }));
    this.repeat();
  }

  /** Sends the newest flight again, as after a time without an answer. */
  repeat(): void {
    for (const { type, content, isSealed } of this.#flight) {
      if (!isSealed) this.#options.send(plainRecord(type, this.#sent.plain++, content));
      else if (this.#keys)
        this.#options.send(sealRecord(this.#keys.records.client, type, this.#sent.sealed++, content));
    }
  }

  receive(datagram: Buffer): void {
    for (const record of recordsOf(datagram)) {
      const sealed = record.epoch === 1;
      const content = sealed && this.#keys ? openRecord(this.#keys.records.server, record) : record.content;
      if (record.type !== HANDSHAKE || content === null || (sealed && this.#keys === null)) continue;
      for (const { type, sequence, body, length } of fragmentsOf(content)) {
        if (sequence !== this.#expected || body.length !== length) continue;
        this.#expected++;
        this.#take(type, body, handshakeMessage(type, sequence, body));
      }
    }
  }

  /** Says that it goes. */
  end(): void {
    const closeNotify = Buffer.from([1, 0]);
    if (this.#keys) this.#options.send(sealRecord(this.#keys.records.client, ALERT, this.#sent.sealed++, closeNotify));
  }

  #take(type: number, body: Buffer, message: Buffer): void {
    if (type === FINISHED) return this.#finish(body);
    this.#messages.push(message);
    if (type === SERVER_HELLO) this.#serverRandom = Buffer.from(body.subarray(2, 2 + RANDOM_BYTES));
    else if (type === CERTIFICATE) this.#checkCertificate(body);
    else if (type === SERVER_KEY_EXCHANGE) this.#takeKey(body);
    else if (type === SERVER_HELLO_DONE) this.#answer();
  }

  #serverKey: KeyObject | null = null;

  #checkCertificate(body: Buffer): void {
    const der = new Reader(new Reader(body).vector(3)).vector(3);
    if (fingerprintOf(der) !== this.#options.serverFingerprint) throw new Error('another server');
    this.#serverKey = keyOf(der);
  }

  #takeKey(body: Buffer): void {
    const reader = new Reader(body);
    const parameters = body.subarray(0, 4 + (body[3] as number));
    reader.take(3);
    this.#point = reader.vector(1);
    reader.take(2);
    const signed = Buffer.concat([this.#random, this.#serverRandom, parameters]);
    if (!this.#serverKey || !verify('sha256', signed, this.#serverKey, reader.vector(2))) throw new Error('not signed');
  }

  #answer(): void {
    const { certificate, otherKey = certificate.privateKey } = this.#options;
    const ecdh = createECDH('prime256v1');
    const own = ecdh.generateKeys();
    const messages = [
      handshakeMessage(CERTIFICATE, 1, vector(3, vector(3, certificate.der))),
      handshakeMessage(CLIENT_KEY_EXCHANGE, 2, vector(1, own)),
    ];
    this.#messages.push(...messages);
    const randoms = { client: this.#random, server: this.#serverRandom };
    this.#keys = new SessionKeys(ecdh.computeSecret(this.#point), this.#messages, randoms);
    const signature = sign('sha256', Buffer.concat(this.#messages), otherKey);
    const proof = Buffer.concat([number(ECDSA_P256_SHA256, 2), vector(2, signature)]);
    messages.push(handshakeMessage(CERTIFICATE_VERIFY, 3, proof));
    this.#messages.push(...messages.slice(2));
    const finished = handshakeMessage(FINISHED, 4, this.#keys.finished('client', this.#messages));
    this.#messages.push(finished);
    this.#flight = [
      ...messages.map((content) => ({ type: HANDSHAKE, content, isSealed: false })),
      { type: CHANGE_CIPHER_SPEC, content: Buffer.from([1]), isSealed: false },
      { type: HANDSHAKE, content: finished, isSealed: true },
    ];
    this.repeat();
  }

  #finish(body: Buffer): void {
    if (!this.#keys?.finished('server', this.#messages).equals(body)) throw new Error('a wrong Finished');
    this.isDone = true;
    this.#options.onKeys(this.#keys.srtp);
  }
}

/** Records that fit into datagrams. */
function inPieces(message: Buffer): Buffer[] {
  const header = message.subarray(0, 12);
  const body = message.subarray(12);
  if (body.length <= DATAGRAM_BYTES) return [message];
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += DATAGRAM_BYTES) {
    const piece = body.subarray(at, at + DATAGRAM_BYTES);
    pieces.push(Buffer.concat([header.subarray(0, 6), number(at, 3), number(piece.length, 3), piece]));
  }
  return pieces;
}
