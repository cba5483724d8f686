// Migrations of a database in which calls are written: nobody waits behind one that waits itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../bench/rig/eventually.ts';
import { migratePostgres, postgresMigrations } from '../../db/postgres/migrate.ts';
import { loadPg, TYPES } from '../../db/postgres/open.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/use-postgres.ts';

const used = usePostgres();

/** A session that fails where it waits longer for a lock. */
async function connect() {
  const { Client } = await loadPg();
  const client = new Client({ connectionString: used.server.url, types: TYPES });
  await client.connect();
  await client.query(`set lock_timeout = '20s'`);
  return client;
}

const write = `update calls set outcome = outcome where id = 'call_none'`;

test('calls are written while a migration waits for a long reader', { skip }, async () => {
  const [reader, writer] = await Promise.all([connect(), connect()]);
  await reader.query('begin; select count(*) from calls');
  const column = { version: 9_000, name: 'column', sql: 'alter table calls add column more bigint' };
  const migrated = migratePostgres(used.server.url, { migrations: [...postgresMigrations(), column] });
  await untilWaiting('alter table%');
  await writer.query(write);
  await reader.query('commit');
  assert.deepEqual(await migrated, [9_000]);
  await Promise.all([reader.end(), writer.end()]);
});

test('calls are written while two processes build an index, and one of them does', { skip }, async () => {
  const [other, writer] = await Promise.all([connect(), connect()]);
  await other.query(`begin; ${write}`);
  const index = {
    ...{ version: 9_001, name: 'index' },
    sql: `-- Outside of a transaction.
drop index concurrently if exists calls_more;
create index concurrently calls_more on calls (more);
`,
  };
  const column = { version: 9_000, name: 'column', sql: '' };
  const migrations = [...postgresMigrations(), column, index];
  const both = Promise.all([1, 2].map(() => migratePostgres(used.server.url, { migrations })));
  await untilWaiting('create index%');
  await writer.query(write);
  await other.query('commit');
  assert.deepEqual((await both).flat(), [9_001]);
  const { rows } = await writer.query(
    `select indisvalid as valid from pg_index where indexrelid = 'calls_more'::regclass`,
  );
  assert.deepEqual(rows, [{ valid: 1 }]);
  await Promise.all([other.end(), writer.end()]);
});

async function untilWaiting(statement: string): Promise<void> {
  const client = await connect();
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%${statement}'`;
  await eventually(async () => (await client.query(waiting)).rows.length > 0, statement);
  await client.end();
}
