// The hellos of a handshake as WebRTC needs them (RFC 8827 6.5): DTLS 1.2, ECDHE over P-256 with ECDSA and AES-128-GCM,
// the extended master secret (RFC 7627), and SRTP (RFC 5764). Every browser offers these, also one that knows more.
import { DtlsError, number, Reader, vector } from './bytes.ts';
import { DTLS_1_2 } from './records.ts';

/** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256. */
const SUITE = 0xc02b;
export const P_256 = 23;
/** SRTP_AES128_CM_HMAC_SHA1_80. */
const SRTP_PROFILE = 0x0001;
export const ECDSA_P256_SHA256 = 0x0403;
export const RANDOM_BYTES = 32;
const RENEGOTIATION_SUITE = 0x00ff;

const SUPPORTED_GROUPS = 10;
const SIGNATURE_ALGORITHMS = 13;
const USE_SRTP = 14;
const EXTENDED_MASTER_SECRET = 23;
const RENEGOTIATION = 0xff01;
const MAX_EXTENSIONS = 64;

interface ClientHello {
  random: Buffer;
  /** It asks whether we know that there is no renegotiation (RFC 5746). */
  asksRenegotiation: boolean;
}

/** @throws {DtlsError} where it is none, or offers nothing that we speak */
export function readClientHello(body: Buffer): ClientHello {
  const reader = new Reader(body);
  // Versions count downwards.
  if (reader.number(2) > DTLS_1_2) throw new DtlsError('a client without DTLS 1.2');
  const random = Buffer.from(reader.take(RANDOM_BYTES));
  reader.vector(1);
  reader.vector(1);
  const suites = numbersOf(reader.vector(2), 2);
  reader.vector(1);
  const extensions = readExtensions(reader);
  const offers = (extension: number, value: number): boolean => {
    const content = extensions.get(extension);
    return content !== undefined && numbersOf(new Reader(content).vector(2), 2).includes(value);
  };
  if (!suites.includes(SUITE)) throw new DtlsError('no cipher suite in common');
  if (!offers(SUPPORTED_GROUPS, P_256)) throw new DtlsError('no group in common');
  if (!offers(SIGNATURE_ALGORITHMS, ECDSA_P256_SHA256)) throw new DtlsError('no signature in common');
  if (!offers(USE_SRTP, SRTP_PROFILE)) throw new DtlsError('no SRTP profile in common');
  if (!extensions.has(EXTENDED_MASTER_SECRET)) throw new DtlsError('a client without the extended master secret');
  return { random, asksRenegotiation: suites.includes(RENEGOTIATION_SUITE) || extensions.has(RENEGOTIATION) };
}

/** The content of a client's first message, as short as it can be; `more` extensions. */
export function clientHello(random: Buffer, more: readonly Buffer[] = []): Buffer {
  const extensions = [
    extension(SUPPORTED_GROUPS, vector(2, number(P_256, 2))),
    extension(SIGNATURE_ALGORITHMS, vector(2, number(ECDSA_P256_SHA256, 2))),
    extension(USE_SRTP, Buffer.concat([vector(2, number(SRTP_PROFILE, 2)), vector(1)])),
    extension(EXTENDED_MASTER_SECRET, Buffer.alloc(0)),
    ...more,
  ];
  return Buffer.concat([
    ...[number(DTLS_1_2, 2), random, vector(1), vector(1)],
    ...[vector(2, number(SUITE, 2)), vector(1, number(0, 1)), vector(2, ...extensions)],
  ]);
}

export function serverHello(random: Buffer, { asksRenegotiation }: ClientHello): Buffer {
  const extensions = [
    extension(EXTENDED_MASTER_SECRET, Buffer.alloc(0)),
    extension(USE_SRTP, Buffer.concat([vector(2, number(SRTP_PROFILE, 2)), vector(1)])),
    ...(asksRenegotiation ? [extension(RENEGOTIATION, vector(1))] : []),
  ];
  const choice = [vector(1), number(SUITE, 2), number(0, 1)];
  return Buffer.concat([number(DTLS_1_2, 2), random, ...choice, vector(2, ...extensions)]);
}

export const extension = (type: number, content: Buffer): Buffer =>
  Buffer.concat([number(type, 2), vector(2, content)]);

/** @throws {DtlsError} */
function readExtensions(reader: Reader): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>();
  if (reader.isOver) return extensions;
  const list = new Reader(reader.vector(2));
  while (!list.isOver) {
    if (extensions.size >= MAX_EXTENSIONS) throw new DtlsError('too many extensions');
    const type = list.number(2);
    extensions.set(type, list.vector(2));
  }
  return extensions;
}

function numbersOf(list: Buffer, bytes: number): number[] {
  return Array.from({ length: Math.floor(list.length / bytes) }, (_, index) => list.readUIntBE(index * bytes, bytes));
}
