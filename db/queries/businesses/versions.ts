// Versions of agents, businesses and tools: they are only added, listed, and deleted where there are too many.
import type { VersionSubject, VersionTable } from '../../schema/versions.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { runningCanaries } from './canaries.ts';
import { deleteDraft, getDraft, SUBJECT_TABLES } from './drafts.ts';

/** Of one subject. */
const VERSIONS_KEPT = 200;
const CHARACTERS_KEPT = 2_000_000;

export interface Versioned {
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

/** The number of the newest one, which may be a draft. */
export const latestVersion = (db: Db, of: Versioned): Promise<Pick<VersionTable, 'number'> | undefined> =>
  versionsOf(db, of).select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();

export const getVersion = (db: Db, of: Versioned, number: number): Promise<VersionTable | undefined> =>
  versionsOf(db, of).selectAll().where('number', '=', number).executeTakeFirst();

/** The newest that is older than `number`. */
export const versionBefore = (db: Db, of: Versioned, number: number): Promise<VersionTable | undefined> =>
  versionsOf(db, of).selectAll().where('number', '<', number).orderBy('number', 'desc').limit(1).executeTakeFirst();

/** Newest first. */
export const listVersions = (db: Db, of: Versioned, page: Page) => newestPage(versionsOf(db, of).selectAll(), page);

/** By number. */
export async function versionsByNumber(
  db: Db,
  of: Versioned,
  numbers: readonly number[],
): Promise<Map<number, VersionTable>> {
  if (numbers.length === 0) return new Map();
  const rows = await versionsOf(db, of).selectAll().where('number', 'in', numbers).execute();
  return new Map(rows.map((row) => [row.number, row]));
}

type NewVersion = Omit<VersionTable, 'id' | 'liveFrom' | 'liveUntil'>;

/**
 * Deletes the oldest where more are kept, or more text, than a subject may have.
 * @param isLive calls are led by it from now on; else it is a draft
 */
export async function insertVersion(db: Db, row: NewVersion, isLive = true): Promise<void> {
  await db
    .insertInto('versions')
    .values({ ...row, id: newId('ver'), liveFrom: null, liveUntil: null })
    .execute();
  if (isLive) await makeLive(db, row, row.number, row.createdAt);
  await deleteOldest(db, row);
}

/** Its subject has that version now; the one before leads calls no more, unless a campaign's split names it. */
export async function makeLive(db: Db, of: Versioned, number: number, nowMs: number): Promise<void> {
  await db
    .updateTable(SUBJECT_TABLES[of.subject])
    .set({ version: number })
    .where('id', '=', of.subjectId)
    .where('accountId', '=', of.accountId)
    .execute();
  await markLeading(db, of, nowMs);
}

/** The published version and those of splits and a canary lead calls from now on, and all others no more. */
export async function markLeading(db: Db, of: Versioned, nowMs: number): Promise<void> {
  const published = await db
    .selectFrom(SUBJECT_TABLES[of.subject])
    .select('version')
    .where('id', '=', of.subjectId)
    .where('accountId', '=', of.accountId)
    .executeTakeFirst();
  const canaries = await runningCanaries(db, of.accountId, [of.subjectId]);
  const numbers = [
    published?.version ?? 0,
    ...(await splitNumbers(db, of)),
    ...canaries.map((canary) => canary.version),
  ];
  const changed = () =>
    db
      .updateTable('versions')
      .where('accountId', '=', of.accountId)
      .where('subject', '=', of.subject)
      .where('subjectId', '=', of.subjectId);
  await changed()
    .set({ liveUntil: nowMs })
    .where('number', 'not in', numbers)
    .where('liveFrom', 'is not', null)
    .where('liveUntil', 'is', null)
    .execute();
  await changed()
    .set((eb) => ({ liveFrom: eb.fn.coalesce('liveFrom', eb.val(nowMs)), liveUntil: null }))
    .where('number', 'in', numbers)
    .execute();
}

/** The versions of an agent that splits of campaigns name. */
async function splitNumbers(db: Db, { accountId, subject, subjectId }: Versioned): Promise<number[]> {
  if (subject !== 'agent') return [];
  const rows = await db
    .selectFrom('campaigns')
    .select('split')
    .where('accountId', '=', accountId)
    .where('agentId', '=', subjectId)
    .where('split', '<>', '[]')
    .where('deletedAt', 'is', null)
    .execute();
  return rows.flatMap(({ split }) => (JSON.parse(split) as { version: number }[]).map(({ version }) => version));
}

/** One that leads calls, or that is a draft, is kept however old it is. */
async function deleteOldest(db: Db, of: Versioned): Promise<void> {
  const kept = await versionsOf(db, of)
    .select(['number', 'liveFrom', 'liveUntil', (eb) => eb.fn<number>('length', ['content']).as('characters')])
    .orderBy('number', 'desc')
    .execute();
  let characters = 0;
  const over = kept.find((each, index) => {
    characters += Number(each.characters);
    return index >= VERSIONS_KEPT || (index > 0 && characters > CHARACTERS_KEPT);
  });
  if (over === undefined) return;
  const draft = await getDraft(db, of.accountId, of.subjectId);
  const needed = kept.flatMap(({ number, liveFrom, liveUntil }) =>
    (liveFrom !== null && liveUntil === null) || number === draft?.number ? [number] : [],
  );
  await db
    .deleteFrom('versions')
    .where('accountId', '=', of.accountId)
    .where('subject', '=', of.subject)
    .where('subjectId', '=', of.subjectId)
    .where('number', '<=', over.number)
    .where('number', 'not in', [0, ...needed])
    .execute();
}

const CALL_COLUMNS = {
  agent: ['agentId', 'agentVersion'],
  business: ['businessId', 'businessVersion'],
} as const;

interface LedCalls {
  number: number;
  fromMs: number;
  beforeMs: number;
  /** Of this campaign alone. */
  campaignId?: string | null;
}

/** The newest answered and ended calls that were led by this version, in the time in which it led calls. */
export async function callsOfVersion(
  db: Db,
  { accountId, subject, subjectId }: Versioned & { subject: keyof typeof CALL_COLUMNS },
  { number, fromMs, beforeMs, campaignId = null }: LedCalls,
  limit: number,
) {
  const [id, version] = CALL_COLUMNS[subject];
  let led = db
    .selectFrom('calls')
    .select(['outcome', 'endReason', 'durationSeconds', 'latency'])
    .where('accountId', '=', accountId)
    .where(id, '=', subjectId)
    .where('startedAt', '>=', fromMs)
    .where('startedAt', '<', beforeMs)
    .where(version, '=', number)
    .where('answeredAt', 'is not', null);
  if (campaignId !== null) led = led.where('campaignId', '=', campaignId);
  return led.orderBy('startedAt', 'desc').limit(limit).execute();
}

/** Of a subject that is gone for ever. */
export async function deleteVersions(db: Db, accountId: string, subjectId: string): Promise<void> {
  await db.deleteFrom('versions').where('accountId', '=', accountId).where('subjectId', '=', subjectId).execute();
  await deleteDraft(db, accountId, subjectId);
  await db.deleteFrom('canaries').where('accountId', '=', accountId).where('subjectId', '=', subjectId).execute();
}
