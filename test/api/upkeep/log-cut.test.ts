// A write-ahead log that has grown long is cut by a thread of its own, while others read and write.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';

test('the log is copied into the database and cut, though another connection is open', async () => {
  const directory = temporaryFolder('voice-log');
  const database = join(directory, 'voice.db');
  freshDatabase(database);
  const db = openDatabase(database);
  try {
    const keep = (i: number) => ({ jti: `token-${i}`, expiresAt: i });
    await db
      .insertInto('revokedTokens')
      .values(Array.from({ length: 2_000 }, (_, i) => keep(i)))
      .execute();
    assert.ok(statSync(`${database}-wal`).size > 0);
    const url = new URL('../../../api/upkeep/log-cut-thread.ts', import.meta.url);
    const [code] = await once(new Worker(url, { workerData: { database } }), 'exit');
    assert.equal(code, 0);
    assert.equal(statSync(`${database}-wal`).size, 0);
    const { total } = await db
      .selectFrom('revokedTokens')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(total), 2_000);
  } finally {
    await db.destroy();
  }
});
