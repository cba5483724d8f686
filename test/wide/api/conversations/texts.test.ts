// Texts to a number of a campaign: the agent that answers its calls answers them, once, and not those who want none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeMessage } from '../../../../api/conversations/write.ts';
import type { Auth } from '../../../../api/frame/app.ts';
import { OWN_NUMBER, PERSON, post, useTexts } from '../../../support/carriers/text-lab.ts';

const lab = useTexts();
const conversations = async () => (await lab.api.admin.ask('GET', '/conversations')).json.data;
const only = async () => {
  const [one] = await conversations();
  assert.ok(one);
  return one;
};
const messages = async (id: string) =>
  (await lab.api.admin.ask('GET', `/conversations/${id}/messages?limit=100`)).json.data.toReversed();

test('a number that is bought tells its texts here', async () => {
  const [number] = [...lab.twilio.numbers.values()];
  assert.equal(number?.sms_url, lab.url);
});

test('a question is answered by the agent that answers calls', async () => {
  const answers = await lab.ask('What are your opening hours?');
  assert.equal(answers.length, 1);
  assert.match(answers[0] ?? '', /Monday .*Friday .*9/i);
  const conversation = await only();
  assert.equal(conversation.personNumber, PERSON);
  assert.equal(conversation.ownNumber, OWN_NUMBER);
  const said = await messages(conversation.id);
  assert.deepEqual(
    said.map(({ author, status }) => [author, status]),
    [
      ['person', 'read'],
      ['agent', 'sent'],
    ],
  );
});

test('an appointment is booked over several texts', async () => {
  await lab.ask('I would like to book a check-up');
  await lab.ask('Tomorrow at 10 am');
  await lab.ask('My name is Jane Miller');
  await lab.ask('yes');
  const booked = (await lab.api.admin.ask('GET', '/appointments')).json.data;
  assert.deepEqual(
    booked.map(({ service, name, phone, callId }) => [service, name, phone, callId]),
    [['Check-up', 'Jane Miller', PERSON, null]],
    lab.sent().join('\n'),
  );
});

test('texts in pieces get one answer', async () => {
  await lab.receive('Hello');
  await lab.receive('What are your opening hours?');
  assert.equal(await lab.answer(), 1);
  await lab.send();
  assert.equal(lab.sent().length, 1);
  assert.match(lab.sent()[0] ?? '', /Monday/);
});

test('what the carrier tells twice counts once', async () => {
  const again = { MessageSid: `SM${'e'.repeat(32)}` };
  await lab.receive('What are your opening hours?', again);
  await lab.receive('What are your opening hours?', again);
  assert.equal((await messages((await only()).id)).length, 1);
});

test('a request whose values run on into the next name is signed alike, and no other text', async () => {
  const fields = { MessageSid: `SM${'a'.repeat(32)}`, NumMedia: '0', From: PERSON, To: OWN_NUMBER, Body: 'Hello' };
  const signed = lab.twilio.signed(lab.url, fields);
  assert.equal(await post(lab.api, signed), 200);
  const { NumMedia, ...rest } = fields;
  const moved = new URLSearchParams({ ...rest, MessageSid: `${fields.MessageSid}NumMedia${NumMedia}` });
  assert.equal(await post(lab.api, { ...signed, body: String(moved) }), 200);
  assert.equal((await messages((await only()).id)).length, 1);
});

