// Signs what the processes of an installation ask an engine directly: an HMAC by a key that all of them have, with a
// time and a nonce, so that nobody on the internal network can ask, or repeat what was asked.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const SCHEME = 'Voice';
/** A signature of another time is refused: clocks of one installation differ by less. */
const LASTS_MS = 30_000;

interface ControlRequest {
  method: string;
  /** With its query. */
  path: string;
}

/** From the sealing key (RFC 5869), so that one does not reveal the other. */
export const controlKey = (sealingKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', sealingKey, Buffer.alloc(0), 'engine control', 32));

const macOf = (key: Buffer, { method, path }: ControlRequest, atMs: number, nonce: string): Buffer =>
  createHmac('sha256', key).update(`${method}\n${path}\n${atMs}\n${nonce}`).digest();

/** The value of the `Authorization` header. */
export function signControl(key: Buffer, request: ControlRequest, nowMs: number): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${SCHEME} ${nowMs}.${nonce}.${macOf(key, request, nowMs, nonce).toString('base64url')}`;
}

/** Knows the signatures of the last minute, so that each is good once. */
export class ControlSignatures {
  readonly #key: Buffer;
  readonly #seen = new Map<string, number>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  accepts(authorization: string | undefined, request: ControlRequest, nowMs: number): boolean {
    const [, at = '', nonce = '', mac = ''] =
      /^Voice (\d{1,15})\.([\w-]{16})\.([\w-]{43})$/.exec(authorization ?? '') ?? [];
    const atMs = Number(at);
    if (nonce === '' || Math.abs(nowMs - atMs) > LASTS_MS) return false;
    if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(this.#key, request, atMs, nonce))) return false;
    for (const [known, seenAtMs] of this.#seen) {
      if (nowMs - seenAtMs <= 2 * LASTS_MS) break;
      this.#seen.delete(known);
    }
    if (this.#seen.has(nonce)) return false;
    this.#seen.set(nonce, nowMs);
    return true;
  }
}
