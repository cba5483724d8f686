// The engine's writer: what is answered is on disk, what fails takes nothing with it, and a full or locked disk is
// waited for.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { engineRow } from '../../bench/rig/rows/table-rows.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { openDatabase, watchChanges } from '../../db/database.ts';
import { migrate, sqliteMigrations } from '../../db/sqlite/migrate.ts';
import { openRaw } from '../../db/sqlite/open.ts';
import { startWriter, WriterError } from '../../db/writing/writer.ts';

const folder = temporaryFolder('voice-db');
let files = 0;
function database(): string {
  const path = join(folder, `${files++}.db`);
  migrate(path);
  return path;
}

const event = (subjectId: string, dedupe = '') => ({
  accountId: 'acc_1',
  type: 'call.ended' as const,
  subjectId,
  dedupe,
  data: { id: subjectId },
  nowMs: 1,
});

test('operations that wait are committed together and all are answered', async () => {
  const path = database();
  const writer = startWriter(path, () => {});
  const ids = await Promise.all(
    Array.from({ length: 500 }, (_, index) => writer.run('addEvent', event(`call_${index}`))),
  );
  assert.equal(new Set(ids).size, 500);
  const read = openDatabase(path, { readonly: true });
  const rows = await read.selectFrom('events').select('id').execute();
  assert.equal(rows.length, 500);
  await read.destroy();
  await writer.close();
});

test('an operation that fails is rolled back alone', async () => {
  const path = database();
  const writer = startWriter(path, () => {});
  const good = writer.run('addEvent', event('call_a'));
  // The column's own check refuses the type after the row's other work has been done.
  const bad = writer.run('writeEngine', engineRow(1, { state: 'nonsense' as never }));
  const alsoGood = writer.run('addEvent', event('call_b'));
  await assert.rejects(bad, (error) => error instanceof WriterError && error.code.startsWith('SQLITE_CONSTRAINT'));
  assert.ok(await good);
  assert.ok(await alsoGood);
  await writer.close();
});

test('a second event of the same subject and type is dropped', async () => {
  const writer = startWriter(database(), () => {});
  assert.ok(await writer.run('addEvent', event('call_a')));
  assert.equal(await writer.run('addEvent', event('call_a')), null);
  assert.ok(await writer.run('addEvent', event('call_a', 'other')));
  await writer.close();
});

test('a durable write waits for a locked database, and tells', async () => {
  const path = database();
  const faults: string[] = [];
  const writer = startWriter(path, (error) => faults.push(error.code));
  await writer.run('addEvent', event('call_warm'));
  const locker = openRaw(path);
  locker.exec('begin immediate');
  const write = writer.runDurably('addEvent', event('call_a'));
  // Past the 5 s that a statement waits by itself.
  const refused = await writer.run('addEvent', event('call_b')).catch((error: unknown) => error);
  assert.ok(refused instanceof WriterError, 'a plain write is refused with the reason');
  assert.match(refused.code, /^SQLITE_BUSY/);
  locker.exec('rollback');
  locker.close();
  assert.ok(await write);
  assert.ok(faults.length > 0);
  await writer.close();
});

test('a write that somebody waited for in vain does not happen after all', async () => {
  const path = database();
  const writer = startWriter(path, () => {});
  await writer.run('addEvent', event('call_warm'));
  const locker = openRaw(path);
  locker.exec('begin immediate');
  const late = writer.runWithin('addEvent', event('call_late'), 300).catch((error: unknown) => error);
  const patient = writer.runWithin('addEvent', event('call_patient'), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 600));
  locker.exec('rollback');
  locker.close();
  const refused = await late;
  assert.ok(refused instanceof WriterError && refused.code === 'WRITER_EXPIRED', String(refused));
  assert.ok(await patient);
  await writer.close();
});

test('the end of a call that is not there is an error, not silence', async () => {
  const writer = startWriter(database(), () => {});
  const end = { callId: 'call_nobody', endReason: 'expired', nowMs: 1 } as const;
  await assert.rejects(writer.runDurably('endUndialledCall', end), /there is no call call_nobody/);
  await writer.close();
});

test('a full disk refuses writes with its code and takes them again when there is room', async () => {
  const path = database();
  const raw = openRaw(path);
  const pages = raw.pragma('page_count', { simple: true }) as number;
  raw.close();
  const faults: string[] = [];
  const writer = startWriter(path, (error) => faults.push(error.code), { maxPages: pages + 2 });
  const big = { ...event('call_big'), data: 'x'.repeat(200_000) };
  await assert.rejects(
    writer.run('addEvent', big),
    (error) => error instanceof WriterError && error.code === 'SQLITE_FULL',
  );
  // A write that fits is still written: nothing is corrupt, and no restart is needed.
  assert.ok(await writer.run('addEvent', event('call_small')));
  await writer.close();
  const check = openRaw(path);
  assert.equal(check.pragma('integrity_check', { simple: true }), 'ok');
  check.close();
});

test('another connection learns of a commit', async () => {
  const path = database();
  const writer = startWriter(path, () => {});
  await new Promise<void>((resolve) => {
    const stop = watchChanges(path, () => {
      stop();
      resolve();
    });
    void writer.run('addEvent', event('call_a'));
    // The poll's timer does not keep a process alive.
    setTimeout(() => {}, 2_000).unref();
  });
  await writer.close();
});

test('a database of a newer release is refused with both versions', () => {
  const path = database();
  const raw = openRaw(path);
  raw.pragma('user_version = 9999');
  raw.close();
  assert.throws(() => migrate(path), /schema 9999, this release knows \d+/);
});

/** Migrates the file that each line names, at the time in it, and prints how many migrations it applied. */
const MIGRATOR = `
import { createInterface } from 'node:readline';
import { migrate } from '${new URL('../../db/sqlite/migrate.ts', import.meta.url)}';
console.log('up');
for await (const line of createInterface({ input: process.stdin })) {
  const { path, at } = JSON.parse(line);
  while (Date.now() < at);
  console.log(migrate(path).length);
}`;

async function startMigrator() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MIGRATOR], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async migrate(path: string, at: number): Promise<number> {
      child.stdin.write(`${JSON.stringify({ path, at })}\n`);
      const { value, done } = await lines.next();
      assert.notEqual(done, true, 'the process ended');
      return Number(value);
    },
    async stop(): Promise<void> {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

test('two processes that make the same file at once end with one schema, every time', async () => {
  const migrators = await Promise.all([startMigrator(), startMigrator()]);
  try {
    for (let round = 0; round < 25; round++) {
      const path = join(folder, `twice-${round}.db`);
      const at = Date.now() + 5;
      const applied = await Promise.all(migrators.map((migrator) => migrator.migrate(path, at)));
      assert.equal((applied[0] ?? 0) + (applied[1] ?? 0), sqliteMigrations().length, `round ${round}`);
    }
  } finally {
    await Promise.all(migrators.map((migrator) => migrator.stop()));
  }
});

test('a new file that another process is writing to is waited for', async () => {
  const path = join(folder, 'being-made.db');
  const maker = openRaw(path);
  maker.exec('begin immediate; create table half (made)');
  const migrator = await startMigrator();
  const migrated = migrator.migrate(path, 0);
  // The other process needs some milliseconds to try the switch: it fails at once where the lock is not waited for.
  await delay(300);
  maker.exec('rollback');
  maker.close();
  assert.equal(await migrated, sqliteMigrations().length);
  await migrator.stop();
});
