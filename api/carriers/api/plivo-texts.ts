// Texts at Plivo: an application that gets them, and a Powerpack, by which a number that is bound to a trunk belongs to
// that application. It signs by HMAC-SHA256 over the address, the sorted fields and a nonce (its libraries' V3).
import { createHmac } from 'node:crypto';
import { sameText } from '../../auth/secrets.ts';
import { CarrierError } from '../carrier.ts';
import type { ApiTexts, SignedRequest, TextEvent } from './carrier-api.ts';
import { type AskCarrier, done, found, idIn, listIn } from './request.ts';

const PAGE = 20;
const PAGES_MAX = 50;
/** It tells times of whole minutes. */
const SKEW_MS = 120_000;

const digits = (phoneNumber: string): string => phoneNumber.replace('+', '');

export function plivoTexts(ask: AskCarrier, account: string): ApiTexts {
  const named = async (resource: string, field: string, idField: string, name: string): Promise<string | null> => {
    for (let page = 0; page < PAGES_MAX; page++) {
      const query = { limit: String(PAGE), offset: String(page * PAGE) };
      const list = listIn<Record<string, string>>(
        done(await ask({ url: `${account}/${resource}/`, query })),
        'objects',
      );
      const one = list.find((each) => each[field] === name);
      if (one !== undefined) return idIn(one, idField);
      if (list.length < PAGE) break;
    }
    return null;
  };
  const post = async (path: string, json: object) =>
    done(await ask({ method: 'POST', url: `${account}/${path}/`, json }));
  return {
    async prepare(name, url) {
      const fields = { message_url: url, message_method: 'POST' };
      const there = await named('Application', 'app_name', 'app_id', name);
      if (there !== null) await post(`Application/${there}`, fields);
      const application = there ?? idIn(await post('Application', { app_name: name, ...fields }), 'app_id');
      const pool = {
        ...{ name, application_type: 'xml', application_id: application },
        ...{ sticky_sender: true, local_connect: false },
      };
      const profile = (await named('Powerpack', 'name', 'uuid', name)) ?? idIn(await post('Powerpack', pool), 'uuid');
      return { application, profile };
    },
    async listen(phoneNumber, parts) {
      const url = `${account}/Powerpack/${parts.profile}/Number/${digits(phoneNumber)}/`;
      if (found(await ask({ url })) !== null) return;
      if (found(await ask({ method: 'POST', url, json: {} })) === null)
        throw new CarrierError('CARRIER_REFUSED', 'the number is not in the account');
    },
    async send({ from, to, text, url }) {
      const json = { src: digits(from), dst: digits(to), text, url, method: 'POST' };
      const { message_uuid } = (await post('Message', json)) as { message_uuid?: string[] };
      const [id] = message_uuid ?? [];
      if (id === undefined) throw new CarrierError('CARRIER_UNAVAILABLE', 'the answer has no message_uuid');
      return id;
    },
    async find({ from, to, sinceMs, isKnown }) {
      const since = new Date(sinceMs - SKEW_MS).toISOString().slice(0, 16).replace('T', ' ');
      const query = {
        ...{ from_number: digits(from), to_number: digits(to), message_direction: 'outbound' },
        ...{ message_time__gte: since, limit: String(PAGE) },
      };
      const sent = listIn<{ message_uuid: string }>(done(await ask({ url: `${account}/Message/`, query })), 'objects');
      for (const { message_uuid: id } of sent) if (!(await isKnown(id))) return id;
      return null;
    },
  };
}

const STATUSES: Record<string, 'sent' | 'delivered' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  rejected: 'failed',
  failed: 'failed',
};

/** Names and values are signed without a mark between them: one that runs on into the next field's name is none. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Null: Plivo did not sign it. */
export function readPlivo({ url, headers, body, key }: SignedRequest): TextEvent | null {
  const fields = [...new URLSearchParams(body)];
  const named = (header: string): string => String(headers[header] ?? '');
  const signed = fields.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([name, value]) => `${name}${value}`);
  const text = `${url}${fields.length === 0 ? '' : '?'}${signed.join('')}.${named('x-plivo-signature-v3-nonce')}`;
  const signature = createHmac('sha256', key).update(text).digest('base64');
  // Several, while the key changes.
  const given = named('x-plivo-signature-v3').split(',', 4);
  if (!given.some((one) => sameText(one.trim(), signature))) return null;
  const of = Object.fromEntries(fields) as Record<string, string | undefined>;
  const id = of.MessageUUID ?? '';
  if (!UUID.test(id)) return { type: 'other' };
  if (of.Text === undefined) {
    const status = STATUSES[of.Status ?? ''];
    const error = of.ErrorCode ? `Plivo says ${of.ErrorCode}` : null;
    return status === undefined ? { type: 'other' } : { type: 'status', id, reference: null, status, error };
  }
  const plus = (number: string | undefined): string =>
    /^\d{7,15}$/.test(number ?? '') ? `+${number}` : (number ?? '');
  const isAnswered = (of.MessageIntent ?? '') !== '';
  return { type: 'received', from: plus(of.From), to: plus(of.To), text: of.Text, id, isAnswered };
}
