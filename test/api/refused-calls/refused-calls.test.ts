// Refused calls as an ADMIN reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addRefusedCalls } from '../../../db/queries/trunks/refused-calls.ts';
import { newId } from '../../../db/shared/id.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

test('the newest come first, a page at a time, for an ADMIN alone', async () => {
  const refused = {
    callerNumber: '+12025550143',
    sourceAddress: '192.0.2.1',
    trunkId: null,
    sipStatus: 404,
    reason: 'unknown_number',
    count: 2,
  };
  for (const calledNumber of ['+12025550100', '+12025550101', '+12025550102']) {
    const row = { ...refused, id: newId('rfc'), calledNumber, createdAt: api.clock.now };
    await addRefusedCalls(api.context.db, { rows: [row] });
    api.clock.advance(5);
  }
  const page = await api.admin.ask('GET', '/admin/refused-calls?limit=2');
  assert.equal(page.json.pagination.total, 3);
  assert.deepEqual(
    page.json.data.map(({ calledNumber }) => calledNumber),
    ['+12025550102', '+12025550101'],
  );
  const { id: _, createdAt, ...rest } = page.json.data[1] ?? {};
  assert.deepEqual(rest, { ...refused, calledNumber: '+12025550101' });
  assert.match(String(createdAt), /^2026-11-18T12:00:00\.005Z$/);
  assert.equal((await api.tenant.ask('GET', '/admin/refused-calls')).status, 403);
});
