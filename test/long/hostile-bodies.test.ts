// Bodies that break a hundred thousand rules: refused, named, and never at the cost of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUpCampaign } from '../support/api/resources.ts';
import { useApi } from '../support/api/use-api.ts';

const api = useApi();

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

const post = (path: string, payload: string, headers: Record<string, string> = {}) =>
  api.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Processor time of a request, the least of three: the machine may be busy with something else. */
async function costMs(path: string, payload: string, headers: Record<string, string>): Promise<number> {
  const costs: number[] = [];
  for (let n = 0; n < 3; n++) {
    const before = process.cpuUsage();
    await post(path, payload, headers);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  return Math.min(...costs);
}

/** Below it the clock is too coarse to compare. */
const LITTLE_MS = 10;

/** A body four times as long costs four times as much, not sixteen times. */
async function assertLinear(path: string, bodyOf: (share: number) => string, headers: Record<string, string> = {}) {
  const quarter = await costMs(path, bodyOf(1 / 4), headers);
  const whole = await costMs(path, bodyOf(1), headers);
  assert.ok(whole <= 12 * Math.max(quarter, LITTLE_MS), `${path}: ${quarter} ms for a quarter, ${whole} ms for all`);
}

const PUBLIC = ['/auth/login', '/auth/register', '/auth/refresh', '/auth/reset-password', '/auth/verify-2fa'];

test('a public route takes small bodies only, and all their faults cost little', async () => {
  for (const path of PUBLIC) {
    assert.equal((await post(path, unknownKeys(MIB))).status, 413, path);
    const answer = await post(path, unknownKeys(31 * 1024));
    assert.equal(answer.status, 422, path);
    assert.ok((answer.json.errors?.length ?? 0) <= 100);
    await assertLinear(path, (share) => unknownKeys(share * 31 * 1024));
  }
});

test('a body of a hundred thousand faults does not cost more than one of a few', async () => {
  const headers = { authorization: `Bearer ${api.tenant.token}` };
  const bodies: Record<string, (share: number) => string> = {
    '/agents': (share) => unknownKeys(share * (MIB - 100)),
    '/phone-numbers/purchase': (share) => unknownKeys(share * 400_000),
    '/campaigns': (share) => `{"name":"x","phoneNumberIds":[${'1,'.repeat(share * 400_000)}1]}`,
    '/businesses': (share) => `{"name":"x","hours":[${'{},'.repeat(share * 300_000)}{}]}`,
    '/do-not-call': (share) => `{"phoneNumber":"+14155552671","reason":{${unknownKeys(share * (MIB - 200)).slice(1)}}`,
  };
  for (const [path, bodyOf] of Object.entries(bodies)) {
    const answer = await post(path, bodyOf(1), headers);
    assert.equal(answer.status, 422, path);
    assert.ok((answer.json.errors?.length ?? 0) >= 1);
    await assertLinear(path, bodyOf, headers);
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
