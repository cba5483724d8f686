// Ids: a prefix that names the resource, and a UUIDv7 in Crockford's base32, so that ids sort by creation time.
import { uuidv7obj } from 'uuidv7';

export type IdPrefix =
  | 'acc'
  | 'user'
  | 'agt'
  | 'biz'
  | 'cmp'
  | 'cnt'
  | 'call'
  | 'pn'
  | 'whk'
  | 'rfc'
  | 'dlv'
  | 'evt'
  | 'pat'
  | 'port'
  | 'trk'
  | 'sip'
  | 'apt'
  | 'chg'
  | 'req'
  | 'att'
  | 'aud'
  | 'doc'
  | 'dnc'
  | 'mail';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id such as `call_06fj…`: 26 characters of base32 after the prefix, sortable by creation time (RFC 9562 v7). */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  const bytes = uuidv7obj().bytes;
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += ALPHABET[Number((value >> shift) & 31n)];
  return `${prefix}_${text}`;
}