test('a request that the carrier did not sign is refused', async () => {
  const fields = { MessageSid: 'SM1', From: PERSON, To: OWN_NUMBER, Body: 'Hello' };
  const signed = lab.twilio.signed(lab.url, fields);
  assert.equal(await post(lab.api, { ...signed, body: signed.body.replace('Hello', 'Hullo') }), 403);
  assert.equal(
    await post(lab.api, { ...signed, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    403,
  );
  assert.equal(await post(lab.api, lab.twilio.signed(`${lab.url.slice(0, -20)}none/texts`, fields)), 404);
  assert.deepEqual(await conversations(), []);
});

test('STOP is confirmed once, and nothing follows until START', async () => {
  await lab.ask('What are your opening hours?');
  assert.match((await lab.ask('Stop.')).join(), /no more messages/);
  assert.deepEqual(await lab.ask('STOP'), []);
  assert.deepEqual(await lab.ask('Are you open on Sunday?'), []);
  const { id, note } = await only();
  assert.equal(note, 'opted_out');
  const refused = await lab.api.admin.ask('POST', `/conversations/${id}/messages`, { text: 'We miss you' });
  assert.equal(refused.json.code, 'TEXT_OPTED_OUT', refused.text);
  assert.match((await lab.ask('Start')).join(), /again/);
  assert.match((await lab.ask('What are your opening hours?')).join(), /Monday/);
});

test('who writes in their own words that they want no calls is on the list, and gets no text after the one that says so', async () => {
  const said = await lab.ask('Please never call me again');
  assert.match(said.join(), /won't be called again/);
  const listed = (await lab.api.admin.ask('GET', '/do-not-call')).json.data;
  assert.deepEqual(
    listed.map(({ phoneNumber, source }) => [phoneNumber, source]),
    [[PERSON, 'call']],
  );
  assert.deepEqual(await lab.ask('What are your opening hours?'), []);
  const [conversation] = (await lab.api.admin.ask('GET', '/conversations')).json.data;
  const told = await lab.api.admin.ask('POST', `/conversations/${conversation?.id}/messages`, { text: 'Hello' });
  assert.equal(told.json.code, 'TEXT_OPTED_OUT');
  await lab.api.admin.ask('DELETE', `/do-not-call/${encodeURIComponent(PERSON)}`);
  assert.match((await lab.ask('What are your opening hours?')).join(), /Monday/);
});

test('a chat has no number, so the agent promises nothing', async () => {
  const { admin } = lab.api;
  const chat = (await admin.ask('POST', '/conversations', { campaignId: lab.campaignId })).json.data;
  await admin.ask('POST', `/conversations/${chat.id}/messages`, { text: 'Please never call me again' });
  await lab.answer();
  const [answer] = (await admin.ask('GET', `/conversations/${chat.id}/messages`)).json.data;
  assert.match(answer?.text ?? '', /can't note that/);
  assert.deepEqual((await admin.ask('GET', '/do-not-call')).json.data, []);
});

test('a question that begins with a word of that kind is a question', async () => {
  assert.match((await lab.ask('Stop by tomorrow, are you open on Monday?')).join(), /\w/);
  assert.equal((await only()).note, null);
});

test('a person takes over, the agent is quiet, and knows what was said when it is asked again', async () => {
  await lab.ask('What are your opening hours?');
  const { id } = await only();
  const written = await lab.api.admin.ask('POST', `/conversations/${id}/messages`, {
    text: 'This is Ana. Come at ten.',
  });
  assert.equal(written.status, 201, written.text);
  await lab.send();
  assert.equal(lab.sent().at(-1), 'This is Ana. Come at ten.');
  assert.equal((await only()).answeredBy, 'person');
  assert.deepEqual(await lab.ask('What does it cost?'), []);
  await lab.api.admin.ask('PATCH', `/conversations/${id}`, { answeredBy: 'agent' });
  await lab.answer();
  await lab.send();
  assert.match(lab.sent().at(-1) ?? '', /80/);
});

test('two machines that answer each other fall silent, and it is noted', async () => {
  for (let round = 0; round < 25; round++) await lab.ask('What are your opening hours?');
  assert.equal(lab.sent().length, 20);
  assert.equal((await only()).note, 'loop');
  lab.api.clock.advance(3_700_000);
  assert.equal((await lab.ask('What are your opening hours?')).length, 1);
});

test('a text that the carrier may have is not sent again', async () => {
  const { api, http } = lab;
  await lab.receive('What are your opening hours?');
  await lab.answer();
  http.planned = [{ route: 'POST api.twilio.com/2010-04-01/Accounts/:account/Messages.json', kind: 'broken-after' }];
  await lab.send();
  assert.equal(lab.sent().length, 1);
  api.clock.advance(3 * 60_000);
  await lab.send();
  assert.equal(lab.sent().length, 1);
  assert.equal((await messages((await only()).id)).at(-1)?.status, 'sent');
});

test('a refusal of the carrier is told in its words', async () => {
  lab.twilio.refusing = 'The recipient is unsubscribed';
  await lab.ask('What are your opening hours?');
  const last = (await messages((await only()).id)).at(-1);
  assert.deepEqual([last?.status, last?.error], ['failed', 'The recipient is unsubscribed']);
});

test('what became of a text is noted, in whatever order it is told', async () => {
  await lab.ask('What are your opening hours?');
  const [sid = ''] = [...lab.twilio.messages.keys()];
  assert.equal(await lab.tell(sid, 'delivered'), 200);
  assert.equal(await lab.tell(sid, 'sent'), 200);
  assert.equal((await messages((await only()).id)).at(-1)?.status, 'delivered');
});

test('a text is queued together with the answer to its key, or not at all', async () => {
  await lab.ask('What are your opening hours?');
  const { api } = lab;
  const { id } = await only();
  const texts = async () => (await messages(id)).map(({ text }) => text);
  const before = await texts();
  const auth = { ...api.admin, scopes: ['call'], kind: 'session' } as unknown as Auth;
  const write = (remember: () => Promise<void>) =>
    writeMessage(api.context, auth, id, { text: 'Come at ten.' }, remember);
  await assert.rejects(
    write(() => Promise.reject(new Error('the disk is full'))),
    /the disk is full/,
  );
  assert.deepEqual(await texts(), before);
  await write(() => Promise.resolve());
  assert.deepEqual(await texts(), [...before, 'Come at ten.']);
});

test('another account sees none of it', async () => {
  await lab.ask('What are your opening hours?');
  const { id } = await only();
  const { tenant } = lab.api;
  assert.deepEqual((await tenant.ask('GET', '/conversations')).json.data, []);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/messages'],
  ] as const) {
    const body = method === 'PATCH' ? { answeredBy: 'person' } : undefined;
    assert.equal((await tenant.ask(method, `/conversations/${id}${path}`, body)).status, 404);
  }
  assert.equal((await tenant.ask('POST', `/conversations/${id}/messages`, { text: 'Hi' })).status, 404);
});
