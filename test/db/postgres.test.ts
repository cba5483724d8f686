// The queries are SQL that PostgreSQL has too: those that a whole world asks are compiled by kysely's PostgreSQL
// compiler and held against the words that only SQLite knows.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';
import { startApi, type TestApi } from '../../bench/rig/api/api.ts';
import { makeWorld } from '../../bench/rig/api/world.ts';
import { freshDatabase } from '../../bench/rig/database/fresh-database.ts';
import { openDatabase } from '../../db/database.ts';

const nodes = new Map<string, RootOperationNode>();

/** Comes after the camel case plugin, so that it sees what is compiled. */
const recorder: KyselyPlugin = {
  transformQuery({ node }) {
    if (nodes.size < 2_000) nodes.set(JSON.stringify(node), node);
    return node;
  },
  async transformResult({ result }): Promise<QueryResult<UnknownRow>> {
    return result;
  },
};

let api: TestApi;
const dataDir = mkdtempSync(join(tmpdir(), 'voice-sql-'));
before(async () => {
  const path = join(dataDir, 'voice.db');
  freshDatabase(path);
  const db = openDatabase(path, { synchronous: 'NORMAL' }).withPlugin(recorder);
  const read = openDatabase(path, { readonly: true }).withPlugin(recorder);
  api = await startApi({ dataDir, context: { db, read } });
});
after(async () => {
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const SQLITE_ONLY =
  /\b(?:pragma|rowid|insert or (?:replace|ignore)|strftime|julianday|unixepoch|datetime\(|ifnull|iif\(|glob|json_each|json_extract|json_object|group_concat|changes\(\)|last_insert_rowid|indexed by|not indexed|total\()/i;

test('what a whole world asks of the database compiles for PostgreSQL', async () => {
  await makeWorld(api, api.tenant);
  for (const path of [
    '/agents',
    '/businesses',
    '/campaigns',
    '/calls',
    '/phone-numbers',
    '/webhooks',
    '/account',
    '/appointments',
  ]) {
    assert.equal((await api.tenant.ask('GET', path)).status, 200, path);
  }
  assert.ok(nodes.size > 80, `only ${nodes.size} queries were seen`);
  const compiler = new PostgresQueryCompiler();
  for (const node of nodes.values()) {
    const { sql } = compiler.compileQuery(node, { queryId: 'test' });
    assert.doesNotMatch(sql, SQLITE_ONLY);
  }
});
