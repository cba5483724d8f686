import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { digestSecret } from '../../../api/delivery/signature.ts';
import { startApi, type TestApi } from '../../../bench/rig/api/api.ts';
import {
  type Received,
  type Receiver,
  respond,
  startReceiver,
  trustTestAuthority,
} from '../../../bench/rig/service/receiver.ts';
import { addEvent, EVENT_TYPES } from '../../../db/outbox.ts';
import { addDeliveries } from '../../../db/queries/webhooks/deliveries.ts';
import { seedCall } from '../../support/api/resources.ts';

trustTestAuthority();

let api: TestApi;
let receiver: Receiver;

before(async () => {
  // Standard Webhooks libraries refuse time stamps that are minutes off, so this clock is the real one.
  api = await startApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' }, nowMs: Date.now() });
  receiver = await startReceiver();
});
after(async () => {
  await api.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.probes.length = 0;
});

const create = (path = '/hook', events: string[] = ['call.ended']) =>
  api.tenant.ask('POST', '/webhooks', { url: receiver.url(path), events });

function verified(secret: string, { body, headers }: Received): unknown {
  const key = Buffer.from(digestSecret(secret), 'base64').toString('base64');
  return new Webhook(`whsec_${key}`).verify(body, headers as Record<string, string>);
}

