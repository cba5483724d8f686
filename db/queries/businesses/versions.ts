// Versions of agents, businesses and tools: they are only added, listed, and deleted where there are too many.
import type { VersionSubject, VersionTable } from '../../schema/versions.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { newestPage, type Page } from '../newest-page.ts';

/** Of one subject. */
const VERSIONS_KEPT = 200;
const CHARACTERS_KEPT = 2_000_000;

interface Versioned {
  accountId: string;
  subject: VersionSubject;
  subjectId: string;
}

const versionsOf = (db: Db, { accountId, subject, subjectId }: Versioned) =>
  db
    .selectFrom('versions')
    .where('accountId', '=', accountId)
    .where('subject', '=', subject)
    .where('subjectId', '=', subjectId);

/** The number of the one that counts now. */
export const latestVersion = (db: Db, of: Versioned): Promise<Pick<VersionTable, 'number'> | undefined> =>
  versionsOf(db, of).select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();

export const getVersion = (db: Db, of: Versioned, number: number): Promise<VersionTable | undefined> =>
  versionsOf(db, of).selectAll().where('number', '=', number).executeTakeFirst();

/** The newest that is older than `number`. */
export const versionBefore = (db: Db, of: Versioned, number: number): Promise<VersionTable | undefined> =>
  versionsOf(db, of).selectAll().where('number', '<', number).orderBy('number', 'desc').limit(1).executeTakeFirst();

export const versionAfter = (
  db: Db,
  of: Versioned,
  number: number,
): Promise<Pick<VersionTable, 'number' | 'createdAt'> | undefined> =>
  versionsOf(db, of)
    .select(['number', 'createdAt'])
    .where('number', '>', number)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();

/** Newest first. */
export const listVersions = (db: Db, of: Versioned, page: Page) => newestPage(versionsOf(db, of).selectAll(), page);

const TABLES = { agent: 'agents', business: 'businesses', tool: 'tools' } as const;

/** Its subject has that version now. Deletes the oldest where more are kept, or more text, than a subject may have. */
export async function insertVersion(db: Db, row: Omit<VersionTable, 'id'>): Promise<void> {
  await db
    .insertInto('versions')
    .values({ ...row, id: newId('ver') })
    .execute();
  await db
    .updateTable(TABLES[row.subject])
    .set({ version: row.number })
    .where('id', '=', row.subjectId)
    .where('accountId', '=', row.accountId)
    .execute();
  const kept = await versionsOf(db, row)
    .select(['number', (eb) => eb.fn<number>('length', ['content']).as('characters')])
    .orderBy('number', 'desc')
    .execute();
  let characters = 0;
  const over = kept.find((each, index) => {
    characters += Number(each.characters);
    return index >= VERSIONS_KEPT || (index > 0 && characters > CHARACTERS_KEPT);
  });
  if (over === undefined) return;
  await db
    .deleteFrom('versions')
    .where('accountId', '=', row.accountId)
    .where('subject', '=', row.subject)
    .where('subjectId', '=', row.subjectId)
    .where('number', '<=', over.number)
    .execute();
}

const CALL_COLUMNS = {
  agent: ['agentId', 'agentVersion'],
  business: ['businessId', 'businessVersion'],
} as const;

/** The newest answered and ended calls that were led by this version, between its time and that of the next. */
export async function callsOfVersion(
  db: Db,
  { accountId, subject, subjectId }: Versioned & { subject: keyof typeof CALL_COLUMNS },
  { number, fromMs, beforeMs }: { number: number; fromMs: number; beforeMs: number },
  limit: number,
) {
  const [id, version] = CALL_COLUMNS[subject];
  return db
    .selectFrom('calls')
    .select(['outcome', 'endReason', 'durationSeconds', 'latency'])
    .where('accountId', '=', accountId)
    .where(id, '=', subjectId)
    .where('startedAt', '>=', fromMs)
    .where('startedAt', '<', beforeMs)
    .where(version, '=', number)
    .where('answeredAt', 'is not', null)
    .orderBy('startedAt', 'desc')
    .limit(limit)
    .execute();
}

/** Of a subject that is gone for ever. */
export async function deleteVersions(db: Db, accountId: string, subjectId: string): Promise<void> {
  await db.deleteFrom('versions').where('accountId', '=', accountId).where('subjectId', '=', subjectId).execute();
}
