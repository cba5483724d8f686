// A PostgreSQL server of their own for the tests of a file, with the product's schema.
import { after, before } from 'node:test';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../bench/rig/database/postgres-server.ts';
import { migratePostgres } from '../../db/postgres/migrate.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';

/** For node:test: false to run, else a reason to skip. */
export const skipWithoutPostgres: string | false = postgresPrograms === null ? 'PostgreSQL is not installed' : false;

/** Its fields can be read from the first test on. */
export function usePostgres({ durable = false, keepsPlans = false } = {}): { server: PostgresServer; db: Db } {
  const used = {} as { server: PostgresServer; db: Db };
  before(async () => {
    if (skipWithoutPostgres) return;
    used.server = await startPostgres({ durable });
    await migratePostgres(used.server.url);
    used.db = openPostgres(used.server.url, { keepsPlans });
  });
  after(async () => {
    if (skipWithoutPostgres) return;
    await used.db.destroy();
    await used.server.stop();
  });
  return used;
}
