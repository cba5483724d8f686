// Bounds on texts, and what is kept of them: limits of an account, destinations, floods, redaction, erasure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRetention } from '../../../../api/upkeep/retention.ts';
import { addMessage } from '../../../../db/queries/conversations/messages.ts';
import { OWN_NUMBER, PERSON, useTexts } from '../../../support/carriers/text-lab.ts';

const lab = useTexts({ redaction: { kinds: ['card'] } });
const CARD = '4111 1111 1111 1111';
const only = async () => {
  const [one] = (await lab.api.admin.ask('GET', '/conversations')).json.data;
  assert.ok(one);
  return one;
};

/** As if so many texts had been written before. */
async function written(count: number, author: 'agent' | 'person'): Promise<void> {
  const { db, now } = lab.api.context;
  const conversation = await db.selectFrom('conversations').selectAll().executeTakeFirstOrThrow();
  for (let index = 0; index < count; index++) {
    const message = {
      author,
      text: 'x',
      sealed: null,
      segments: 1,
      status: author === 'agent' ? 'sent' : 'read',
    } as const;
    await addMessage(db, conversation, message, now());
  }
}

test('an account that has sent its texts of the day sends no more', async () => {
  const { db } = lab.api.context;
  await db.updateTable('accounts').set({ plan: 'STARTER' }).where('id', '=', lab.api.admin.accountId).execute();
  await lab.ask('What are your opening hours?');
  lab.api.clock.advance(2 * 3_600_000);
  await written(250, 'agent');
  lab.api.clock.advance(2 * 3_600_000);
  assert.deepEqual(await lab.ask('What are your opening hours?'), []);
  assert.equal((await only()).note, 'limit');
  const { id } = await only();
  const refused = await lab.api.admin.ask('POST', `/conversations/${id}/messages`, { text: 'Hello' });
  assert.deepEqual([refused.status, refused.json.code], [429, 'TEXT_LIMIT']);
});

test('a stop of spending stops texts, which count as seconds', async () => {
  for (let text = 0; text < 3; text++) await lab.ask('What are your opening hours?');
  const { admin } = lab.api;
  const spent = await lab.api.context.db
    .selectFrom('accountHoursNow')
    .select('outboundSeconds')
    .where('accountId', '=', admin.accountId)
    .executeTakeFirst();
  assert.ok((spent?.outboundSeconds ?? 0) >= 60);
  const limits = await admin.ask('PATCH', `/admin/accounts/${admin.accountId}`, {
    spendLimits: { stopMinutesPerHour: 1 },
  });
  assert.equal(limits.status, 200, limits.text);
  assert.deepEqual(await lab.ask('What are your opening hours?'), []);
  assert.equal((await only()).note, 'limit');
});

test('no text goes to a country that may not be called', async () => {
  const dear = '+882345678901';
  await lab.receive('Hello', { From: dear });
  await lab.answer();
  await lab.send();
  assert.deepEqual(lab.sent(), []);
});

test('a flood of one person is dropped', async () => {
  await lab.receive('Hello');
  await written(60, 'person');
  const { total } = (await lab.api.admin.ask('GET', `/conversations/${(await only()).id}/messages`)).json.pagination;
  assert.equal(await lab.receive('Hello again'), 200);
  const after = (await lab.api.admin.ask('GET', `/conversations/${(await only()).id}/messages`)).json.pagination.total;
  assert.equal(after, total);
});

const optOuts = () => lab.api.context.db.selectFrom('textOptOuts').select(['ownNumber', 'personNumber']).execute();
const STOPPED = [{ ownNumber: OWN_NUMBER, personNumber: PERSON }];

test('STOP counts in a flood', async () => {
  await lab.receive('Hello');
  await written(60, 'person');
  assert.equal(await lab.receive('STOP'), 200);
  assert.deepEqual(await optOuts(), STOPPED);
  assert.equal((await only()).note, 'opted_out');
  assert.equal(await lab.answer(), 0);
});

