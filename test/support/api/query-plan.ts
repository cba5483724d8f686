import { join } from 'node:path';
import { after, before } from 'node:test';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { withoutPeeking } from '../../../db/sqlite/dialect.ts';
import { openRaw } from '../../../db/sqlite/open.ts';

/** Returns the plan of a statement, its steps joined by `; `. The database exists while the tests of this file run. */
export function queryPlans(): (statement: string) => string {
  let raw: ReturnType<typeof openRaw>;
  before(() => {
    const path = join(temporaryFolder('voice-plans'), 'voice.db');
    freshDatabase(path);
    raw = openRaw(path, { readonly: true });
  });
  after(() => raw.close());
  return (statement) => {
    const parameters = Array.from({ length: statement.split('?').length - 1 }, () => 1);
    const rows = raw.prepare(`explain query plan ${withoutPeeking(statement)}`).all(...parameters) as Array<{
      detail: string;
    }>;
    return rows.map(({ detail }) => detail).join('; ');
  };
}
