// SQLite's query plans for the current schema, by `explain query plan`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { freshDatabase } from '../../../bench/rig/fresh-database.ts';
import { openRaw, withoutPeeking } from '../../../db/sqlite/open.ts';

/** Returns the plan of a statement, its steps joined by `; `. The database exists while the tests of this file run. */
export function queryPlans(): (statement: string) => string {
  let directory: string;
  let raw: ReturnType<typeof openRaw>;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'voice-plans-'));
    freshDatabase(join(directory, 'voice.db'));
    raw = openRaw(join(directory, 'voice.db'), { readonly: true });
  });
  after(() => {
    raw.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return (statement) => {
    const parameters = Array.from({ length: statement.split('?').length - 1 }, () => 1);
    const rows = raw.prepare(`explain query plan ${withoutPeeking(statement)}`).all(...parameters) as Array<{
      detail: string;
    }>;
    return rows.map(({ detail }) => detail).join('; ');
  };
}
