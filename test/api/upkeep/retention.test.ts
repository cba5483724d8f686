// How long rows are kept has one table, and each of its entries is used.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RETENTION } from '../../../api/upkeep/retention.ts';
import { KEPT_MS } from '../../../db/rules/kept.ts';

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
