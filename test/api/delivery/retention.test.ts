import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectNotices } from '../../../api/notices/collect.ts';
import { runRetention } from '../../../api/upkeep/retention.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { passDays } from '../../support/api/days.ts';
import { startDeliveryTest } from '../../support/api/delivery.ts';

const DAY_MS = 86_400_000;

test('log entries, events and deleted webhooks go after 30 days, and totals follow', async (t) => {
  const { api, receiver, subscribe, emit, queued } = await startDeliveryTest(t);
  const kept = await subscribe('/kept');
  const deleted = await subscribe('/deleted');
  await emit(5);
  await receiver.until(() => receiver.received.length === 10);
  await eventually(async () => (await queued(kept)) + (await queued(deleted)) === 0);
  await api.tenant.ask('DELETE', `/webhooks/${deleted}`);
  api.clock.advance(20 * DAY_MS);
  await emit(2);
  await receiver.until(() => receiver.received.length === 12);
  await eventually(async () => (await queued(kept)) === 0);

  await runRetention(api.context);
  const total = async (id: string, filter = '') =>
    (await api.tenant.ask('GET', `/webhooks/${id}/deliveries?limit=1${filter}`)).json.pagination?.total;
  assert.equal(await total(kept), 7);
  assert.equal(await total(deleted), 5, 'a deleted webhook’s log stays readable');

  await passDays(api, 10);
  api.clock.advance(1);
  await collectNotices(api.context);
  await runRetention(api.context);
  assert.equal(await total(kept), 2);
  assert.equal(await total(kept, '&success=true'), 2);
  const events = await api.context.read.selectFrom('events').select('id').execute();
  assert.equal(events.length, 2);
  api.clock.advance(3_600_000);
  await runRetention(api.context);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${deleted}/deliveries`)).status, 404);
  assert.equal((await api.tenant.ask('GET', `/webhooks/${kept}`)).status, 200);
  const [next = ''] = await emit(1);
  await receiver.until(() => receiver.at('/kept').at(-1)?.id === next);
});
