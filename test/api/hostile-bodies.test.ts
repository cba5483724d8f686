// Bodies that break a hundred thousand rules: refused, named, and never at the cost of others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApi, type TestApi } from '../../bench/rig/api/api.ts';
import { setUpCampaign } from '../support/api/resources.ts';

let api: TestApi;
before(async () => {
  api = await startApi();
});
after(() => api.close());

const MIB = 1024 * 1024;

/** An object of unknown keys, about `bytes` long as JSON. */
function unknownKeys(bytes: number): string {
  const keys: string[] = [];
  for (let length = 0, n = 0; length < bytes - 20; n++) {
    const pair = `"${n.toString(36)}":1`;
    keys.push(pair);
    length += pair.length + 1;
  }
  return `{${keys.join(',')}}`;
}

async function post(path: string, payload: string, headers: Record<string, string> = {}) {
  // The machine may be busy with something else.
  const before = process.cpuUsage();
  const answer = await api.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const { user, system } = process.cpuUsage(before);
  return { answer, cpuMs: (user + system) / 1_000 };
}

const PUBLIC = ['/auth/login', '/auth/register', '/auth/refresh', '/auth/reset-password', '/auth/verify-2fa'];

test('a public route takes small bodies only, and all their faults cost little', async () => {
  for (const path of PUBLIC) {
    assert.equal((await post(path, unknownKeys(MIB))).answer.status, 413, path);
    await post(path, '{"x":1}');
    const { answer, cpuMs } = await post(path, unknownKeys(31 * 1024));
    assert.equal(answer.status, 422, path);
    assert.ok((answer.json.errors?.length ?? 0) <= 100);
    assert.ok(cpuMs < 100, `${path}: ${cpuMs} ms`);
  }
});

test('a body of a hundred thousand faults does not cost more than one of a few', async () => {
  const headers = { authorization: `Bearer ${api.tenant.token}` };
  const bodies = {
    '/agents': unknownKeys(MIB - 100),
    '/phone-numbers/purchase': unknownKeys(400_000),
    '/campaigns': `{"name":"x","phoneNumberIds":[${'1,'.repeat(400_000)}1]}`,
    '/businesses': `{"name":"x","hours":[${'{},'.repeat(300_000)}{}]}`,
    '/do-not-call': `{"phoneNumber":"+14155552671","reason":{${unknownKeys(MIB - 200).slice(1)}}`,
  };
  for (const [path, body] of Object.entries(bodies)) {
    await post(path, '{"nonsense":1}', headers);
    const { answer, cpuMs } = await post(path, body, headers);
    assert.equal(answer.status, 422, path);
    assert.ok((answer.json.errors?.length ?? 0) >= 1);
    assert.ok(cpuMs < 150, `${path}: ${cpuMs} ms`);
  }
});

test('an honest body is told all of its faults', async () => {
  const { campaign } = await setUpCampaign(api, api.tenant);
  const contacts = Array.from({ length: 1_000 }, (_, i) => ({
    phoneNumber: `+1415555${String(1_000 + i)}`,
    name: 'Ada',
    ...(i % 300 === 7 ? { emial: 'ada@example.com' } : {}),
  }));
  const answer = await api.tenant.ask('POST', `/campaigns/${campaign.id}/contacts`, { contacts });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    answer.json.errors?.map(({ field }) => field),
    [7, 307, 607, 907].map((i) => `contacts[${i}].emial`),
  );
  const login = await api.ask('POST', '/auth/login', { emial: 'a@example.com', passwort: 'x' });
  assert.deepEqual(login.json.errors?.map(({ field }) => field).sort(), ['email', 'emial', 'password', 'passwort']);
});
