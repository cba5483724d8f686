import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dispatcher } from '../../../../api/delivery/dispatcher.ts';
import { RETRY_DELAYS_MS } from '../../../../api/delivery/schedule.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { type Behaviour, respond } from '../../../../bench/rig/service/receiver.ts';
import { type Delivery, startDeliveryTest } from '../../../support/api/delivery.ts';

/** The first attempt, and one after each delay. */
const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;

const ids = (entries: Array<{ id: string }>) => entries.map(({ id }) => id);

/** Lets a failing subscription make its next attempt: no earlier than the schedule says. */
async function nextRetry(delivery: Delivery, path: string, delayMs: number): Promise<void> {
  const { api, dispatcher, receiver, subscribe, emit } = delivery;
  const before = receiver.at(path).length;
  api.clock.advance(delayMs - 1);
  // An event for another one: when it has come, the dispatcher has looked at this subscription too.
  const marks = receiver.at('/mark').length;
  if (marks === 0) await subscribe('/mark', ['call.started']);
  await emit(1, 'call.started');
  dispatcher.wake();
  await receiver.until(() => receiver.at('/mark').length === marks + 1);
  assert.equal(receiver.at(path).length, before, 'not before its time');
  api.clock.advance(1);
  dispatcher.wake();
  await receiver.until(() => receiver.at(path).length === before + 1);
}

test('events arrive once each, in order, and leave a log', async (t) => {
  const delivery = await startDeliveryTest(t);
  const { receiver, subscribe, emit, queued, webhook, api } = delivery;
  const all = await subscribe('/all', ['call.started', 'call.ended']);
  const ended = await subscribe('/ended');
  const sent: string[] = [];
  for (let batch = 0; batch < 10; batch++) {
    sent.push(...(await emit(12, batch % 2 === 0 ? 'call.started' : 'call.ended')));
  }
  await receiver.until(() => receiver.at('/all').length === 120 && receiver.at('/ended').length === 60);
  assert.deepEqual(ids(receiver.at('/all')), sent);
  assert.deepEqual(
    ids(receiver.at('/ended')),
    sent.filter((_, index) => Math.floor(index / 12) % 2 === 1),
  );
  await eventually(async () => (await queued(all)) === 0 && (await queued(ended)) === 0);
  const log = await api.tenant.ask('GET', `/webhooks/${all}/deliveries`);
  assert.equal(log.json.pagination.total, 120);
  const [latest] = log.json.data;
  assert.ok(latest);
  const { requestBody, ...entry } = latest;
  assert.equal(JSON.parse(requestBody).id, entry.eventId);
  assert.equal(entry.attempt, 1);
  assert.equal(entry.isTest || entry.isReplay, false);
  assert.equal((await webhook(all)).failureCount, 0);
  const { data } = (await api.tenant.ask('GET', `/webhooks/${all}`)).json;
  assert.equal(data.lastTriggeredAt, new Date(api.clock.now).toISOString());
});

const FAULTS: Record<string, Behaviour> = {
  hangs: () => {},
  'answers 500': respond(500, 'no'),
  'answers 410': respond(410),
  'sends Retry-After': respond(429, '', { 'retry-after': '120' }),
  'streams without end': (response) => {
    response.writeHead(200);
    const write = () => {
      while (response.write(Buffer.alloc(16_384, 'a')));
    };
    response.on('drain', write);
    write();
  },
  'closes mid-answer': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.destroy());
  },
  'closes without an answer': (response) => {
    response.destroy();
  },
  redirects: respond(302, '', { location: 'https://localhost:1/' }),
};

test('a receiver that misbehaves disturbs none of the others', async (t) => {
  const delivery = await startDeliveryTest(t);
  const { receiver, subscribe, emit, log, api } = delivery;
  const faulty = new Map<string, string>();
  for (const [name, behaviour] of Object.entries(FAULTS)) {
    const path = `/${encodeURIComponent(name)}`;
    receiver.behave(path, behaviour);
    faulty.set(name, await subscribe(path));
  }
  const healthy = ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h', '/i'];
  for (const path of healthy) await subscribe(path);
  const sent: string[] = [];
  for (let batch = 0; batch < 5; batch++) sent.push(...(await emit(6)));
  await receiver.until(() => healthy.every((path) => receiver.at(path).length === sent.length));
  for (const path of healthy) assert.deepEqual(ids(receiver.at(path)), sent, path);

  const latest = async (name: string) => {
    const id = faulty.get(name) ?? '';
    await eventually(async () => (await log(id)).length > 0);
    return (await log(id)).at(-1) as Record<string, unknown>;
  };
  assert.equal((await latest('answers 500')).error, 'answered 500');
  assert.equal((await latest('answers 410')).statusCode, 410);
  assert.equal((await latest('redirects')).error, 'answered 302: redirects are not followed');
  assert.match(String((await latest('closes mid-answer')).error), /closed before the answer was complete/);
  assert.equal((await latest('closes without an answer')).statusCode, null);
  const endless = await latest('streams without end');
  assert.equal(endless.success, true);
  assert.equal((endless.responseBody as string).length, 4_096);
  const asked = await latest('sends Retry-After');
  assert.equal(Date.parse(String(asked.nextRetryAt)), api.clock.now + 120_000);
  // Its window lets a few wait; everything else is still queued.
  assert.ok(receiver.at('/hangs').length <= 4);
  assert.deepEqual(ids(receiver.at('/hangs')), sent.slice(0, receiver.at('/hangs').length));
});

