// The target of a carry-over: a database that is marked until all rows are there, whose totals are copied as rows.
import { sql } from 'kysely';
import { UnsuitableDatabaseError } from '../migration-files.ts';
import type { Db } from '../schema.ts';
import { CARRY_OVER_MARK, migratePostgres } from './migrate.ts';
import { openPostgres } from './open.ts';

/** The tables whose triggers keep totals. */
const COUNTED = ['calls', 'contacts'];

async function within<R>(url: string, work: (db: Db) => Promise<R>): Promise<R> {
  const db = openPostgres(url);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Creates the tables, or goes on with those of a carry-over that was stopped. @throws {UnsuitableDatabaseError} */
export async function beginCarryOver(url: string): Promise<void> {
  await migratePostgres(url, { isCarryOver: true });
  await within(url, async (db) => {
    const { rows } = await sql<{ mark: string | null }>`select to_regclass(${CARRY_OVER_MARK})::text as mark`.execute(
      db,
    );
    const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    if (rows[0]?.mark === null && account !== undefined) {
      throw new UnsuitableDatabaseError('the target is not empty: give a database without an installation');
    }
    await db.transaction().execute(async (trx) => {
      await sql`create table if not exists ${sql.raw(CARRY_OVER_MARK)} (since bigint)`.execute(trx);
      for (const table of COUNTED) await sql`alter table ${sql.raw(table)} disable trigger user`.execute(trx);
    });
  });
}

/** The service may use it from now on. */
export const endCarryOver = (url: string): Promise<void> =>
  within(url, (db) =>
    db.transaction().execute(async (trx) => {
      for (const table of COUNTED) await sql`alter table ${sql.raw(table)} enable trigger user`.execute(trx);
      await sql`drop table ${sql.raw(CARRY_OVER_MARK)}`.execute(trx);
      // Without statistics PostgreSQL sorts all calls for a page, and takes them by itself minutes later only.
      await sql`analyze`.execute(trx);
    }),
  );
