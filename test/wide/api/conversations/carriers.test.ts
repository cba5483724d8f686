// Texts at Telnyx and Plivo, by requests and signatures as their public documents describe them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PLIVO_KEY } from '../../../support/carriers/fake-plivo.ts';
import { TELNYX_KEY } from '../../../support/carriers/fake-telnyx.ts';
import { PERSON, post, useTexts } from '../../../support/carriers/text-lab.ts';
import { connect } from '../../../support/carriers/use-carriers.ts';

const lab = useTexts();
const NUMBER = '+12125550188';
const SEND = { telnyx: 'POST api.telnyx.com/v2/messages', plivo: 'POST api.plivo.com/v1/Account/:account/Message/' };

/** Another number of the campaign, at another carrier; returns where that tells of texts. */
async function numberAt(kind: 'telnyx' | 'plivo'): Promise<string> {
  const { admin } = lab.api;
  const id = await connect(lab.api, kind === 'telnyx' ? TELNYX_KEY : PLIVO_KEY);
  const body = kind === 'plivo' ? { inboundAllow: ['198.51.100.0/24'] } : {};
  assert.equal((await admin.ask('POST', `/admin/carriers/${id}/trunk`, body)).status, 200);
  if (kind === 'telnyx') lab.telnyx.numbers.set('n1', telnyxNumber());
  else lab.plivo.numbers.set(NUMBER.slice(1), { number: NUMBER.slice(1), app_id: '' });
  const taken = await admin.ask('POST', `/admin/carriers/${id}/numbers`, { phoneNumber: NUMBER });
  assert.equal(taken.status, 201, taken.text);
  await admin.ask('POST', `/campaigns/${lab.campaignId}/pause`);
  await admin.ask('PATCH', `/phone-numbers/${taken.json.data.id}`, { campaignId: lab.campaignId });
  await admin.ask('POST', `/campaigns/${lab.campaignId}/resume`);
  return `https://voice.example.com/api/v1/carriers/${id}/texts`;
}

const telnyxNumber = () => ({ id: 'n1', phone_number: NUMBER, connection_id: '', customer_reference: '' });

async function last(): Promise<{ status: string | undefined; error: string | null | undefined }> {
  const [one] = (await lab.api.admin.ask('GET', '/conversations')).json.data;
  return { status: one?.lastMessage?.status, error: one?.lastMessage?.error };
}

const telnyxText = (text: string, id = 'in-1') => ({
  event_type: 'message.received',
  payload: { id, from: { phone_number: PERSON }, to: [{ phone_number: NUMBER }], text },
});

test('a text at Telnyx is answered by its messaging profile’s number', async () => {
  const url = await numberAt('telnyx');
  const [profile] = [...lab.telnyx.messagingProfiles.values()];
  assert.equal(profile?.webhook_url, url);
  assert.equal(lab.telnyx.listening.get('n1'), profile?.id);
  const { now } = lab.api.clock;
  assert.equal(await post(lab.api, lab.telnyx.signed(url, telnyxText('What are your opening hours?'), now)), 200);
  await lab.answer();
  await lab.send();
  const [sent] = [...lab.telnyx.messages.values()];
  assert.deepEqual([sent?.from, sent?.to], [NUMBER, PERSON]);
  assert.match(String(sent?.text), /Monday/);
  assert.equal((await last()).status, 'sent');
});

test('a request that is old, altered or signed by another at Telnyx is refused', async () => {
  const url = await numberAt('telnyx');
  const { now } = lab.api.clock;
  const old = lab.telnyx.signed(url, telnyxText('Hello'), now - 6 * 60_000);
  const altered = lab.telnyx.signed(url, telnyxText('Hello'), now);
  assert.equal(await post(lab.api, old), 403);
  assert.equal(await post(lab.api, { ...altered, body: altered.body.replace('Hello', 'Hallo') }), 403);
  // Twilio's key opens nothing here, nor another carrier's address.
  assert.equal(await post(lab.api, lab.telnyx.signed(lab.url, telnyxText('Hello'), now)), 403);
});

test('a text that Telnyx may have sent is not sent again: its event says whether it was', async () => {
  const url = await numberAt('telnyx');
  const { clock } = lab.api;
  await post(lab.api, lab.telnyx.signed(url, telnyxText('What are your opening hours?'), clock.now));
  await lab.answer();
  lab.http.planned = [{ route: SEND.telnyx, kind: 'broken-after' }];
  await lab.send();
  const failed = await last();
  assert.equal(failed.status, 'failed');
  assert.match(failed.error ?? '', /cannot be asked/);
  assert.equal(lab.telnyx.messages.size, 1);
  const [sent] = [...lab.telnyx.messages.values()];
  const payload = { id: sent?.id, to: [{ phone_number: PERSON, status: 'delivered' }], tags: sent?.tags };
  const told = lab.telnyx.signed(url, { event_type: 'message.finalized', payload }, clock.now);
  assert.equal(await post(lab.api, told), 200);
  assert.equal((await last()).status, 'delivered');
});

test('a text at Plivo is answered, and one that it may have is found there', async () => {
  const url = await numberAt('plivo');
  const [application] = [...lab.plivo.applications.values()];
  assert.equal(application?.message_url, url);
  assert.equal(lab.plivo.pooled.size, 1);
  const fields = { From: PERSON.slice(1), To: NUMBER.slice(1), Type: 'sms', MessageUUID: randomUUID() };
  const text = { ...fields, Text: 'What are your opening hours?' };
  const signed = lab.plivo.signed(url, { ...text, PowerpackUUID: 'p1' });
  assert.equal(await post(lab.api, { ...signed, body: signed.body.replace('hours', 'ours') }), 403);
  assert.equal(await post(lab.api, signed), 200);
  // The same letters are signed alike, wherever a value ends: it is no other text.
  const moved = new URLSearchParams({ ...text, MessageUUID: `${fields.MessageUUID}PowerpackUUIDp1` });
  assert.equal(await post(lab.api, { ...signed, body: String(moved) }), 200);
  const [{ id } = assert.fail()] = (await lab.api.admin.ask('GET', '/conversations')).json.data;
  assert.equal((await lab.api.admin.ask('GET', `/conversations/${id}/messages`)).json.pagination.total, 1);
  await lab.answer();
  lab.http.planned = [{ route: SEND.plivo, kind: 'broken-after' }];
  await lab.send();
  lab.api.clock.advance(3 * 60_000);
  await lab.send();
  assert.equal(lab.plivo.messages.size, 1);
  assert.equal((await last()).status, 'sent');
  const [sent] = [...lab.plivo.messages.values()];
  const status = { MessageUUID: String(sent?.message_uuid), Status: 'delivered', To: PERSON.slice(1) };
  assert.equal(await post(lab.api, lab.plivo.signed(url, status)), 200);
  assert.equal((await last()).status, 'delivered');
});

test('a carrier tells nothing of another one’s numbers', async () => {
  await numberAt('telnyx');
  const fields = { MessageSid: `SM${'1'.repeat(32)}`, From: PERSON, To: NUMBER, Body: 'Hello' };
  assert.equal(await post(lab.api, lab.twilio.signed(lab.url, fields)), 200);
  assert.deepEqual((await lab.api.admin.ask('GET', '/conversations')).json.data, []);
});

test('numbers from before are told where their texts go', async () => {
  const { admin } = lab.api;
  const told = await admin.ask('POST', `/admin/carriers/${lab.carrierId}/texting`);
  assert.deepEqual(told.json.data, [{ phoneNumber: '+14155550123', error: null }]);
});