test('a failed event is tried again on schedule and holds no later one back', async (t) => {
  const delivery = await startDeliveryTest(t);
  const { receiver, subscribe, emit, log, webhook } = delivery;
  const id = await subscribe('/flaky');
  receiver.behave('/flaky', (response, request, count) =>
    respond(request.id === first && count < 3 ? 500 : 200)(response, request, count),
  );
  const [first = ''] = await emit(1);
  await receiver.until(() => receiver.at('/flaky').length === 1);
  await eventually(async () => (await webhook(id)).failureCount === 1);
  const [second = ''] = await emit(1);
  await receiver.until(() => receiver.at('/flaky').length === 2);
  assert.equal(receiver.at('/flaky')[1]?.id, second, 'the later event does not wait');
  await eventually(async () => (await log(id)).length === 2);
  await nextRetry(delivery, '/flaky', 5_000);
  await eventually(async () => (await log(id)).length === 3);
  await nextRetry(delivery, '/flaky', 30_000);
  await eventually(async () => (await log(id)).length === 4);
  const attempts = receiver.at('/flaky').filter((entry) => entry.id === first);
  assert.equal(attempts.length, 3);
  assert.equal(new Set(attempts.map(({ body }) => body)).size, 1, 'every attempt carries the same bytes');
  assert.equal(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal((await webhook(id)).failureCount, 0);
  assert.deepEqual(
    (await log(id)).filter((entry) => entry.eventId === first).map((entry) => [entry.attempt, entry.success]),
    [
      [3, true],
      [2, false],
      [1, false],
    ],
  );
});

test('an event that fails at every attempt is given up after the last', async (t) => {
  const delivery = await startDeliveryTest(t);
  const { receiver, subscribe, emit, log, queued, webhook } = delivery;
  const id = await subscribe('/dead');
  receiver.behave('/dead', respond(500));
  await emit(1);
  await receiver.until(() => receiver.at('/dead').length === 1);
  for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
    await eventually(async () => (await log(id)).length === index + 1);
    await nextRetry(delivery, '/dead', delayMs);
  }
  await eventually(async () => (await queued(id)) === 0);
  assert.equal(receiver.at('/dead').length, ATTEMPTS_MAX);
  const entries = await log(id);
  assert.equal(entries[0]?.nextRetryAt, null);
  assert.equal((await webhook(id)).isActive, 1, 'less than five days of failure');
  assert.equal((await webhook(id)).failureCount, ATTEMPTS_MAX);
});

test('five days of failure alone switch a subscription off, with a mail', async (t) => {
  const { receiver, subscribe, emit, webhook, api, queued } = await startDeliveryTest(t);
  const id = await subscribe('/failing');
  await api.context.db.updateTable('users').set({ language: 'fr' }).where('id', '=', api.tenant.userId).execute();
  receiver.behave('/failing', respond(503));
  await emit(1);
  await eventually(async () => (await webhook(id)).failureCount === 1);
  api.clock.advance(5 * 86_400_000 - 1);
  await emit(1);
  await eventually(async () => (await webhook(id)).failureCount >= 3);
  assert.equal((await webhook(id)).isActive, 1);
  assert.equal(api.mails.length, 0);
  api.clock.advance(1);
  await emit(1);
  await eventually(async () => (await webhook(id)).isActive === 0);
  assert.equal((await webhook(id)).disabledReason, 'failing');
  await eventually(() => api.mails.length === 1);
  assert.equal(api.mails[0]?.to, api.tenant.email);
  assert.equal(api.mails[0]?.subject, 'Un webhook a été désactivé');
  assert.match(api.mails[0]?.text ?? '', new RegExp(`${id} vers .+\\n(.|\\n)*cinq derniers jours`));
  assert.equal(await queued(id), 0);
});

