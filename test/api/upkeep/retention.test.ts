// How long rows are kept has one table, and each of its entries is used; a clock that is far ahead costs nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RETENTION, runRetention } from '../../../api/upkeep/retention.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import { KEPT_MS } from '../../../db/rules/kept.ts';

const DAY_MS = 86_400_000;

/** The places that delete rows outside of the API's retention. */
const OTHERS = ['engine/housekeeping.ts', 'api/peers/peer-heartbeat.ts'];

test('each job is named once, and each table that is kept for a time is deleted from in one place', () => {
  const names = RETENTION.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const elsewhere = OTHERS.flatMap((name) => {
    const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
    return [...text.matchAll(/KEPT_MS\.(\w+)/g)].map(([, table]) => table);
  });
  assert.ok(elsewhere.length > 0);
  assert.deepEqual([...RETENTION.map(({ table }) => table), ...elsewhere].sort(), Object.keys(KEPT_MS).sort());
});

test('a clock that is years ahead deletes nothing that is kept long for three days, and is believed then', async (t) => {
  const api = await startApi();
  t.after(() => api.close());
  const kept = async (): Promise<boolean> =>
    (await api.context.read.selectFrom('auditLog').select('id').execute()).length > 0;
  await api.tenant.ask('PATCH', '/account', { name: 'Another' });
  await runRetention(api.context);
  assert.ok(await kept());
  const years = 3 * 365 * DAY_MS;
  api.clock.advance(years);
  await runRetention(api.context);
  api.clock.advance(DAY_MS);
  await runRetention(api.context);
  assert.ok(await kept(), 'nobody has had time to see that the clock is wrong');
  // Short-lived rows go as ever: a key works for a day, whatever the clock says.
  api.clock.advance(-years);
  await runRetention(api.context);
  assert.ok(await kept());
  api.clock.advance(years);
  for (let day = 0; day <= 3; day++) {
    await runRetention(api.context);
    api.clock.advance(DAY_MS + 1);
  }
  await runRetention(api.context);
  assert.ok(!(await kept()));
});
