// Standard Webhooks signatures. Only a digest of the secret is stored, and the digest is the key: a stolen database can
// forge deliveries until rotation, but does not reveal a secret that a customer may have reused elsewhere.
import { createHash, createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
export const MASKED_SECRET = `${SECRET_PREFIX}********`;

/** A new secret, shown to the client once: `whsec_` and base64 of 24 bytes. */
export function createSecret(): string {
  return SECRET_PREFIX + randomBytes(24).toString('base64');
}

/** The stored digest: base64 of SHA-256 over the whole secret with its prefix. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('base64');
}

/** The Standard Webhooks headers of a body: HMAC-SHA256 over `id.timestamp.body`, keyed with the digest's bytes. */
export function signedHeaders(
  secretDigest: string,
  messageId: string,
  body: string,
  nowMs: number,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', Buffer.from(secretDigest, 'base64'))
    .update(`${messageId}.${timestamp}.${body}`, 'utf8')
    .digest('base64');
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