test('410 switches a subscription off; switched on again it begins with the next event', async (t) => {
  const { receiver, subscribe, emit, webhook, api } = await startDeliveryTest(t);
  const id = await subscribe('/gone');
  receiver.behave('/gone', respond(410));
  await emit(1);
  await eventually(async () => (await webhook(id)).isActive === 0);
  const record = (await api.tenant.ask('GET', `/webhooks/${id}`)).json.data;
  assert.equal(record.isActive, false);
  assert.equal(record.disabledReason, 'gone');
  const missed = await emit(3);
  receiver.behave('/gone', respond(200));
  const on = await api.tenant.ask('PATCH', `/webhooks/${id}`, { isActive: true });
  assert.equal(on.json.data.disabledReason, null);
  const [next = ''] = await emit(1);
  await receiver.until(() => receiver.at('/gone').length === 2);
  assert.equal(receiver.at('/gone')[1]?.id, next);
  assert.ok(!receiver.received.some((entry) => missed.includes(entry.id)));
});

test('an inactive or deleted subscription gets nothing, also not what waited for it', async (t) => {
  const { receiver, subscribe, emit, api, queued, webhook } = await startDeliveryTest(t);
  const id = await subscribe('/off');
  const deleted = await subscribe('/deleted');
  const witness = await subscribe('/witness');
  for (const path of ['/off', '/deleted']) receiver.behave(path, respond(500));
  const [early = ''] = await emit(1);
  await eventually(async () => (await webhook(id)).failureCount === 1 && (await webhook(deleted)).failureCount === 1);
  await api.tenant.ask('PATCH', `/webhooks/${id}`, { isActive: false });
  await api.tenant.ask('DELETE', `/webhooks/${deleted}`);
  assert.equal((await queued(id)) + (await queued(deleted)), 0);
  await emit(2);
  await api.tenant.ask('PATCH', `/webhooks/${id}`, { isActive: true });
  receiver.behave('/off', respond(200));
  api.clock.advance(60_000);
  const [last = ''] = await emit(1);
  await receiver.until(() => receiver.at('/witness').length === 4 && receiver.at('/off').length === 2);
  await eventually(async () => (await queued(witness)) === 0 && (await queued(id)) === 0);
  assert.deepEqual(ids(receiver.at('/off')), [early, last]);
  assert.deepEqual(ids(receiver.at('/deleted')), [early]);
});

test('a subscription begins with the event after its creation, and other tenants’ events are not its own', async (t) => {
  const { receiver, subscribe, emit, api } = await startDeliveryTest(t);
  await emit(2);
  await subscribe('/new');
  await subscribe('/foreign', ['call.ended'], api.other);
  const [own = ''] = await emit(1);
  const [foreign = ''] = await emit(1, 'call.ended', api.other);
  await receiver.until(() => receiver.received.length === 2);
  assert.deepEqual(ids(receiver.at('/new')), [own]);
  assert.deepEqual(ids(receiver.at('/foreign')), [foreign]);
});

test('a moved URL and a rotated secret take effect with the next attempt', async (t) => {
  const { receiver, subscribe, emit, api, webhook } = await startDeliveryTest(t);
  const id = await subscribe('/before');
  receiver.behave('/before', respond(500));
  await emit(1);
  await eventually(async () => (await webhook(id)).failureCount === 1);
  await api.tenant.ask('PATCH', `/webhooks/${id}`, { url: receiver.url('/after') });
  api.clock.advance(5_000);
  await receiver.until(() => receiver.at('/after').length === 1);
  assert.equal(receiver.at('/after')[0]?.id, receiver.at('/before')[0]?.id);
});

test('of two dispatchers on one database one delivers, and the other takes over when it ends', async (t) => {
  const { receiver, subscribe, emit, api, dispatcher } = await startDeliveryTest(t);
  const second = new Dispatcher(api.context, { pollMs: 5, paceMs: 60_000 });
  await subscribe('/one');
  await eventually(() => dispatcher.stats().leading);
  second.start();
  t.after(() => second.stop(0));
  const sent = await emit(50);
  await receiver.until(() => receiver.at('/one').length === 50);
  assert.equal(second.stats().leading, false);
  await dispatcher.stop();
  await eventually(() => second.stats().leading);
  sent.push(...(await emit(20)));
  await receiver.until(() => receiver.at('/one').length === 70);
  assert.deepEqual(ids(receiver.at('/one')), sent);
});
