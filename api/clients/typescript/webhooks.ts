// Verifies webhooks, as Standard Webhooks describes them: the signature over id, time and body, within a tolerance of
// time. The key is SHA-256 of the whole secret. Comparison is WebCrypto's, which takes the same time for any signature.
import type { WebhookEvent } from './types.ts';

/** Sent where a webhook is made or its address changed; it carries nothing. */
export interface WebhookProbe {
  id: string;
  type: 'webhook.probe';
  createdAt: string;
  data: Record<never, never>;
}

export interface VerifyOptions {
  /** How far the time of the signature may be from now. Default 300. */
  toleranceSeconds?: number;
  nowMs?: number;
}

/** Not of this service, changed on its way, or too old: answer it with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** As fetch has them, or as Node's servers do. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

const TOLERANCE_SECONDS = 300;
/** More are none that this service sends. */
const SIGNATURES_MAX = 10;

/**
 * `body` is what came, byte by byte: JSON that was read and written again has another signature. Several secrets are
 * taken while one is being rotated. @throws {WebhookError}
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | ReadonlyArray<string | undefined>,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent | WebhookProbe> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ', SIGNATURES_MAX);
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is no time');
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('the signature is too old, or of a time to come: is the clock right?');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  let isOurs = false;
  const known = (typeof secrets === 'string' ? [secrets] : secrets).filter((secret) => secret !== undefined);
  if (known.length === 0 || known.includes('')) throw new WebhookError('there is no secret, or an empty one');
  for (const secret of known) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      const given = bytesOf(signature);
      if (given !== null && (await crypto.subtle.verify('HMAC', key, given, signed))) isOurs = true;
    }
  }
  if (!isOurs) throw new WebhookError('no signature is of this body and secret');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent | WebhookProbe;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers) ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`there is no header ${name}`);
  return value;
}

const isGetter = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

async function keyOf(secret: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return crypto.subtle.importKey('raw', digest, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Of `v1,` and base64; null: of another version, or no base64. */
function bytesOf(signature: string): Uint8Array<ArrayBuffer> | null {
  const [, base64] = /^v1,([A-Za-z0-9+/]{1,200}={0,2})$/.exec(signature) ?? [];
  if (base64 === undefined) return null;
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
