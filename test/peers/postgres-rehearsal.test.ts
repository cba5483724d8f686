// The writer's connections have planned a call's statements before the first call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addTables } from '../../bench/rig/rows/campaign-tables.ts';
import { endCall } from '../../db/queries/calls/life.ts';
import { claimAttempts } from '../../db/rules/dial-claims.ts';
import type { Db } from '../../db/schema.ts';
import { transact, trunkWord } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import { rehearse, rehearseOn } from '../../db/writing/rehearsal.ts';
import { skipWithoutPostgres, usePostgres } from '../support/use-postgres.ts';

const skip = skipWithoutPostgres;
const NOW = Date.parse('2026-11-18T12:00:00Z');

const postgres = usePostgres({ durable: true, keepsPlans: true });

/** The statements whose plan the connection keeps. */
async function planned(one: Db): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(one);
  return rows.map(({ statement }) => statement).filter((statement) => !statement.includes('pg_prepared_statements'));
}

test('a call is claimed and ended on a connection that has rehearsed without a new plan', { skip }, async () => {
  const tables = addTables(postgres.db, NOW);
  const accountId = await tables.account();
  const trunkId = await tables.trunk({ maxConcurrentCalls: 10, callsPerSecond: 10 });
  const campaign = await tables.campaign(accountId, {}, [trunkId]);
  const [contactId = ''] = await tables.contacts(campaign, ['+12025550111']);
  const number = await postgres.db.selectFrom('phoneNumbers').select('id').executeTakeFirstOrThrow();
  const callId = newId('call');
  const attempt = {
    ...{ callId, contactId, accountId, trunkId, campaignId: campaign.id, phoneNumberId: number.id },
    ...{ engineId: 'eng_1', isOwn: true, toNumber: '+12025550111', trunkMaxCalls: 10, callingWindow: null },
  };
  await postgres.db.connection().execute(async (connection) => {
    const one = connection as Db;
    await rehearseOn(one, 2);
    const before = await planned(one);
    assert.ok(before.length > 20, `${before.length}`);
    const entry = { engineId: 'eng_1', operations: [], nowMs: NOW, isLosable: false };
    const claim = (tx: Db) => claimAttempts(tx, { nowMs: NOW, maxCalls: 1_000, attempts: [attempt] });
    const scope = { accounts: [accountId], words: [trunkWord(trunkId)] };
    assert.deepEqual(await transact(one, scope, claim, entry), [{ callId, refusal: null }]);
    const end = (tx: Db) =>
      endCall(tx, {
        ...{ callId, status: 'COMPLETED', outcome: 'completed', endReason: 'caller_hangup', endedAtMs: NOW + 5_000 },
        ...{ transcript: [], contact: { status: 'COMPLETED', nextAttemptAt: null } },
      });
    assert.equal(await one.transaction().execute((tx) => end(tx as Db)), true);
    const kept = new Set(before);
    assert.deepEqual(
      (await planned(one)).filter((statement) => !kept.has(statement)),
      [],
    );
  });
});

test('a rehearsal leaves nothing behind, and gives its connections back, also when the database is away', {
  skip,
}, async () => {
  const tables = ['calls', 'contacts', 'dial_attempts', 'events', 'engine_requests', 'call_changes', 'call_feed'];
  const counts = async (): Promise<unknown[]> =>
    Promise.all(
      [...tables, 'applied_operations'].map(
        async (table) => (await sql`select count(*) as rows from ${sql.table(table)}`.execute(postgres.db)).rows[0],
      ),
    );
  const before = await counts();
  await rehearse(postgres.db, 7);
  assert.deepEqual(await counts(), before);
  await postgres.server.kill();
  await assert.rejects(rehearse(postgres.db, 7));
  await postgres.server.start();
  await rehearse(postgres.db, 7);
  assert.deepEqual(await counts(), before);
});
