// Ids: a prefix that names the resource, and a UUIDv7 in Crockford's base32, so that ids sort by creation time.
import { uuidv7obj } from 'uuidv7';

type IdPrefix =
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
  | 'inv'
  | 'dlv'
  | 'evt'
  | 'pat'
  | 'port'
  | 'trk'
  | 'car'
  | 'ord'
  | 'tol'
  | 'sip'
  | 'apt'
  | 'btr'
  | 'cnv'
  | 'msg'
  | 'cal'
  | 'csi'
  | 'chg'
  | 'req'
  | 'lis'
  | 'att'
  | 'aud'
  | 'ver'
  | 'can'
  | 'doc'
  | 'kdc'
  | 'rrn'
  | 'tst'
  | 'tcs'
  | 'run'
  | 'trs'
  | 'dnc'
  | 'ntc'
  | 'ntm'
  | 'wid'
  | 'mail'
  | 'prc'
  | 'use'
  | 'alr'
  | 'alf';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id such as `call_06fj…`: 26 characters of base32 after the prefix, sortable by creation time (RFC 9562 v7). */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  let text = '';
  // 128 bits in 26 characters of five: the first has three.
  let bits = 2;
  let value = 0;
  for (const byte of uuidv7obj().bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; ) {
      bits -= 5;
      text += ALPHABET[value >> bits];
      value &= (1 << bits) - 1;
    }
  }
  return `${prefix}_${text}`;
}
