// Texts at Telnyx: a messaging profile, to which numbers belong. It carries our reference as a tag, and cannot be asked
// for a text by it: what became of one whose answer was lost comes with its events. It signs by Ed25519 over the time
// and the body (developers.telnyx.com, receiving webhooks).
import { createPublicKey, verify } from 'node:crypto';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { CarrierError } from '../carrier.ts';
import type { ApiTexts, SignedRequest, TextEvent } from './carrier-api.ts';
import { type AskCarrier, done, idIn, listIn } from './request.ts';

/** Older requests are somebody's who has seen one. */
const SIGNED_WITHIN_MS = 5 * MINUTE_MS;
/** An Ed25519 key as SubjectPublicKeyInfo, up to the key (RFC 8410). */
const KEY_BYTES = 32;
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const dataOf = (json: unknown): unknown => (json as { data?: unknown } | null)?.data;

export function telnyxTexts(
  ask: AskCarrier,
  api: string,
  idOf: (phoneNumber: string) => Promise<string | null>,
): ApiTexts {
  const profiles = `${api}/messaging_profiles`;
  return {
    async prepare(name, url) {
      const listed = done(await ask({ url: profiles, query: { 'filter[name]': name } }));
      const there = listIn<Record<string, string>>(listed, 'data').find((one) => one.name === name)?.id;
      const json = { name, webhook_url: url, webhook_api_version: '2' };
      const target =
        there === undefined
          ? ({ method: 'POST', url: profiles, json: { ...json, whitelisted_destinations: ['*'] } } as const)
          : ({ method: 'PATCH', url: `${profiles}/${there}`, json } as const);
      const profile = idIn(dataOf(done(await ask(target))), 'id');
      const publicKey = idIn(dataOf(done(await ask({ url: `${api}/public_key` }))), 'public');
      return { profile, publicKey };
    },
    async listen(phoneNumber, parts) {
      const id = await idOf(phoneNumber);
      if (id === null) throw new CarrierError('CARRIER_REFUSED', 'the number is not in the account');
      const json = { messaging_profile_id: parts.profile };
      done(await ask({ method: 'PATCH', url: `${api}/phone_numbers/${id}/messaging`, json }));
    },
    async send({ from, to, text, reference, url }) {
      const json = { from, to, text, tags: [reference], webhook_url: url, use_profile_webhooks: false };
      return idIn(dataOf(done(await ask({ method: 'POST', url: `${api}/messages`, json }))), 'id');
    },
    find: null,
  };
}

interface Told {
  data?: {
    event_type?: string;
    payload?: {
      id?: string;
      from?: { phone_number?: string };
      to?: Array<{ phone_number?: string; status?: string }>;
      text?: string;
      tags?: string[];
      errors?: Array<{ code?: string; title?: string }>;
    };
  };
}

const STATUSES: Record<string, 'sent' | 'delivered' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  delivery_unconfirmed: 'sent',
  sending_failed: 'failed',
  delivery_failed: 'failed',
};

/** Null: Telnyx did not sign it, or long ago. */
export function readTelnyx(request: SignedRequest): TextEvent | null {
  if (!isSigned(request)) return null;
  const { event_type, payload } = (JSON.parse(request.body) as Told).data ?? {};
  const { id, from, to = [], text = '', tags = [], errors = [] } = payload ?? {};
  if (id === undefined) return { type: 'other' };
  if (event_type === 'message.received')
    return {
      ...{ type: 'received', id, text, isAnswered: false },
      ...{ from: from?.phone_number ?? '', to: to[0]?.phone_number ?? '' },
    };
  const status = STATUSES[to[0]?.status ?? ''];
  if (status === undefined || !event_type?.startsWith('message.')) return { type: 'other' };
  const error = errors[0]?.title ?? null;
  return { type: 'status', id, reference: tags[0] ?? null, status, error };
}

function isSigned({ headers, body, parts, nowMs }: Pick<SignedRequest, 'headers' | 'body' | 'parts' | 'nowMs'>) {
  const seconds = String(headers['telnyx-timestamp'] ?? '');
  const signature = String(headers['telnyx-signature-ed25519'] ?? '');
  const isRecent = /^\d{1,12}$/.test(seconds) && Math.abs(nowMs - Number(seconds) * 1_000) <= SIGNED_WITHIN_MS;
  const raw = Buffer.from(parts.publicKey ?? '', 'base64');
  if (!isRecent || raw.length !== KEY_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(`${seconds}|${body}`), key, Buffer.from(signature, 'base64'));
}
