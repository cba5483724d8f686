// The server's side of a DTLS 1.2 handshake (RFC 6347) for one browser, whose certificate has the fingerprint that its
// offer named (RFC 8827 6.5): nothing else of a certificate counts. It has no timers: the client repeats what it gets
// no answer to, and each repetition is answered once. After the handshake only repetitions and the end are read.
//
//   ◄── ClientHello                             ──► ServerHello, Certificate, KeyExchange, CertificateRequest, Done
//   ◄── Certificate, KeyExchange, CertificateVerify, ChangeCipherSpec, Finished   ──► ChangeCipherSpec, Finished
import {
  createECDH,
  createPublicKey,
  type ECDH,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { DtlsError, number, Reader, vector } from './bytes.ts';
import { type Certificate, fingerprintOf, keyOf } from './certificate.ts';
import { ECDSA_P256_SHA256, P_256, RANDOM_BYTES, readClientHello, serverHello } from './hello.ts';
import { type DirectionKey, SessionKeys, type SrtpKeys } from './keys.ts';
import {
  ALERT,
  CHANGE_CIPHER_SPEC,
  type DtlsRecord,
  type Fragment,
  fragmentsOf,
  HANDSHAKE,
  handshakeMessage,
  openRecord,
  plainRecord,
  Reassembly,
  recordsOf,
  sealRecord,
} from './records.ts';

export const CLIENT_HELLO = 1;
export const SERVER_HELLO = 2;
export const CERTIFICATE = 11;
export const SERVER_KEY_EXCHANGE = 12;
const CERTIFICATE_REQUEST = 13;
export const SERVER_HELLO_DONE = 14;
export const CERTIFICATE_VERIFY = 15;
export const CLIENT_KEY_EXCHANGE = 16;
export const FINISHED = 20;

/** The client's messages; each has its index as its number. */
const EXPECTED = [CLIENT_HELLO, CERTIFICATE, CLIENT_KEY_EXCHANGE, CERTIFICATE_VERIFY, FINISHED];
const NAMED_CURVE = 3;
/** RFC 8422 5.5. */
const ECDSA_SIGN = 64;
/** A handshake takes some five, and afterwards a goodbye is all; what comes beyond is somebody who tries. */
const MAX_DATAGRAMS = 200;
const MAX_REPETITIONS = 20;
/** Each may cost as much as a right message: a tenth of a millisecond for a signature. */
const MAX_WRONG = 8;

interface DtlsServerOptions {
  certificate: Certificate;
  /** SHA-256 of the client's certificate, `AB:CD:…`. */
  clientFingerprint: string;
  send: (datagram: Buffer) => void;
  /** The handshake is done, and the client is the one of the offer. */
  onKeys: (keys: SrtpKeys) => void;
  /** The client says that it goes. */
  onEnd: () => void;
}

interface Secrets {
  keys: SessionKeys;
  client: DirectionKey;
  server: DirectionKey;
}

export class DtlsServer {
  readonly #options: DtlsServerOptions;
  readonly #random = randomBytes(RANDOM_BYTES);
  #clientRandom: Buffer = Buffer.alloc(0);
  #ecdh: ECDH | null = null;
  #clientKey: KeyObject | null = null;
  #secrets: Secrets | null = null;
  /** Handshake messages so far, for the hashes. */
  readonly #messages: Buffer[] = [];
  /** How many of `EXPECTED` have come. */
  #taken = 0;
  #reassembly = new Reassembly();
  /** Our newest flight, for a client that repeats its own. */
  #flight: ReadonlyArray<{ type: number; content: Buffer; isSealed: boolean }> = [];
  #sent = { plain: 0, sealed: 0, messages: 0 };
  #datagrams = 0;
  #repetitions = 0;
  /** Messages that were forged, or mean nothing to us. */
  #wrong = 0;

  constructor(options: DtlsServerOptions) {
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#taken === EXPECTED.length;
  }

  /** Takes a datagram of the client's address; whatever is wrong in it is ignored, as if it had been lost. */
  receive(datagram: Buffer): void {
    if (++this.#datagrams > MAX_DATAGRAMS) return;
    for (const record of recordsOf(datagram)) {
      const content = this.#open(record);
      if (content === null) continue;
      if (record.type === HANDSHAKE) for (const fragment of fragmentsOf(content)) this.#receive(fragment, record.epoch);
      // Only what is sealed ends a call's media; anybody can send an alert in the clear.
      else if (record.type === ALERT && record.epoch === 1 && this.isDone) this.#options.onEnd();
    }
  }

  #open(record: DtlsRecord): Buffer | null {
    if (record.epoch === 0) return record.content;
    return record.epoch === 1 && this.#secrets ? openRecord(this.#secrets.client, record) : null;
  }

  #receive(fragment: Fragment, epoch: number): void {
    const { type, sequence, offset } = fragment;
    if (sequence < this.#taken && offset === 0) {
      const isLast = sequence === this.#taken - 1;
      if (isLast && (type === CLIENT_HELLO || type === FINISHED) && ++this.#repetitions < MAX_REPETITIONS)
        this.#flush();
      return;
    }
    const isExpected = sequence === this.#taken && type === EXPECTED[this.#taken];
    if (!isExpected || epoch !== (type === FINISHED ? 1 : 0) || this.#wrong >= MAX_WRONG) return;
    try {
      const body = this.#reassembly.add(fragment);
      if (body === null) return;
      this.#reassembly = new Reassembly();
      this.#take(type, body, handshakeMessage(type, sequence, body));
    } catch {
      // Forged, or of a client that speaks nothing of ours, which goes on without WebRTC.
      this.#reassembly = new Reassembly();
      this.#wrong++;
    }
  }

  /** @throws {DtlsError} and errors of node:crypto */
  #take(type: number, body: Buffer, message: Buffer): void {
    switch (type) {
      case CLIENT_HELLO:
        this.#greet(body, message);
        break;
      case CERTIFICATE:
        this.#clientKey = this.#keyOf(body);
        break;
      case CLIENT_KEY_EXCHANGE:
        this.#agree(body, message);
        break;
      case CERTIFICATE_VERIFY:
        this.#verify(body);
        break;
      case FINISHED:
        this.#finish(body, message);
        return;
    }
    if (type !== CLIENT_HELLO) this.#messages.push(message);
    this.#taken++;
  }

  #greet(body: Buffer, message: Buffer): void {
    const hello = readClientHello(body);
    const { certificate } = this.#options;
    this.#clientRandom = hello.random;
    const ecdh = createECDH('prime256v1');
    const point = Buffer.concat([number(NAMED_CURVE, 1), number(P_256, 2), vector(1, ecdh.generateKeys())]);
    const signed = sign('sha256', Buffer.concat([hello.random, this.#random, point]), certificate.privateKey);
    this.#ecdh = ecdh;
    this.#messages.push(message);
    const algorithm = number(ECDSA_P256_SHA256, 2);
    const own: Array<[type: number, body: Buffer]> = [
      [SERVER_HELLO, serverHello(this.#random, hello)],
      [CERTIFICATE, vector(3, vector(3, certificate.der))],
      [SERVER_KEY_EXCHANGE, Buffer.concat([point, algorithm, vector(2, signed)])],
      [CERTIFICATE_REQUEST, Buffer.concat([vector(1, number(ECDSA_SIGN, 1)), vector(2, algorithm), vector(2)])],
      [SERVER_HELLO_DONE, Buffer.alloc(0)],
    ];
    const contents = own.map(([type, content]) => handshakeMessage(type, this.#sent.messages++, content));
    this.#messages.push(...contents);
    this.#flight = contents.map((content) => ({ type: HANDSHAKE, content, isSealed: false }));
    this.#flush();
  }

  #keyOf(body: Buffer): KeyObject {
    const certificate = new Reader(new Reader(body).vector(3)).vector(3);
    if (fingerprintOf(certificate) !== this.#options.clientFingerprint) throw new DtlsError('another certificate');
    return keyOf(certificate);
  }

  #agree(body: Buffer, message: Buffer): void {
    const secret = (this.#ecdh as ECDH).computeSecret(new Reader(body).vector(1));
    const randoms = { client: this.#clientRandom, server: this.#random };
    const keys = new SessionKeys(secret, [...this.#messages, message], randoms);
    this.#secrets = { keys, ...keys.records };
  }

  /** The client has the key of its certificate, which anybody could have copied. */
  #verify(body: Buffer): void {
    const reader = new Reader(body);
    const isOurs = reader.number(2) === ECDSA_P256_SHA256;
    const signature = reader.vector(2);
    const key = this.#clientKey ?? createPublicKey('');
    const isRight =
      isOurs && key.asymmetricKeyType === 'ec' && verify('sha256', Buffer.concat(this.#messages), key, signature);
    if (!isRight) throw new DtlsError('the certificate is not the client’s');
  }

  #finish(body: Buffer, message: Buffer): void {
    const { keys } = this.#secrets as Secrets;
    const expected = keys.finished('client', this.#messages);
    if (body.length !== expected.length || !timingSafeEqual(body, expected)) throw new DtlsError('a wrong Finished');
    this.#messages.push(message);
    this.#taken++;
    const finished = handshakeMessage(FINISHED, this.#sent.messages++, keys.finished('server', this.#messages));
    this.#flight = [
      { type: CHANGE_CIPHER_SPEC, content: Buffer.from([1]), isSealed: false },
      { type: HANDSHAKE, content: finished, isSealed: true },
    ];
    this.#flush();
    this.#messages.length = 0;
    this.#datagrams = 0;
    this.#options.onKeys(keys.srtp);
  }

  #flush(): void {
    const records = this.#flight.map(({ type, content, isSealed }) =>
      isSealed && this.#secrets
        ? sealRecord(this.#secrets.server, type, this.#sent.sealed++, content)
        : plainRecord(type, this.#sent.plain++, content),
    );
    this.#options.send(Buffer.concat(records));
  }
}
