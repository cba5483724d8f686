// Faults that a request of the client survives, and requests that it never sends twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../../api/clients/typescript/api-error.ts';
import { createClient } from '../../../../api/clients/typescript/client.ts';
import { answering, data, json, refusal } from './answering.ts';

const CALL = { campaignId: 'cmp_1', toNumber: '+12025550143', fromPhoneNumberId: 'pn_1' };
const reset = () => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) });

test('a request carries the token, and its JSON', async () => {
  const { options, asked } = answering(data({ id: 'call_1' }));
  const call = await createClient(options).calls.place(CALL);
  assert.equal(call.id, 'call_1');
  const [request] = asked;
  assert.equal(request?.url, 'https://phone.example/api/v1/calls');
  assert.equal(request?.headers.get('authorization'), 'Bearer vcs_test');
  assert.equal(request?.headers.get('content-type'), 'application/json');
  assert.deepEqual(JSON.parse(String(request?.body)), CALL);
});

test('a call whose answer is lost is asked for again with the same key, which no other call has', async () => {
  const { options, asked } = answering(reset(), refusal(409, 'IDEMPOTENCY_KEY_BUSY'), data({ id: 'call_1' }));
  const client = createClient(options);
  await client.calls.place(CALL);
  await client.calls.place(CALL);
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  assert.match(keys[0] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual([keys[1], keys[2]], [keys[0], keys[0]]);
  assert.notEqual(keys[3], keys[0]);
});

test('a change without a key is never sent twice', async () => {
  for (const answer of [reset(), refusal(503, 'DATABASE_BUSY', { 'retry-after': '1' }), refusal(429, 'RATE_LIMITED')]) {
    const { options, asked } = answering(answer);
    await assert.rejects(createClient(options).webhooks.update('whk_1', { isActive: false }), ApiError);
    assert.equal(asked.length, 1);
  }
});

test('a reading is tried three times more, and waits longer each time', async () => {
  const { options, asked, waits } = answering(refusal(502, 'UNKNOWN'));
  await assert.rejects(createClient(options).calls.get('call_1'), { status: 502 });
  assert.equal(asked.length, 4);
  waits.forEach((ms, i) => {
    assert.ok(ms >= 250 * 2 ** i && ms <= 500 * 2 ** i, `${ms}`);
  });
});

test('Retry-After is obeyed, and one that is long is left to the caller', async () => {
  const soon = answering(refusal(503, 'ENGINE_DOWN', { 'retry-after': '7' }), data({ id: 'call_1' }));
  await createClient(soon.options).calls.get('call_1');
  assert.deepEqual(soon.waits, [7_000]);
  const minute = answering(refusal(429, 'RATE_LIMITED', { 'retry-after': '55' }), data({ id: 'call_1' }));
  await createClient(minute.options).calls.get('call_1');
  assert.deepEqual(minute.waits, [55_000]);
  const state = answering(refusal(503, 'NO_TRUNK', { 'retry-after': '30' }));
  await assert.rejects(createClient(state.options).calls.place(CALL), { code: 'NO_TRUNK' });
  assert.equal(state.asked.length, 1);
  const late = answering(refusal(429, 'MINUTES_EXHAUSTED', { 'retry-after': '3600' }));
  await assert.rejects(createClient(late.options).calls.get('call_1'), { retryAfterMs: 3_600_000 });
  assert.equal(late.asked.length, 1);
});

test('a refusal says its code, its fields and its request', async () => {
  const errors = [{ field: 'toNumber', message: 'must be a phone number' }];
  const answer = json(422, { success: false, error: 'Validation failed', code: 'VALIDATION_FAILED', errors });
  answer.headers.set('x-request-id', 'req_1');
  const { options, asked } = answering(answer);
  await assert.rejects(createClient(options).calls.place(CALL), {
    name: 'ApiError',
    status: 422,
    code: 'VALIDATION_FAILED',
    fields: errors,
    requestId: 'req_1',
    message: 'Validation failed: toNumber must be a phone number',
  });
  assert.equal(asked.length, 1);
});

test('no answer says which address and why, and the page of a proxy is no answer of the service', async () => {
  const gone = answering(reset());
  await assert.rejects(createClient({ ...gone.options, retries: 0 }).calls.get('call_1'), {
    status: 0,
    code: 'UNREACHABLE',
    message: 'https://phone.example cannot be reached (ECONNRESET)',
  });
  const page = answering(new Response('<h1>It works!</h1>', { status: 404 }));
  await assert.rejects(createClient(page.options).calls.get('call_1'), { code: 'UNKNOWN', message: /address right/ });
  const moved = answering(new Response(null, { status: 301, headers: { location: 'https://new.example/' } }));
  await assert.rejects(createClient(moved.options).calls.place(CALL), { code: 'REDIRECTED', message: /new\.example/ });
  assert.equal(moved.asked.length, 1, 'a POST would become a GET on its way');
});

test('an abort ends a request with its own reason, also between tries', async () => {
  const { options, asked } = answering(refusal(503, 'ENGINE_DOWN'));
  const controller = new AbortController();
  const reason = new Error('the user went away');
  const pause = async () => controller.abort(reason);
  const client = createClient({ ...options, pause });
  await assert.rejects(client.calls.get('call_1', { signal: controller.signal }), reason);
  assert.equal(asked.length, 1);
});

test('an id can lead to no other operation', async () => {
  const { options, asked } = answering(data({}));
  const client = createClient(options);
  for (const id of ['', '.', '..', undefined]) assert.throws(() => client.calls.erase(id as string), TypeError);
  await client.calls.get('../agents?x#y');
  assert.equal(asked[0]?.url, 'https://phone.example/api/v1/calls/..%2Fagents%3Fx%23y');
});

test('an address may have a path or the version, and must have a scheme; a token must be one', async () => {
  for (const [url, expected] of [
    ['https://a.example/', 'https://a.example/api/v1/account'],
    ['https://a.example/phone/', 'https://a.example/phone/api/v1/account'],
    ['http://a.example:8080/api/v1', 'http://a.example:8080/api/v1/account'],
  ] as const) {
    const { options, asked } = answering(data({}));
    await createClient({ ...options, url }).account.get();
    assert.equal(asked[0]?.url, expected);
  }
  const { options } = answering(data({}));
  assert.throws(() => createClient({ ...options, url: 'phone.example' }), /begins with https/);
  assert.throws(() => createClient({ ...options, token: 'vcs_a\n' }), /token/);
});

test('a token may be asked for with each request, and warnings are told', async () => {
  const warnings: string[] = [];
  const { options, asked } = answering(json(200, { success: true, data: {}, warnings: ['it has no effect'] }));
  let asks = 0;
  const client = createClient({ ...options, token: () => `t${++asks}`, onWarning: (text) => warnings.push(text) });
  await client.account.get();
  await client.account.get();
  assert.deepEqual(
    asked.map(({ headers }) => headers.get('authorization')),
    ['Bearer t1', 'Bearer t2'],
  );
  assert.deepEqual(warnings, ['it has no effect', 'it has no effect']);
});
