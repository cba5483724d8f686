// Random tokens, and their stored forms.
import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** SHA-256: enough for 256 random bits. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

/** 256 random bits after a prefix that identifies the kind of token, e.g. in a leaked log. */
export const randomToken = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** The prefix of a personal access token, which distinguishes it from a JWT. */
export const ACCESS_TOKEN_PREFIX = 'vcs_';
export const REFRESH_TOKEN_PREFIX = 'vcr_';
export const PENDING_TOKEN_PREFIX = 'vcp_';

export const randomDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0');

/** Short codes are hashed with the installation's key: a plain hash of one of a million codes is easily reversed. */
export function sealCode(key: Buffer, context: string, code: string): string {
  return createHmac('sha256', key).update(`${context}\n${code}`).digest('base64url');
}

export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
