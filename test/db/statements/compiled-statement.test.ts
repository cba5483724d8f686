import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../../db/database.ts';
import { withoutPeeking } from '../../../db/sqlite/dialect.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { compiledStatement, runText } from '../../../db/statements/compiled-statement.ts';

test('a compiled statement takes new parameters each time, inside and outside a transaction', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'voice-hot-'));
  const path = join(folder, 'voice.db');
  freshDatabase(path);
  const db = openDatabase(path);
  t.after(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  let built = 0;
  const put = compiledStatement((on, row: { name: string; value: number }) => {
    built++;
    return on
      .insertInto('cursors')
      .values({ name: row.name, value: row.value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value }))
      .returning('value');
  });
  assert.deepEqual(await put(db, { name: 'a', value: 1 }), [{ value: 1 }]);
  await db.transaction().execute(async (tx) => {
    await put(tx, { name: 'b', value: 2 });
    await put(tx, { name: 'a', value: 3 });
  });
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await put(tx, { name: 'a', value: 99 });
      throw new Error('undone');
    }),
  );
  const rows = await db.selectFrom('cursors').selectAll().orderBy('name').execute();
  assert.deepEqual(rows, [
    { name: 'a', value: 3 },
    { name: 'b', value: 2 },
  ]);
  assert.equal(built, 1);
});

test('a text is built once a shape, and takes new parameters inside and outside a transaction', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'voice-text-'));
  const path = join(folder, 'voice.db');
  freshDatabase(path);
  const db = openDatabase(path);
  t.after(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  let built = 0;
  const upTo = (on: typeof db, value: number) =>
    runText<{ cursorName: string }>(
      on,
      'cursors-up-to',
      () => {
        built++;
        return 'select name as "cursorName" from cursors where value <= ? order by name';
      },
      [value],
    );
  for (const [name, value] of Object.entries({ a: 1, b: 2 })) {
    await db.insertInto('cursors').values({ name, value }).execute();
  }
  assert.deepEqual(await upTo(db, 1), [{ cursorName: 'a' }]);
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('cursors').set({ value: 0 }).where('name', '=', 'b').execute();
    assert.deepEqual(await upTo(tx, 1), [{ cursorName: 'a' }, { cursorName: 'b' }]);
  });
  assert.equal(built, 1);
});

test('SQLite does not plan a hot statement again for the values of its parameters', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'voice-plan-'));
  const path = join(folder, 'voice.db');
  freshDatabase(path);
  const raw = openRaw(path);
  t.after(() => {
    raw.close();
    rmSync(folder, { recursive: true, force: true });
  });
  raw.exec(`create table t (a text, b text); create index t_b on t (b) where a = '1'`);
  const plan = (text: string): unknown => raw.prepare(`explain query plan ${text}`).get('1', 'x');
  const text = 'select * from t where a = ? and b = ?';
  // A value that fits the partial index shows who looks at it.
  const [looked, fixed] = [plan(text), plan(withoutPeeking(text))].map((row) => (row as { detail: string }).detail);
  assert.match(looked ?? '', /t_b/);
  assert.match(fixed ?? '', /SCAN/);
});
