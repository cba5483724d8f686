// Leases on PostgreSQL: one holder at a time, whoever dies, freezes, or is cut off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { tryLease } from '../../db/database.ts';
import { checkLease, LeaseLostError } from '../../db/lease.ts';
import { claimAttempts } from '../../db/rules/dial-claims.ts';
import { skipWithoutPostgres, usePostgres } from '../support/use-postgres.ts';

const skip = skipWithoutPostgres;

const postgres = usePostgres();

const take = (name: string) => tryLease({ database: postgres.server.url, dataDir: '' }, name);
const check = (lease: { name: string; epoch: number }) =>
  postgres.db.transaction().execute((trx) => checkLease(trx, lease));

test('of many that try at once one holds it; given back, the next has it at once, with another epoch', {
  skip,
}, async () => {
  const tries = await Promise.all(Array.from({ length: 8 }, () => take('one')));
  const holders = tries.filter((lease) => lease !== null);
  assert.equal(holders.length, 1);
  const [first] = holders;
  assert.ok(first?.isHeld);
  await check(first);
  await first.release();
  const second = await take('one');
  assert.ok(second !== null && second.epoch > first.epoch);
  await assert.rejects(check(first), LeaseLostError);
  await second.release();
});

test('all that wait in one process ask again on the sessions that they have', { skip }, async () => {
  const lease = await take('kept');
  assert.ok(lease);
  const waiting = async (): Promise<number[]> => {
    assert.deepEqual(await Promise.all([take('kept'), take('kept'), take('kept')]), [null, null, null]);
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'voice-kept' order by pid`.execute(postgres.db);
    return rows.map(({ pid }) => pid);
  };
  const sessions = await waiting();
  assert.deepEqual(await waiting(), sessions);
  await lease.release();
});

test('a holder whose session is cut loses it, and a successor need not wait', { skip }, async () => {
  const lease = await take('cut');
  assert.ok(lease);
  await postgres.db.executeQuery({
    sql: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'voice-cut'`,
    parameters: [],
    query: { kind: 'RawNode' },
    queryId: { queryId: 'cut' },
  } as never);
  while (lease.isHeld) await new Promise((resolve) => setTimeout(resolve, 10));
  const next = await take('cut');
  assert.ok(next !== null && next.epoch > lease.epoch);
  await next.release();
});

test('a holder that lives but does not renew is succeeded when its time is over, and cannot write', {
  skip,
}, async () => {
  const frozen = await take('frozen');
  assert.ok(frozen);
  assert.equal(await take('frozen'), null);
  // As if it had not renewed for five seconds; its session still has the lock.
  await postgres.db.updateTable('leases').set({ expiresAt: 1 }).where('name', '=', 'frozen').execute();
  const next = await take('frozen');
  assert.ok(next !== null && next.epoch > frozen.epoch);
  await assert.rejects(check(frozen), LeaseLostError);
  await check(next);
  // The frozen one's session ends: whoever gets its lock does not take the lease from a living holder.
  await frozen.release();
  assert.equal(await take('frozen'), null);
  await check(next);
  await next.release();
});

test('an engine that was succeeded claims no attempt', { skip }, async () => {
  const first = await take('coordinator');
  assert.ok(first);
  const claim = (lease: { name: string; epoch: number }) =>
    postgres.db.transaction().execute((trx) => claimAttempts(trx, { nowMs: 1, maxCalls: 1, attempts: [], lease }));
  assert.deepEqual(await claim(first), []);
  await first.release();
  const second = await take('coordinator');
  assert.ok(second);
  await assert.rejects(claim(first), LeaseLostError);
  assert.deepEqual(await claim(second), []);
  await second.release();
});
