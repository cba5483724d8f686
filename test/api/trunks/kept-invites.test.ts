// Numbers of people who called a trunk, or were refused there, do not stay because nobody has called since.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRetention } from '../../../api/upkeep/retention.ts';
import { usNumber } from '../../../bench/rig/api/numbers.ts';
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { addReadInvites, listReadInvites } from '../../../db/queries/trunks/read-invites.ts';
import { addRefusedCalls, listRefusedCalls } from '../../../db/queries/trunks/refused-calls.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();

test('the INVITEs of a trunk, and refused calls, are deleted after 30 days', async () => {
  const host = { name: 'Provider', host: 'sip.example.com', register: false };
  const trunk = (await api.admin.ask('POST', '/admin/trunks', host)).json.data;
  const [callerNumber, calledNumber] = [usNumber(1), usNumber(2)];
  const createdAt = api.clock.now;
  const numbers = { callerNumber, calledNumber, trunkId: trunk.id, createdAt };
  const received = { callerReceived: callerNumber, calledReceived: calledNumber };
  const source = { sourceAddress: '192.0.2.1', sipStatus: 404, count: 1 };
  await addReadInvites(api.context.db, { rows: [{ ...numbers, ...received, id: 'inv_1', rule: 'plus' }] });
  await addRefusedCalls(api.context.db, { rows: [{ ...numbers, ...source, id: 'rfc_1', reason: 'unknown_number' }] });
  const counts = async () => [
    (await listReadInvites(api.context.read, trunk.id)).length,
    (await listRefusedCalls(api.context.read, { limit: 10, offset: 0 })).total,
  ];
  api.clock.advance(29 * DAY_MS);
  await runRetention(api.context);
  assert.deepEqual(await counts(), [1, 1]);
  api.clock.advance(2 * DAY_MS);
  await runRetention(api.context);
  assert.deepEqual(await counts(), [0, 0]);
});
