// Queries ask for what a database can do, never for its kind: each driver states its capabilities once.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { POSTGRES } from '../../db/postgres/dialect.ts';
import { SQLITE } from '../../db/sqlite/dialect.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('{api,db,engine,media,models}/**/*.ts', { cwd: root }).map((name) => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}));

test('no query asks which database it is', () => {
  const asks =
    /[!=]== '(?:sqlite|postgres)'|instanceof (?:Sqlite|Postgres)\w*|\b(?:isSqlite|dialectOf\([^)]*\)\.kind)\b/;
  assert.match("if (dialectOf(db).kind === 'sqlite') return;", asks);
  assert.deepEqual(
    sources.filter(({ text }) => asks.test(text)).map(({ name }) => name),
    [],
  );
});

test('only the drivers, and what is of one database alone, import what a driver states', () => {
  const importers = sources.filter(({ text }) => /from '[^']*(?:sqlite|postgres)\/dialect\.ts'/.test(text));
  assert.deepEqual(
    importers.map(({ name }) => name),
    [],
  );
  const inRoom = sources.filter(({ text }) => /from '\.\/dialect\.ts'/.test(text)).map(({ name }) => name);
  for (const name of ['db/postgres/open.ts', 'db/sqlite/open.ts']) assert.ok(inRoom.includes(name), name);
});

test('every capability is asked for, and the databases differ in it', () => {
  const product = sources.filter(({ name }) => !name.endsWith('/dialect.ts'));
  for (const name of Object.keys(SQLITE) as Array<keyof typeof SQLITE>) {
    assert.ok(
      product.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)),
      `nobody asks for ${name}`,
    );
    if (typeof SQLITE[name] === 'boolean') assert.notEqual(SQLITE[name], POSTGRES[name], name);
  }
});