test('a webhook is created after a signed probe, with its secret in plain this one time', async () => {
  const created = await create();
  assert.equal(created.status, 201);
  const { id, url, events, secret, isActive, failureCount, lastTriggeredAt } = created.json.data;
  assert.match(id, /^whk_[0-9a-z]{26}$/);
  assert.match(secret, /^whsec_[A-Za-z0-9+/=]{32}$/);
  assert.deepEqual(
    { url, events, isActive, failureCount, lastTriggeredAt },
    { url: receiver.url('/hook'), events: ['call.ended'], isActive: true, failureCount: 0, lastTriggeredAt: null },
  );
  const [probe] = receiver.probes;
  assert.ok(probe);
  const message = verified(secret, probe) as { type: string; id: string; data: { webhookId: string } };
  assert.equal(message.type, 'webhook.probe');
  assert.equal(message.id, probe.headers['webhook-id']);
  assert.equal(message.data.webhookId, id);

  const listed = await api.tenant.ask('GET', '/webhooks');
  assert.equal(listed.json.data[0]?.secret, 'whsec_********');
  assert.equal(listed.json.pagination.total, 1);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${id}`)).json.data.secret, 'whsec_********');
  const row = await api.context.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(row).includes(secret.slice(6)), 'the secret is not stored');
});

test('URLs that are not HTTPS, or name unknown events, fail validation', async () => {
  for (const [body, field] of [
    [{ url: 'http://example.com/hook', events: ['call.ended'] }, 'url'],
    [{ url: 'http://10.1.2.3/hook', events: ['call.ended'] }, 'url'],
    [{ url: 'http://localhost.example.com/hook', events: ['call.ended'] }, 'url'],
    [{ url: 'not a url', events: ['call.ended'] }, 'url'],
    [{ url: 'https://user:secret@localhost/', events: ['call.ended'] }, 'url'],
    [{ url: receiver.url(), events: ['call.exploded'] }, 'events[0]'],
    [{ url: receiver.url(), events: [] }, 'events'],
    [{ events: ['call.ended'] }, 'url'],
    [{ url: receiver.url(), events: ['call.ended'], uri: 'x' }, 'uri'],
  ] as const) {
    const answer = await api.tenant.ask('POST', '/webhooks', body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.equal(answer.json.errors?.[0]?.field, field);
  }
  assert.equal(receiver.probes.length, 0);
});

test('http is refused, also where private addresses are not, but by a variable of its own to this machine', async (t) => {
  const plain = await startReceiver({ plain: true });
  t.after(() => plain.close());
  const hook = (at: TestApi, url: string) => at.tenant.ask('POST', '/webhooks', { url, events: ['call.ended'] });
  const guarded = await startApi({ nowMs: Date.now() });
  t.after(() => guarded.close());
  for (const each of [api, guarded]) {
    const refused = await hook(each, plain.url());
    assert.equal(refused.status, 422);
    assert.match(refused.text, /must begin with https:\/\/ \(for tests on one machine, .*WEBHOOK_ALLOW_HTTP=1/);
  }
  const secure = await hook(guarded, receiver.url());
  assert.match(secure.text, /private or internal address \(for tests on one machine, WEBHOOK_ALLOW_PRIVATE=1/);
  const environment = { WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_ALLOW_HTTP: '1' };
  const open = await startApi({ environment, nowMs: Date.now() });
  t.after(() => open.close());
  for (const url of [plain.url('/hook'), plain.url('/hook').replace('localhost', '127.0.0.1')]) {
    const made = await hook(open, url);
    assert.equal(made.status, 201, made.text);
    const sent = await open.tenant.ask('POST', `/webhooks/${made.json.data.id}/test`, { event: 'call.ended' });
    assert.equal(sent.json.data.statusCode, 200, sent.text);
  }
  assert.equal((await hook(open, 'http://10.1.2.3/hook')).status, 422);
});

test('private hosts and failed probes are refused with 400', async (t) => {
  const guarded = await startApi({
    context: { resolve: async () => ['8.8.8.8', '192.168.1.7'] },
    nowMs: Date.now(),
  });
  t.after(() => guarded.close());
  for (const url of ['https://localhost/', 'https://10.1.2.3/', 'https://2130706433/', 'https://mixed.example.com/']) {
    const answer = await guarded.tenant.ask('POST', '/webhooks', { url, events: ['call.ended'] });
    assert.equal(answer.status, 400, url);
    assert.match(answer.json.error ?? '', /^The webhook URL must /);
  }
  const closed = await startReceiver();
  await closed.close();
  const refused = await api.tenant.ask('POST', '/webhooks', { url: closed.url(), events: ['call.ended'] });
  assert.equal(refused.status, 400);
  assert.match(refused.json.error ?? '', /probe POST with 2xx within 10 seconds: the connection was refused/);
});

test('a changed URL is probed, and kept as it was when the probe fails', async () => {
  const { id } = (await create('/first')).json.data;
  const moved = await api.tenant.ask('PATCH', `/webhooks/${id}`, { url: receiver.url('/second') });
  assert.equal(moved.status, 200);
  assert.deepEqual(
    receiver.probes.map(({ path }) => path),
    ['/first', '/second'],
  );
  const broken = await api.tenant.ask('PATCH', `/webhooks/${id}`, { url: 'https://localhost:1/' });
  assert.equal(broken.status, 400);
  const { data } = (await api.tenant.ask('GET', `/webhooks/${id}`)).json;
  assert.equal(data.url, receiver.url('/second'));
  const changed = await api.tenant.ask('PATCH', `/webhooks/${id}`, {
    ...data,
    isActive: false,
    events: ['call.failed'],
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.json));
  assert.equal(changed.json.data.isActive, false);
  assert.deepEqual(changed.json.data.events, ['call.failed']);
});

test('a rotated secret signs at once, and the old one no longer', async () => {
  const { id, secret } = (await create('/rotate')).json.data;
  const rotated = await api.tenant.ask('POST', `/webhooks/${id}/rotate-secret`);
  assert.equal(rotated.status, 200);
  assert.notEqual(rotated.json.data.secret, secret);
  await api.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'call.ended' });
  const [sent] = receiver.at('/rotate');
  assert.ok(sent);
  assert.throws(() => verified(secret, sent));
  assert.ok(verified(rotated.json.data.secret, sent));
});

test('a test of each event type is delivered, logged, and moves no counters', async () => {
  const { id, secret } = (await create('/test')).json.data;
  for (const event of EVENT_TYPES) {
    const answer = await api.tenant.ask('POST', `/webhooks/${id}/test`, { event });
    assert.equal(answer.status, 200);
    const { success, statusCode, isTest, isReplay, eventType, requestBody, responseBody, attempt } = answer.json.data;
    assert.deepEqual(
      { success, statusCode, isTest, isReplay, eventType, responseBody, attempt },
      {
        success: true,
        statusCode: 200,
        isTest: true,
        isReplay: false,
        eventType: event,
        responseBody: 'ok',
        attempt: 1,
      },
    );
    const sent = receiver.at('/test').at(-1);
    assert.ok(sent);
    assert.equal(sent.body, requestBody);
    assert.equal((verified(secret, sent) as { type: string }).type, event);
  }
  const { lastTriggeredAt, failureCount } = (await api.tenant.ask('GET', `/webhooks/${id}`)).json.data;
  assert.deepEqual({ lastTriggeredAt, failureCount }, { lastTriggeredAt: null, failureCount: 0 });
  assert.equal((await api.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'nope' })).status, 422);
});

test('a failed delivery is found by its filter and replayed byte for byte to the current URL', async () => {
  const { id } = (await create('/flaky')).json.data;
  receiver.behave('/flaky', respond(503, 'later'));
  const failed = await api.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'call.ended' });
  assert.equal(failed.status, 200);
  assert.equal(failed.json.data.success, false);
  assert.equal(failed.json.data.error, 'answered 503');
  assert.equal(failed.json.data.responseBody, 'later');
  await api.tenant.ask('PATCH', `/webhooks/${id}`, { url: receiver.url('/steady') });
  await api.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'call.started' });

  const failures = await api.tenant.ask('GET', `/webhooks/${id}/deliveries?success=false`);
  assert.deepEqual(
    failures.json.data.map((entry: { id: string }) => entry.id),
    [failed.json.data.id],
  );
  assert.equal(failures.json.pagination.total, 1);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${id}/deliveries?success=true`)).json.pagination.total, 1);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${id}/deliveries`)).json.pagination.total, 2);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${id}/deliveries?success=maybe`)).status, 422);

  const replayed = await api.tenant.ask('POST', `/webhooks/${id}/deliveries/${failed.json.data.id}/replay`);
  assert.equal(replayed.status, 201);
  assert.equal(replayed.json.data.isReplay, true);
  assert.equal(replayed.json.data.url, receiver.url('/steady'));
  assert.equal(replayed.json.data.eventId, failed.json.data.eventId);
  const again = receiver.at('/steady').at(-1);
  assert.equal(again?.body, failed.json.data.requestBody);
  assert.equal(again?.headers['webhook-id'], failed.json.data.eventId);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${id}`)).json.data.failureCount, 0);
  const unknown = await api.tenant.ask('POST', `/webhooks/${id}/deliveries/dlv_none/replay`);
  assert.equal(unknown.status, 404);
});

test('a replay that is under way while its call is erased leaves no word of it in the log', async () => {
  const { id, url } = (await create('/slow')).json.data;
  const call = await seedCall(api, api.tenant, {});
  const { db } = api.context;
  const { accountId } = api.tenant;
  const data = { id: call.id, transcript: [{ speaker: 'caller', text: 'I am Zenobia' }] };
  const body = JSON.stringify({ type: 'call.ended', data });
  const sent = { url, attempt: 1, success: 1, statusCode: 200, requestBody: body, responseBody: 'ok' } as const;
  const logged = { error: null, durationMs: 1, isReplay: 0, isTest: 0, nextRetryAt: null } as const;
  const about = { accountId, type: 'call.ended', subjectId: call.id, nowMs: api.clock.now } as const;
  await db.transaction().execute(async (tx) => {
    const eventId = (await addEvent(tx, { ...about, data })) ?? assert.fail();
    const entry = { id: 'dlv_1', eventId, eventType: 'call.ended', createdAt: api.clock.now };
    await addDeliveries(tx, accountId, id, [{ ...entry, ...sent, ...logged }]);
  });
  const arrived = Promise.withResolvers<void>();
  const erased = Promise.withResolvers<void>();
  receiver.behave('/slow', async (response) => {
    arrived.resolve();
    await erased.promise;
    response.writeHead(200).end('thanks, Zenobia');
  });
  const replay = api.tenant.ask('POST', `/webhooks/${id}/deliveries/dlv_1/replay`);
  await arrived.promise;
  assert.equal((await api.tenant.ask('DELETE', `/calls/${call.id}`)).status, 200);
  erased.resolve();
  assert.doesNotMatch((await replay).text, /Zenobia/);
  const log = await api.tenant.ask('GET', `/webhooks/${id}/deliveries`);
  assert.deepEqual([log.json.data.length, log.text.includes('Zenobia')], [2, false]);
});

test('what is switched off is tried no more, and its log says so', async () => {
  const { id, url } = (await create('/switched')).json.data;
  const { db, now } = api.context;
  const { accountId } = api.tenant;
  const entry = { id: 'dlv_off', eventId: 'evt_off', eventType: 'call.ended', createdAt: now() };
  const failed = { url, attempt: 1, success: 0, statusCode: 500, requestBody: '{}', responseBody: '' } as const;
  const logged = { error: 'answered 500', durationMs: 1, isReplay: 0, isTest: 0, nextRetryAt: now() + 5_000 } as const;
  await addDeliveries(db, accountId, id, [{ ...entry, ...failed, ...logged }]);
  const retryAt = async () => (await api.tenant.ask('GET', `/webhooks/${id}/deliveries`)).json.data[0]?.nextRetryAt;
  assert.notEqual(await retryAt(), null);
  await api.tenant.ask('PATCH', `/webhooks/${id}`, { isActive: false });
  assert.equal(await retryAt(), null);
});

test('a deleted webhook is gone but for its log', async () => {
  const { id } = (await create('/deleted')).json.data;
  const { data } = (await api.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'call.ended' })).json;
  const deleted = await api.tenant.ask('DELETE', `/webhooks/${id}`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json.data, { id });
  const log = await api.tenant.ask('GET', `/webhooks/${id}/deliveries`);
  assert.equal(log.status, 200);
  assert.equal(log.json.data[0]?.id, data.id);
  for (const [method, path] of [
    ['GET', `/webhooks/${id}`],
    ['PATCH', `/webhooks/${id}`],
    ['DELETE', `/webhooks/${id}`],
    ['POST', `/webhooks/${id}/rotate-secret`],
    ['POST', `/webhooks/${id}/deliveries/${data.id}/replay`],
  ] as const) {
    const answer = await api.tenant.ask(method, path, method === 'PATCH' ? { isActive: true } : undefined);
    assert.equal(answer.status, 404, `${method} ${path}`);
  }
  const listed = await api.tenant.ask('GET', '/webhooks?limit=100');
  assert.ok(!listed.json.data.some((webhook: { id: string }) => webhook.id === id));
});

test('another tenant’s webhook cannot be told from a missing one', async () => {
  const { id } = (await create('/own')).json.data;
  const { data } = (await api.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'call.ended' })).json;
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { isActive: false }],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test', { event: 'call.ended' }],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${data.id}/replay`],
  ] as const) {
    const foreign = await api.other.ask(method, `/webhooks/${id}${path}`, body);
    const missing = await api.other.ask(method, `/webhooks/whk_missing${path}`, body);
    assert.equal(foreign.status, 404, `${method} ${path}`);
    assert.equal(foreign.text, missing.text);
  }
  assert.equal((await api.tenant.ask('GET', `/webhooks/${id}`)).json.data.isActive, true);
});

test('tests and replays count against the rate limit', async (t) => {
  const limited = await startApi({
    environment: { WEBHOOK_ALLOW_PRIVATE: '1', RATE_LIMIT_PER_MINUTE: '3' },
    nowMs: Date.now(),
  });
  t.after(() => limited.close());
  const { id } = (
    await limited.tenant.ask('POST', '/webhooks', { url: receiver.url('/limited'), events: ['call.ended'] })
  ).json.data;
  const first = await limited.tenant.ask('POST', `/webhooks/${id}/test`, { event: 'call.ended' });
  const path = `/webhooks/${id}/deliveries/${first.json.data.id}/replay`;
  assert.equal((await limited.tenant.ask('POST', path)).status, 201);
  const refused = await limited.tenant.ask('POST', path);
  assert.equal(refused.status, 429);
  assert.ok(refused.headers['retry-after']);
  assert.equal(receiver.at('/limited').length, 2);
});
