// Texts at Twilio: its Messages of 2010-04-01, which take no reference; after an answer that was lost, the account's
// messages say what became of it. It signs by HMAC-SHA1 over the address and the sorted fields
// (twilio.com/docs/usage/webhooks/webhooks-security).
import { createHmac } from 'node:crypto';
import { utcDay } from '../../../db/domain/hours/utc-days.ts';
import { sameText } from '../../auth/secrets.ts';
import { CarrierError } from '../carrier.ts';
import type { ApiTexts, SignedRequest, TextEvent } from './carrier-api.ts';
import { type AskCarrier, done, idIn, listIn } from './request.ts';

interface Sent {
  sid: string;
  body: string;
  date_created: string;
}

/** Clocks of two machines. */
const SKEW_MS = 60_000;

export function twilioTexts(
  ask: AskCarrier,
  account: string,
  sidOf: (phoneNumber: string) => Promise<string | null>,
): ApiTexts {
  const messages = `${account}/Messages.json`;
  return {
    prepare: async () => ({}),
    async listen(phoneNumber, _parts, url) {
      const sid = await sidOf(phoneNumber);
      if (sid === null) throw new CarrierError('CARRIER_REFUSED', 'the number is not in the account');
      const form = { SmsUrl: url, SmsMethod: 'POST' };
      done(await ask({ method: 'POST', url: `${account}/IncomingPhoneNumbers/${sid}.json`, form }));
    },
    async send({ from, to, text, reference, url }) {
      const form = { From: from, To: to, Body: text, StatusCallback: `${url}?message=${reference}` };
      return idIn(done(await ask({ method: 'POST', url: messages, form })), 'sid');
    },
    async find({ from, to, text, sinceMs, isKnown }) {
      const day = utcDay(sinceMs - SKEW_MS);
      const query = { From: from, To: to, 'DateSent>': day, PageSize: '50' };
      for (const { sid, body, date_created } of listIn<Sent>(done(await ask({ url: messages, query })), 'messages')) {
        const isSame = body === text && Date.parse(date_created) >= sinceMs - SKEW_MS;
        if (isSame && !(await isKnown(sid))) return sid;
      }
      return null;
    },
  };
}

const STATUSES: Record<string, 'sent' | 'delivered' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
};

/** Names and values are signed without a mark between them: one that runs on into the next field's name is none. */
const SID = /^(?:SM|MM)[0-9a-f]{32}$/i;

/** Null: Twilio did not sign it. */
export function readTwilio({ url, headers, body, key }: SignedRequest): TextEvent | null {
  const fields = [...new URLSearchParams(body)];
  const signed = fields.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([name, value]) => `${name}${value}`);
  const signature = createHmac('sha1', key)
    .update(`${url}${signed.join('')}`)
    .digest('base64');
  if (!sameText(String(headers['x-twilio-signature'] ?? ''), signature)) return null;
  const of = Object.fromEntries(fields) as Record<string, string | undefined>;
  const id = of.MessageSid ?? of.SmsSid ?? '';
  if (!SID.test(id)) return { type: 'other' };
  if (of.MessageStatus !== undefined) {
    const status = STATUSES[of.MessageStatus];
    const reference = new URL(url).searchParams.get('message');
    const error = of.ErrorCode === undefined ? null : `Twilio says ${of.ErrorCode}`;
    return status === undefined ? { type: 'other' } : { type: 'status', id, reference, status, error };
  }
  const { From: from = '', To: to = '', Body: text = '' } = of;
  return { type: 'received', from, to, text, id, isAnswered: of.OptOutType !== undefined };
}
