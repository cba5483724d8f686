// STUN messages (RFC 8489) as ICE uses them (RFC 8445 7): binding requests and responses with short-term credentials,
// MESSAGE-INTEGRITY and FINGERPRINT. Reading is one pass over at most 32 attributes, copies nothing and never throws.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { crc32 } from 'node:zlib';

export const BINDING_REQUEST = 0x0001;
export const BINDING_RESPONSE = 0x0101;

const HEADER_BYTES = 20;
const MAGIC = 0x2112a442;
const TRANSACTION_BYTES = 12;
const INTEGRITY_BYTES = 20;
/** RFC 8489 14.7. */
const FINGERPRINT_XOR = 0x5354554e;
/** Browsers send eight or nine. */
const MAX_ATTRIBUTES = 32;

const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const XOR_MAPPED_ADDRESS = 0x0020;
const PRIORITY = 0x0024;
const FINGERPRINT = 0x8028;
const ICE_CONTROLLED = 0x8029;

interface StunMessage {
  type: number;
  transactionId: Buffer;
  /** Empty if there is none. */
  username: string;
  /** Where MESSAGE-INTEGRITY begins in the datagram. */
  integrityAt: number;
}

/** A whole message with both MESSAGE-INTEGRITY and a right FINGERPRINT; null otherwise. */
export function readStun(datagram: Buffer): StunMessage | null {
  const bytes = datagram.length;
  if (bytes < HEADER_BYTES || datagram.readUInt32BE(4) !== MAGIC) return null;
  if (datagram.readUInt16BE(2) !== bytes - HEADER_BYTES || bytes % 4 !== 0) return null;
  const message: StunMessage = {
    type: datagram.readUInt16BE(0),
    transactionId: datagram.subarray(8, HEADER_BYTES),
    username: '',
    integrityAt: 0,
  };
  let at = HEADER_BYTES;
  for (let count = 0; at + 4 <= bytes && count < MAX_ATTRIBUTES; count++) {
    const kind = datagram.readUInt16BE(at);
    const length = datagram.readUInt16BE(at + 2);
    const value = datagram.subarray(at + 4, at + 4 + length);
    if (value.length < length) return null;
    if (kind === FINGERPRINT) {
      const isLast = at + 8 === bytes && length === 4;
      const expected = (crc32(datagram.subarray(0, at)) ^ FINGERPRINT_XOR) >>> 0;
      return isLast && message.integrityAt > 0 && value.readUInt32BE(0) === expected ? message : null;
    }
    // RFC 8489 14.5: nothing but FINGERPRINT counts behind it.
    if (message.integrityAt === 0) {
      if (kind === USERNAME) message.username = value.toString('latin1');
      else if (kind === MESSAGE_INTEGRITY && length === INTEGRITY_BYTES) message.integrityAt = at;
    }
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  return null;
}

/** Whether somebody who has the password made the message (RFC 8489 14.5). */
export function isAuthentic(datagram: Buffer, { integrityAt }: StunMessage, password: string): boolean {
  const value = datagram.subarray(integrityAt + 4, integrityAt + 4 + INTEGRITY_BYTES);
  return timingSafeEqual(integrityOf(datagram.subarray(0, integrityAt), password), value);
}

/** The code covers the message before it, whose length counts as if the attribute were its last. */
function integrityOf(before: Buffer, password: string): Buffer {
  const header = Buffer.from(before.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(before.length - HEADER_BYTES + 4 + INTEGRITY_BYTES, 2);
  return createHmac('sha1', password).update(header).update(before.subarray(HEADER_BYTES)).digest();
}

/** The answer to a request from `address` and `port`: shorter than any request that a browser makes. */
export function bindingResponse(
  transactionId: Buffer,
  { address, port }: { address: string; port: number },
  password: string,
): Buffer {
  const mapped = xorMapped(address, port, transactionId);
  return sealed(BINDING_RESPONSE, transactionId, [[XOR_MAPPED_ADDRESS, mapped]], password);
}

/** A question that only somebody at the address that it is sent to can answer. */
export function bindingRequest(username: string, password: string): { transactionId: Buffer; datagram: Buffer } {
  const transactionId = randomBytes(TRANSACTION_BYTES);
  const attributes: Array<[number, Buffer]> = [
    [USERNAME, Buffer.from(username, 'latin1')],
    [ICE_CONTROLLED, randomBytes(8)],
    // RFC 8445 5.1.2.1: of a peer-reflexive candidate.
    [PRIORITY, Buffer.from([0x6e, 0xff, 0xff, 0xff])],
  ];
  return { transactionId, datagram: sealed(BINDING_REQUEST, transactionId, attributes, password) };
}

function sealed(
  type: number,
  transactionId: Buffer,
  attributes: ReadonlyArray<readonly [kind: number, value: Buffer]>,
  password: string,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(type, 0);
  header.writeUInt32BE(MAGIC, 4);
  transactionId.copy(header, 8);
  const body = Buffer.concat([header, ...attributes.map(([kind, value]) => attribute(kind, value))]);
  const signed = Buffer.concat([body, attribute(MESSAGE_INTEGRITY, integrityOf(body, password))]);
  signed.writeUInt16BE(signed.length - HEADER_BYTES + 8, 2);
  const check = Buffer.alloc(4);
  check.writeUInt32BE((crc32(signed) ^ FINGERPRINT_XOR) >>> 0);
  return Buffer.concat([signed, attribute(FINGERPRINT, check)]);
}

function attribute(kind: number, value: Buffer): Buffer {
  const padded = Buffer.alloc(4 + value.length + ((4 - (value.length % 4)) % 4));
  padded.writeUInt16BE(kind, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
}

/** RFC 8489 14.2. */
function xorMapped(address: string, port: number, transactionId: Buffer): Buffer {
  const key = Buffer.alloc(4 + TRANSACTION_BYTES);
  key.writeUInt32BE(MAGIC);
  transactionId.copy(key, 4);
  const bytes = addressBytes(address);
  const value = Buffer.alloc(4 + bytes.length);
  value[1] = bytes.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ (MAGIC >>> 16), 2);
  for (let i = 0; i < bytes.length; i++) value[4 + i] = (bytes[i] as number) ^ (key[i] as number);
  return value;
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  // An IPv4 address at its end is two groups.
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string): number[] =>
    text === ''
      ? []
      : text.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [(a << 8) | b, (c << 8) | d];
        });
  const [head, tail] = [groups(before), groups(after ?? '')];
  const all = [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(group, 2 * index);
  return bytes;
}
