// Records of DTLS 1.2 (RFC 6347 4.1), plain and with AES-128-GCM (RFC 5288), and the fragments of handshake messages in
// them (RFC 6347 4.2.2 and 4.2.3).
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DtlsError, number } from './bytes.ts';
import type { DirectionKey } from './keys.ts';

export const CHANGE_CIPHER_SPEC = 20;
export const ALERT = 21;
export const HANDSHAKE = 22;

export const DTLS_1_2 = 0xfefd;
const DTLS_1_0 = 0xfeff;
const HEADER_BYTES = 13;
const EXPLICIT_BYTES = 8;
const TAG_BYTES = 16;
const FRAGMENT_HEADER_BYTES = 12;
/** No browser's first message is longer, also with the key shares of later versions in it. */
const MAX_MESSAGE_BYTES = 8_192;
/** Records of a datagram, and fragments of a record, that are read: a whole flight of a browser has five to ten. */
const MAX_PARTS = 32;

export interface DtlsRecord {
  type: number;
  epoch: number;
  /** Epoch and sequence number, as they are authenticated. */
  place: Buffer;
  content: Buffer;
}

/** The first records of a datagram, up to one that is none of DTLS 1.0 or 1.2. */
export function* recordsOf(datagram: Buffer): Generator<DtlsRecord> {
  for (let [at, count] = [0, 0]; at + HEADER_BYTES <= datagram.length && count < MAX_PARTS; count++) {
    const version = datagram.readUInt16BE(at + 1);
    const end = at + HEADER_BYTES + datagram.readUInt16BE(at + 11);
    // RFC 6347 4.2.1: a client's first record may be of an earlier version.
    if ((version !== DTLS_1_2 && version !== DTLS_1_0) || end > datagram.length) return;
    yield {
      type: datagram[at] as number,
      epoch: datagram.readUInt16BE(at + 3),
      place: datagram.subarray(at + 3, at + 11),
      content: datagram.subarray(at + HEADER_BYTES, end),
    };
    at = end;
  }
}

const placeOf = (epoch: number, sequence: number): Buffer => Buffer.concat([number(epoch, 2), number(sequence, 6)]);

export function plainRecord(type: number, sequence: number, content: Buffer): Buffer {
  return Buffer.concat([
    number(type, 1),
    number(DTLS_1_2, 2),
    placeOf(0, sequence),
    number(content.length, 2),
    content,
  ]);
}

const additional = (type: number, place: Buffer, bytes: number): Buffer =>
  Buffer.concat([place, number(type, 1), number(DTLS_1_2, 2), number(bytes, 2)]);

/** A record of the first epoch with keys. */
export function sealRecord({ key, iv }: DirectionKey, type: number, sequence: number, content: Buffer): Buffer {
  const place = placeOf(1, sequence);
  const cipher = createCipheriv('aes-128-gcm', key, Buffer.concat([iv, place]));
  cipher.setAAD(additional(type, place, content.length));
  const sealed = Buffer.concat([place, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([number(type, 1), number(DTLS_1_2, 2), place, number(sealed.length, 2), sealed]);
}

/** Null if it is forged. */
export function openRecord({ key, iv }: DirectionKey, { type, place, content }: DtlsRecord): Buffer | null {
  const bytes = content.length - EXPLICIT_BYTES - TAG_BYTES;
  if (bytes < 0) return null;
  const nonce = Buffer.concat([iv, content.subarray(0, EXPLICIT_BYTES)]);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additional(type, place, bytes));
  decipher.setAuthTag(content.subarray(EXPLICIT_BYTES + bytes));
  const opened = decipher.update(content.subarray(EXPLICIT_BYTES, EXPLICIT_BYTES + bytes));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return null;
  }
}

export interface Fragment {
  type: number;
  /** Bytes of the whole message, and where in it this fragment begins. */
  length: number;
  sequence: number;
  offset: number;
  body: Buffer;
}

/** The first fragments of a record of handshake messages, up to a broken one. */
export function* fragmentsOf(content: Buffer): Generator<Fragment> {
  for (let [at, count] = [0, 0]; at + FRAGMENT_HEADER_BYTES <= content.length && count < MAX_PARTS; count++) {
    const length = content.readUIntBE(at + 1, 3);
    const offset = content.readUIntBE(at + 6, 3);
    const begin = at + FRAGMENT_HEADER_BYTES;
    const body = content.subarray(begin, begin + content.readUIntBE(at + 9, 3));
    const isWhole = body.length === content.readUIntBE(at + 9, 3) && offset + body.length <= length;
    if (!isWhole || length > MAX_MESSAGE_BYTES || (body.length === 0 && length > 0)) return;
    yield { type: content[at] as number, length, sequence: content.readUInt16BE(at + 4), offset, body };
    at = begin + body.length;
  }
}

/** A handshake message as one fragment, which is also how it counts for the hashes (RFC 6347 4.2.6). */
export function handshakeMessage(type: number, sequence: number, body: Buffer): Buffer {
  const length = number(body.length, 3);
  return Buffer.concat([number(type, 1), length, number(sequence, 2), number(0, 3), length, body]);
}

/** One message that comes in pieces, in any order, and again. */
export class Reassembly {
  /** Null before the first piece. */
  #body: Buffer | null = null;
  #has = new Uint8Array(0);
  #missing = 0;

  /** The whole message once its last piece is here; null before. @throws {DtlsError} for a piece of another message */
  add({ length, offset, body }: Fragment): Buffer | null {
    if (this.#body === null) {
      this.#body = Buffer.alloc(length);
      this.#has = new Uint8Array(length);
      this.#missing = length;
    }
    if (this.#body.length !== length) throw new DtlsError('pieces of two messages');
    for (let i = 0; i < body.length; i++) {
      if (this.#has[offset + i] === 1) continue;
      this.#has[offset + i] = 1;
      this.#body[offset + i] = body[i] as number;
      this.#missing--;
    }
    return this.#missing === 0 ? this.#body : null;
  }
}
