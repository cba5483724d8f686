// Keys that differ between machines of one database are found when the second one starts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differingKey, type NamedKey } from '../../db/key-digests.ts';
import { writeProcess } from '../../db/queries/engine/processes.ts';
import { readSetting } from '../../db/queries/settings/settings.ts';
import { useFreshApi } from '../support/api/use-api.ts';

const api = useFreshApi();
const START = Date.UTC(2026, 10, 29, 12);
const MINUTE = 60_000;

const sealing = (secret: string): NamedKey => ({ variable: 'SEALING_KEY', secret });
const signing = (secret: string, of = 'production'): NamedKey => ({ variable: 'JWT_SECRET', secret, of });
const runsAt = (heartbeatAt: number) =>
  writeProcess(api.context.db, { id: 'api_other', kind: 'api', hostname: 'two', startedAt: START, heartbeatAt });

test('a machine with another key than those that run is told which variable is wrong', async () => {
  const { db } = api.context;
  assert.equal(await differingKey(db, [sealing('a'), signing('s')], START), null);
  await runsAt(START + 5 * MINUTE);
  assert.equal(await differingKey(db, [sealing('a'), signing('s')], START + 5 * MINUTE), null);
  const wrong = await differingKey(db, [sealing('a'), signing('other')], START + 5 * MINUTE);
  assert.equal(wrong?.variable, 'JWT_SECRET');
  assert.equal((await differingKey(db, [sealing('b')], START + 5 * MINUTE))?.variable, 'SEALING_KEY');
  // A refused one leaves nothing behind.
  assert.equal(await differingKey(db, [sealing('a'), signing('s')], START + 5 * MINUTE), null);
});

test('of two that start together, with no heartbeat yet, the second is refused', async () => {
  const { db } = api.context;
  assert.equal(await differingKey(db, [signing('s')], START), null);
  assert.equal((await differingKey(db, [signing('t')], START + 500))?.variable, 'JWT_SECRET');
});

test('a new key may begin when all have ended, and environments have keys of their own', async () => {
  const { db } = api.context;
  await differingKey(db, [signing('s')], START);
  await runsAt(START);
  assert.equal(await differingKey(db, [signing('other', 'staging')], START), null);
  assert.equal(await differingKey(db, [signing('t')], START + 5 * MINUTE), null);
  await runsAt(START + 6 * MINUTE);
  assert.equal((await differingKey(db, [signing('s')], START + 6 * MINUTE))?.variable, 'JWT_SECRET');
});

test('the database has no secret', async () => {
  const { db } = api.context;
  await differingKey(db, [sealing('a secret of the house')], START);
  assert.doesNotMatch((await readSetting(db, 'keyDigests')) ?? '', /secret of the house/);
});
