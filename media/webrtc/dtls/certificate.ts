// The certificate of a process for DTLS: P-256, signed by itself. Nobody judges anything of it but its fingerprint,
// which goes over the call's socket (RFC 8827 6.5), so each process makes one of its own and keeps it in memory only.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

export interface Certificate {
  der: Buffer;
  privateKey: KeyObject;
  /** SHA-256 as SDP says it: `AB:CD:…`. */
  fingerprint: string;
}

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
/** X.509 version 3. */
const VERSION = Buffer.from('a003020102', 'hex');
/** Browsers do not look at the dates. */
const VALIDITY = [utcTime('250101000000Z'), utcTime('491231235959Z')];

export function makeCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const serial = randomBytes(8);
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40;
  const common = der(0x0c, Buffer.from('voice'));
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, common)));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const validity = der(SEQUENCE, ...VALIDITY);
  const content = der(SEQUENCE, VERSION, der(0x02, serial), ECDSA_WITH_SHA256, name, validity, name, key);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const whole = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature);
  return { der: whole, privateKey, fingerprint: fingerprintOf(whole) };
}

export const fingerprintOf = (certificate: Buffer): string =>
  (createHash('sha256').update(certificate).digest('hex').toUpperCase().match(/../g) ?? []).join(':');

/** The key of a stranger's certificate. @throws Error where it is none */
export const keyOf = (certificate: Buffer): KeyObject => new X509Certificate(certificate).publicKey;

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const header =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), body]);
}
