// The list of the calls that are running.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedCall } from '../../../support/api/resources.ts';
import { useFreshApi } from '../../../support/api/use-api.ts';

const api = useFreshApi();

test('running calls are listed under /live, of the account alone', async () => {
  await seedCall(api, api.tenant);
  const running = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null });
  await seedCall(api, api.other, { status: 'IN_PROGRESS', endedAt: null });
  const answer = await api.tenant.ask('GET', '/live');
  assert.deepEqual(
    answer.json.data.map((call) => call.id),
    [running.id],
  );
  assert.equal(answer.json.pagination.total, 1);
});
