// Cases of a test suite, in the order in which they are shown and run.
import { sql } from 'kysely';
import type { TestKind } from '../../domain/tests/definitions.ts';
import type { TestCaseTable } from '../../schema/test-suites.ts';
import type { Db } from '../../schema.ts';
import type { Page } from '../newest-page.ts';

const cases = (db: Db, accountId: string) => db.selectFrom('testCases').where('accountId', '=', accountId);

/** By their position. */
export async function listCases(db: Db, accountId: string, suiteId: string, { limit, offset }: Page) {
  const of = cases(db, accountId).where('suiteId', '=', suiteId);
  const rows = await of.selectAll().orderBy('position').orderBy('id').limit(limit).offset(offset).execute();
  return { rows, total: await countCases(db, accountId, suiteId) };
}

export async function countCases(db: Db, accountId: string, suiteId: string, kind?: TestKind): Promise<number> {
  const { total } = await cases(db, accountId)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('suiteId', '=', suiteId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'eval'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Of the suite's definitions, together. */
export async function definitionCharacters(db: Db, accountId: string, suiteId: string): Promise<number> {
  const row = await cases(db, accountId)
    .select(sql<number | null>`sum(length(definition))`.as('characters'))
    .where('suiteId', '=', suiteId)
    .executeTakeFirst();
  return Number(row?.characters ?? 0);
}

/** When a case of the suite was last changed; 0 where there is none. */
export async function casesChangedAt(db: Db, accountId: string, suiteId: string): Promise<number> {
  const row = await cases(db, accountId)
    .select((eb) => eb.fn.max('updatedAt').as('last'))
    .where('suiteId', '=', suiteId)
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

/** One more than the last. */
export async function nextPosition(db: Db, accountId: string, suiteId: string): Promise<number> {
  const row = await cases(db, accountId)
    .select((eb) => eb.fn.max('position').as('last'))
    .where('suiteId', '=', suiteId)
    .executeTakeFirst();
  return row?.last == null ? 0 : Number(row.last) + 1;
}

export const getCase = (db: Db, accountId: string, id: string): Promise<TestCaseTable | undefined> =>
  cases(db, accountId).selectAll().where('id', '=', id).executeTakeFirst();

export async function insertCases(db: Db, rows: readonly TestCaseTable[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('testCases').values(rows).execute();
}

export const updateCase = (
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Pick<TestCaseTable, 'name' | 'position' | 'definition' | 'kind' | 'updatedAt'>>,
): Promise<TestCaseTable | undefined> =>
  db
    .updateTable('testCases')
    .set(changes)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();

export async function deleteCase(db: Db, accountId: string, id: string): Promise<TestCaseTable | undefined> {
  await db.deleteFrom('testClips').where('caseId', '=', id).where('accountId', '=', accountId).execute();
  return db
    .deleteFrom('testCases')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}
