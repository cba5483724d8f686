// The SHA-256 of a random token, by which whoever brings the token is known: the token itself is not kept. It has 256
// random bits, so nothing slower is needed.
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** In hexadecimal digits. */
export const tokenHash = (token: string): string => digest(token).toString('hex');

/** Returns a test whether a hash is of this token, which takes the same time for each. */
export function hashTest(token: string): (hash: Buffer) => boolean {
  const own = digest(token);
  return (hash) => hash.length === own.length && timingSafeEqual(hash, own);
}
