// Conversations of visitors in writing: one for each, which nobody else reads, and which people of the account can take
// over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';
import { SITE, useWidget } from '../../support/api/widget-lab.ts';
import { answerInWriting } from '../../support/carriers/text-lab.ts';

const lab = useWidget();
const { api } = lab;

const write = (key: string, text: string, visitor?: string) =>
  lab.visit(key, '/messages', { text, ...(visitor === undefined ? {} : { visitor }) });
const read = async (key: string, visitor: string, more: object = {}) =>
  (await lab.visit(key, '/messages/read', { visitor, ...more })).data;

test('a visitor asks, and the agent of the campaign answers, in one conversation', async () => {
  const { id, key } = await lab.key();
  const first = await write(key, 'What are your opening hours?');
  assert.equal(first.status, 201);
  const { visitor, message } = first.data;
  assert.match(visitor, /^[\w-]{43}$/);
  assert.deepEqual([message.from, message.text], ['visitor', 'What are your opening hours?']);
  assert.equal((await read(key, visitor)).isAnswering, true);
  assert.equal(await answerInWriting(api), 1);
  const thread = await read(key, visitor);
  assert.deepEqual(
    thread.messages.map(({ from }) => from),
    ['visitor', 'agent'],
  );
  assert.equal(thread.isAnswering, false);
  const again = await write(key, 'And on Sunday?', visitor);
  assert.equal(again.data.visitor, visitor);
  const news = await read(key, visitor, { after: thread.messages.at(-1)?.id });
  assert.deepEqual(
    news.messages.map(({ text }) => text),
    ['And on Sunday?'],
  );
  const conversations = (await api.tenant.ask('GET', '/conversations?kind=web')).json.data;
  assert.equal(conversations.length, 1);
  assert.equal(conversations[0]?.campaignId, lab.set.campaign.id);
  assert.equal((await lab.today(id)).messages, 2);
});

test('nobody reads the conversation of another visitor, key or account', async () => {
  const mine = await lab.key();
  const { visitor } = (await write(mine.key, 'My secret')).data;
  const other = await lab.key();
  for (const [key, token] of [
    [other.key, visitor],
    [mine.key, 'x'.repeat(43)],
    [mine.key, visitor.toLowerCase()],
  ] as const) {
    const told = await lab.visit(key, '/messages/read', { visitor: token });
    assert.deepEqual([told.status, told.code], [404, 'NOT_FOUND']);
  }
  const begun = await write(other.key, 'Hello', visitor);
  assert.notEqual(begun.data.visitor, visitor, 'begins one of its own');
  assert.equal((await read(other.key, begun.data.visitor)).messages.length, 1);
  assert.deepEqual((await api.other.ask('GET', '/conversations')).json.data, []);
  const { rows } = { rows: await api.context.read.selectFrom('widgetVisitors').selectAll().execute() };
  assert.ok(!JSON.stringify(rows).includes(visitor), 'kept as a hash alone');
});

test('somebody of the account takes over and writes, and the agent is quiet', async () => {
  const { key } = await lab.key();
  const { visitor } = (await write(key, 'Is somebody there?')).data;
  const [conversation] = (await api.tenant.ask('GET', '/conversations')).json.data;
  const path = `/conversations/${conversation?.id ?? ''}` as const;
  const written = await api.tenant.ask('POST', `${path}/messages`, { text: 'This is Ana. “Come” at ten.' });
  assert.deepEqual([written.status, written.json.data.status], [201, 'said'], written.text);
  assert.equal((await api.tenant.ask('GET', path)).json.data.answeredBy, 'person');
  await write(key, 'Thank you', visitor);
  assert.equal(await answerInWriting(api), 0);
  const { messages } = await read(key, visitor);
  assert.deepEqual(
    messages.map(({ from, text }) => [from, text]),
    [
      ['visitor', 'Is somebody there?'],
      ['person', 'This is Ana. “Come” at ten.'],
      ['visitor', 'Thank you'],
    ],
  );
  await api.tenant.ask('PATCH', path, { answeredBy: 'agent' });
  assert.equal(await answerInWriting(api), 1);
});

