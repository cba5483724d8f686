// The records that the database keeps beside calls: always what the expression for a call without one gives.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshDatabase } from '../../../../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../../../../db/database.ts';
import { pageOfCalls } from '../../../../../db/queries/calls/list/pages.ts';
import { callJson } from '../../../../../db/queries/calls/list/record-json.ts';
import { addOlderRecords, lacksRecords } from '../../../../../db/queries/calls/list/records.ts';
import { SQLITE } from '../../../../../db/sqlite/dialect.ts';
import { migrate, sqliteMigrations } from '../../../../../db/sqlite/migrate.ts';
import { openRaw } from '../../../../../db/sqlite/open.ts';

const ACCOUNT = 'acc_1';
const CALLS = 25;

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'voice-records-'));
});
after(() => rmSync(directory, { recursive: true, force: true }));

type Raw = ReturnType<typeof openRaw>;

function insertCalls(raw: Raw, first: number, count: number): void {
  const insert = raw.prepare(
    `insert into calls (id, account_id, business_id, campaign_id, agent_id, direction, medium, from_number, to_number,
       caller_name, status, started_at, ended_at, duration_seconds, tags, transcript, latency, created_at)
     values (?, '${ACCOUNT}', 'biz', 'cmp', 'agt', 'inbound', 'sip', '+1', '+2', 'Ann "A" O''Neil', 'COMPLETED', ?, ?, 7,
       '["a"]', '[{"speaker":"agent","text":"Gr\\u00fc\\u00df\\n","timestamp":1}]', '{"turns":1,"p50Ms":2,"p95Ms":3}', 0)`,
  );
  for (let n = first; n < first + count; n++) insert.run(`call_${n}`, n * 1_001, n * 2_003);
}

const records = (raw: Raw): Array<{ kept: string | null; written: string }> =>
  raw.prepare(`select record_json as kept, ${callJson(SQLITE)} as written from calls`).all() as Array<{
    kept: string | null;
    written: string;
  }>;

test('whichever column of a call changes, its record is what a reader would write', () => {
  const path = join(directory, 'changes.db');
  freshDatabase(path);
  const raw = openRaw(path);
  insertCalls(raw, 0, 2);
  const columns = raw.pragma('table_info(calls)') as Array<{ name: string; type: string }>;
  const wanted = new Map<string, unknown>([
    ['direction', 'outbound'],
    ['medium', 'web'],
    ['sentiment', 'negative'],
    ['recording_format', 'mp3'],
    ...['variables', 'metadata', 'latency', 'usage', 'analysis'].map((name) => [name, '{"x":"\\"1"}'] as const),
    ...['tags', 'transcript', 'fallbacks'].map((name) => [name, '[1]'] as const),
  ]);
  for (const { name, type } of columns) {
    if (name === 'record_json') continue;
    const value =
      wanted.get(name) ?? (type === 'INTEGER' ? 1_790_000_000_123 : type === 'REAL' ? 0.67 : 'a "word"\n\u2028');
    raw.prepare(`update calls set ${name} = ? where rowid = 1`).run(value);
    const [changed, other] = records(raw);
    if (changed?.kept !== null) assert.equal(changed?.kept, changed?.written, name);
    assert.equal(other?.kept, null, 'a call that has not changed has none');
  }
  assert.equal(typeof records(raw)[0]?.kept, 'string');
  raw.close();
});

/** A database of the release before records were kept, with calls. */
function olderDatabase(name: string): string {
  const path = join(directory, name);
  const raw = openRaw(path);
  raw.pragma('journal_mode = WAL');
  for (const { version, sql } of sqliteMigrations().filter(({ version }) => version < 27)) {
    raw.exec(`begin; ${sql}; pragma user_version = ${version}; commit`);
  }
  insertCalls(raw, 0, CALLS);
  raw.close();
  return path;
}

test('calls from before an upgrade are listed alike without records, with some, and with all', async () => {
  const path = olderDatabase('upgraded.db');
  assert.deepEqual(migrate(path).slice(0, 1), [27]);
  const raw = openRaw(path);
  insertCalls(raw, CALLS, 3);
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  try {
    const page = () => pageOfCalls(db, ACCOUNT, {}, { limit: 100, offset: 0, total: CALLS + 3 });
    const first = await page();
    assert.equal(JSON.parse(`[${first}]`).length, CALLS + 3);
    assert.equal(await lacksRecords(db), true);
    assert.equal(await addOlderRecords(db, 10), true);
    assert.equal(records(raw).filter(({ kept }) => kept !== null).length, 10);
    assert.equal(await page(), first);
    assert.equal(await addOlderRecords(db, 10), true);
    assert.equal(await addOlderRecords(db, 10), false);
    assert.equal(await lacksRecords(db), false);
    assert.equal(await addOlderRecords(db, 10), false, 'and stays so');
    for (const { kept, written } of records(raw).slice(0, CALLS)) assert.equal(kept, written);
    assert.deepEqual(
      records(raw)
        .slice(CALLS)
        .map(({ kept }) => kept),
      [null, null, null],
      'newer ones are left to the trigger',
    );
    assert.equal(await page(), first);
  } finally {
    await db.destroy();
    raw.close();
  }
});

test('indexes, triggers and statistics of an upgraded database are as before, but for the new trigger', () => {
  const path = olderDatabase('schema.db');
  const raw = openRaw(path);
  const schema = () =>
    (raw.prepare(`select type, name, tbl_name, sql from sqlite_master order by name`).all() as Array<{ name: string }>)
      .filter(({ name }) => name !== 'calls')
      .concat(raw.prepare('select tbl, idx as name, stat from sqlite_stat1 order by idx').all() as []);
  const before = schema();
  const migration = sqliteMigrations().find(({ version }) => version === 27);
  raw.exec(migration?.sql ?? '');
  assert.deepEqual(
    schema().filter(({ name }) => name !== 'call_records'),
    before,
  );
  raw.close();
});

test('a record of other columns is written anew: the trigger is made again, and older records go until they are due', async () => {
  const path = join(directory, 'other-columns.db');
  freshDatabase(path);
  const raw = openRaw(path);
  insertCalls(raw, 0, CALLS);
  raw.exec(`drop trigger call_records;
    create trigger call_records after update of tags on calls begin
      update calls set record_json = '{"older":true}' where rowid = new.rowid;
    end;
    update calls set tags = '["b"]'`);
  assert.deepEqual([...new Set(records(raw).map(({ kept }) => kept))], ['{"older":true}']);
  raw.close();
  assert.deepEqual(migrate(path), []);
  const db = openDatabase(path);
  assert.equal(await lacksRecords(db), true);
  while (await addOlderRecords(db, 10));
  assert.equal(await lacksRecords(db), false);
  await db.destroy();
  const again = openRaw(path);
  again.exec(`update calls set tags = '["c"]' where rowid = 1`);
  for (const { kept, written } of records(again)) assert.equal(kept, written);
  again.close();
});