test('STOP counts while the campaign is paused, and to a number that is switched off or has no campaign', async () => {
  const { admin } = lab.api;
  const [number] = (await admin.ask('GET', '/phone-numbers')).json.data;
  for (const [begin, end] of [
    [
      () => admin.ask('POST', `/campaigns/${lab.campaignId}/pause`),
      () => admin.ask('POST', `/campaigns/${lab.campaignId}/resume`),
    ],
    [
      () => admin.ask('PATCH', `/phone-numbers/${number?.id}`, { isActive: false }),
      () => admin.ask('PATCH', `/phone-numbers/${number?.id}`, { isActive: true }),
    ],
    [
      () => admin.ask('PATCH', `/phone-numbers/${number?.id}`, { campaignId: null }),
      () => admin.ask('PATCH', `/phone-numbers/${number?.id}`, { campaignId: lab.campaignId }),
    ],
  ] as const) {
    assert.equal((await begin()).status, 200);
    assert.equal(await lab.receive('STOP'), 200);
    assert.deepEqual(await optOuts(), STOPPED);
    assert.equal((await end()).status, 200);
    assert.deepEqual(await lab.ask('What are your opening hours?'), []);
    assert.match((await lab.ask('START')).join(), /again/);
    assert.deepEqual(await optOuts(), []);
  }
});

test('a carrier says nothing about the numbers of another', async () => {
  await lab.api.context.db.updateTable('inventory').set({ carrierId: 'car_other' }).execute();
  assert.equal(await lab.receive('STOP'), 200);
  assert.deepEqual(await optOuts(), []);
});

test('a card number is not kept; the agent reads it, and then nobody', async () => {
  await lab.receive(`My card is ${CARD}. What are your opening hours?`);
  const stored = () => lab.api.context.db.selectFrom('messages').selectAll().where('author', '=', 'person').execute();
  assert.match((await stored())[0]?.text ?? '', /\[card\]/);
  assert.ok((await stored())[0]?.sealed);
  await lab.answer();
  assert.equal((await stored())[0]?.sealed, null);
});

test('a contact’s conversations are gone with the contact, and a person’s at once', async () => {
  const { admin } = lab.api;
  await lab.ask('What are your opening hours?');
  const added = await admin.ask('POST', `/campaigns/${lab.campaignId}/contacts`, {
    contacts: [{ phoneNumber: PERSON }],
  });
  const contact = added.json.data.contacts[0]?.id ?? '';
  await admin.ask('DELETE', `/campaigns/${lab.campaignId}/contacts/${contact}`);
  assert.deepEqual((await admin.ask('GET', '/conversations')).json.data, []);
  await lab.ask('What are your opening hours?');
  const erased = await admin.ask('DELETE', `/conversations/with/${encodeURIComponent(PERSON)}`);
  assert.deepEqual(erased.json.data, { erased: 1 });
  const { db } = lab.api.context;
  for (const table of ['messages', 'conversations'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  const events = await db
    .selectFrom('events')
    .select('data')
    .where('type', 'in', ['message.received', 'message.sent'])
    .execute();
  assert.ok(events.length > 0);
  for (const { data } of events) assert.doesNotMatch(data, /opening|Monday|\+1415/);
});

test('a campaign that ended meanwhile answers nobody, and is not asked for ever', async () => {
  await lab.receive('What are your opening hours?');
  await lab.api.admin.ask('POST', `/campaigns/${lab.campaignId}/pause`);
  assert.equal(await lab.answer(), 1);
  assert.equal((await only()).note, 'agent_failed');
  assert.equal(await lab.answer(), 0);
});

test('a picture alone is kept and not answered; a character that no database takes is left out', async () => {
  assert.equal(await lab.receive('', { NumMedia: '1' }), 200);
  assert.equal(await lab.answer(), 0);
  assert.equal(await lab.receive('Your\0 opening hours?'), 200);
  assert.equal(await lab.answer(), 1);
});

test('what the agent remembers is kept for a day', async () => {
  await lab.ask('What are your opening hours?');
  const sealed = async () =>
    (await lab.api.context.db.selectFrom('conversations').select('sealed').execute())[0]?.sealed;
  assert.ok(await sealed());
  lab.api.clock.advance(25 * 3_600_000);
  await runRetention(lab.api.context);
  assert.equal(await sealed(), null);
  assert.match((await lab.ask('And on Saturday?')).join(), /\w/);
});