test('what is published answers, not a draft', async () => {
  const { key } = await lab.key();
  const path = `/businesses/${lab.set.business.id}` as const;
  assert.equal((await api.tenant.ask('PATCH', path, { drafts: true })).status, 200);
  await api.tenant.ask('PATCH', path, { name: 'Another name', redaction: { kinds: ['phone'] } });
  await write(key, 'Call me: +1 415 555 0177');
  const [conversation] = (await api.tenant.ask('GET', '/conversations')).json.data;
  assert.match(conversation?.lastMessage?.text ?? '', /0177/);
  assert.equal((await lab.visit(key, '')).data.businessName, 'Bright Dental');
});

test('a conversation that was erased is gone, and the next message begins another', async () => {
  const { key } = await lab.key();
  const { visitor } = (await write(key, 'Forget me')).data;
  const [conversation] = (await api.tenant.ask('GET', '/conversations')).json.data;
  await api.tenant.ask('DELETE', `/conversations/${conversation?.id}`);
  assert.equal((await lab.visit(key, '/messages/read', { visitor })).status, 404);
  assert.deepEqual(await api.context.read.selectFrom('widgetVisitors').selectAll().execute(), []);
  assert.notEqual((await write(key, 'Hello', visitor)).data.visitor, visitor);
});

test('messages of a day are capped, and texts that are none are refused', async () => {
  const { key } = await lab.key({ messagesPerDay: 3 });
  const all = await Promise.all(Array.from({ length: 8 }, (_, at) => write(key, `Message ${at}`)));
  assert.equal(all.filter(({ status }) => status === 201).length, 3);
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201, 429]));
  for (const text of ['', '   ', 'x'.repeat(10_000)]) assert.equal((await write(key, text)).status, 422);
});

test('a campaign that does not answer takes no message', async () => {
  const { key } = await lab.key();
  await api.tenant.ask('POST', `/campaigns/${lab.set.campaign.id}/pause`);
  const told = await write(key, 'Hello');
  assert.deepEqual(
    [told.status, told.code, told.headers['access-control-allow-origin']],
    [503, 'WIDGET_UNAVAILABLE', SITE],
  );
  assert.deepEqual((await api.tenant.ask('GET', '/conversations')).json.data, []);
});

test('who waits is answered once there is something new', async () => {
  const { key } = await lab.key();
  const { visitor, message } = (await write(key, 'What are your opening hours?')).data;
  const waiting = read(key, visitor, { after: message.id, wait: true });
  await answerInWriting(api);
  assert.deepEqual(
    (await waiting).messages.map(({ from }) => from),
    ['agent'],
  );
});

test('one network that holds all the places of those who wait leaves some to others', async () => {
  const { key } = await lab.key();
  const { visitor, message } = (await write(key, 'What are your opening hours?')).data;
  const body = { visitor, after: message.id, wait: true };
  const held = Array.from({ length: 64 }, () => lab.visit(key, '/messages/read', body, SITE, '198.51.100.7'));
  let over = 0;
  for (const each of held) each.then(() => over++);
  await eventually(() => over === 48);
  let isOver = false;
  const honest = lab.visit(key, '/messages/read', body, SITE, '203.0.113.7').then((told) => {
    isOver = true;
    return told;
  });
  await comesToRest();
  assert.equal(isOver, false, 'it waits');
  await answerInWriting(api);
  assert.equal((await honest).data.messages[0]?.from, 'agent');
  await Promise.all(held);
});

test('one network has half of the day’s messages, and the others the rest', async () => {
  const { key } = await lab.key({ messagesPerDay: 42 });
  const from = async (address: string, visitor?: string) => {
    const body = { text: 'Hello', ...(visitor === undefined ? {} : { visitor }) };
    return lab.visit(key, '/messages', body, undefined, address);
  };
  const { visitor } = (await from('198.51.100.20')).data;
  const statuses: number[] = [];
  for (let n = 0; n < 21; n++) statuses.push((await from('198.51.100.20', visitor)).status);
  assert.deepEqual(statuses, [...Array(20).fill(201), 429]);
  assert.equal((await from('203.0.113.20')).status, 201);
  api.clock.advance(86_400_000);
  assert.equal((await from('198.51.100.20', visitor)).status, 201, 'a new day');
});
