// Appointments made by hand belong to no call: their names go with their person, or when they have been over for as
// long as the account keeps its calls.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sweepCalls } from '../../../../api/calls/erase/sweep.ts';
import { runRetention } from '../../../../api/upkeep/retention.ts';
import { setUpCampaign } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';
import { leftovers } from '../../../support/leftovers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PHONE = '+14155552671';
const WORDS = [PHONE, 'Aubergine'];

const api = useFreshApi();
const found = () => leftovers(api.context.config.dataDir, WORDS);

async function make(inDays: number): Promise<string> {
  const { business } = await setUpCampaign(api, api.tenant);
  const startsAt = new Date(api.clock.now + inDays * DAY).toISOString();
  const body = { businessId: business.id, startsAt, outsideHours: true, name: 'Aubergine', phone: PHONE };
  const key = { 'idempotency-key': randomUUID() };
  const answer = await api.tenant.ask('POST', '/appointments', body, key);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.data.id;
}

const name = async (id: string) =>
  (await api.tenant.ask('GET', '/appointments')).json.data.find((each) => each.id === id)?.name;

test('the night’s sweep takes the names out of one that has been over for long enough, and out of no other', async () => {
  const id = await make(1);
  const ahead = await make(60);
  await api.tenant.ask('PATCH', '/account', { retentionDays: 10 });
  const sweep = () =>
    sweepCalls(api.context.db, {
      ...{ files: api.context.files, recordingsDir: api.context.config.recordingsDir },
      ...{ secretKey: api.context.secretKey, nowMs: api.clock.now, now: api.context.now },
      ...{ rest: () => Promise.resolve(), isStopped: () => false },
    });
  api.clock.advance(5 * DAY + 14.5 * HOUR);
  await sweep();
  assert.equal(await name(id), 'Aubergine');
  api.clock.advance(10 * DAY);
  await sweep();
  assert.deepEqual([await name(id), await name(ahead)], [null, 'Aubergine']);
});

test('who is erased by their number is in none that is over, at once, and in one ahead until it is over', async () => {
  const id = await make(1);
  const path = `/conversations/with/${encodeURIComponent(PHONE)}` as const;
  assert.equal((await api.tenant.ask('DELETE', path)).status, 200);
  assert.equal(await name(id), 'Aubergine', 'somebody is expected');
  api.clock.advance(2 * DAY);
  await runRetention(api.context);
  assert.equal(await name(id), null);
  assert.equal(await api.context.erasedBytes.cut(api.context), true);
  assert.deepEqual(found(), []);
});
