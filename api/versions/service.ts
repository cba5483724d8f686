// Versions are listed, read, compared, and brought back by a change like any other.
import {
  getVersion,
  latestVersion,
  listVersions,
  type Versioned,
  versionBefore,
  versionsByNumber,
} from '../../db/queries/businesses/versions.ts';
import { isoOrNull, isoTime } from '../../db/records/resources.ts';
import type { VersionTable } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import { valueShown } from '../audit/value-shown.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { notFound } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { callsLedBy } from './calls-led.ts';
import { Differences } from './differences.ts';
import { type Content, contentOf, type Recorded } from './keep.ts';
import type { VersionQuery, VersionRecord, VersionWithContent } from './schema.ts';
import type { Subject } from './subjects.ts';
import { testRunsOf } from './tests-tried.ts';

type Version = Omit<VersionTable, 'id' | 'accountId' | 'subject' | 'subjectId'>;

/** Of what has not been changed since versions are kept: it is the first one. */
const firstOf = (record: Recorded): Version => ({
  number: 1,
  content: JSON.stringify(contentOf(record)),
  actor: null,
  restoredFrom: null,
  createdAt: Date.parse(record.createdAt),
  baseNumber: null,
  liveFrom: Date.parse(record.createdAt),
  liveUntil: null,
});

export const parsed = ({ content }: Pick<Version, 'content'>): Content => JSON.parse(content) as Content;

/** `current`: the record of its subject. */
function versionRecord(
  version: Version,
  current: Recorded,
  against: Version | undefined,
  differences: Differences,
  shown: (value: unknown) => unknown,
): VersionRecord {
  const { number, actor, restoredFrom, createdAt, liveFrom } = version;
  return {
    number,
    isCurrent: number === current.publishedVersion,
    isDraft: number === current.draftVersion,
    actor,
    restoredFrom,
    createdAt: isoTime(createdAt),
    publishedAt: isoOrNull(liveFrom),
    against: against?.number ?? null,
    changes: against === undefined ? [] : differences.between(parsed(against), parsed(version), shown),
  };
}

/** The version that it was made from, where that is kept; else the one before. */
async function basesOf(db: Db, of: Versioned, rows: readonly Version[]): Promise<Map<number, Version>> {
  const known = new Map<number, Version>(rows.map((row) => [row.number, row]));
  const missing = rows.flatMap(({ baseNumber }) => (baseNumber === null || known.has(baseNumber) ? [] : [baseNumber]));
  for (const [number, row] of await versionsByNumber(db, of, missing)) known.set(number, row);
  const last = rows.at(-1);
  const before = last && (await versionBefore(db, of, last.number));
  const bases = rows.map((row, at): [number, Version | undefined] => [
    row.number,
    (row.baseNumber === null ? undefined : known.get(row.baseNumber)) ?? rows[at + 1] ?? before,
  ]);
  return new Map(bases.flatMap(([number, base]) => (base === undefined ? [] : [[number, base]])));
}

/** Newest first, each with what it changed. @throws {ApiError} 404 */
export async function listVersionRecords(
  context: ApiContext,
  subject: Subject,
  accountId: string,
  id: string,
  query: VersionQuery,
) {
  const record = await subject.read(context, accountId, id);
  const of = { accountId, subject: subject.name, subjectId: id };
  const offset = offsetOf(query);
  const kept = await listVersions(context.read, of, { limit: query.limit, offset });
  const total = Math.max(kept.total, 1);
  const rows: Version[] = kept.total === 0 && offset === 0 ? [firstOf(record)] : kept.rows;
  const bases = await basesOf(context.read, of, rows);
  const differences = new Differences();
  const data = rows.map((row) => versionRecord(row, record, bases.get(row.number), differences, valueShown));
  if (query.calls === true) {
    for (const [index, row] of rows.entries())
      Object.assign(data[index] ?? {}, { calls: await callsLedBy(context.read, of, row, query.campaignId ?? null) });
  }
  if (query.tests === true) {
    const numbers = data.map(({ number }) => number);
    const runs = await testRunsOf(context.read, of, numbers);
    for (const record of data) Object.assign(record, { testRuns: runs.get(record.number) ?? [] });
  }
  return { data, pagination: pagination(query.page, query.limit, total) };
}

async function versionOf(db: Db, subject: Subject, record: Recorded, accountId: string, number: number) {
  const of = { accountId, subject: subject.name, subjectId: record.id };
  const version = await getVersion(db, of, number);
  if (version !== undefined) return version;
  if (number === 1 && (await latestVersion(db, of)) === undefined) return firstOf(record);
  throw notFound('Version');
}

/** One version whole, and what differs from another. @throws {ApiError} 404 */
export async function readVersion(
  context: ApiContext,
  subject: Subject,
  accountId: string,
  { id, number }: { id: string; number: number },
  against: number | undefined,
): Promise<VersionWithContent> {
  const record = await subject.read(context, accountId, id);
  const of = { accountId, subject: subject.name, subjectId: id };
  const version = await versionOf(context.read, subject, record, accountId, number);
  const other =
    against === undefined
      ? (await basesOf(context.read, of, [version])).get(number)
      : await versionOf(context.read, subject, record, accountId, against);
  const compared = versionRecord(version, record, other, new Differences(), (value) => value);
  return { ...compared, content: parsed(version) };
}

/** Makes the fields what they were: those that differ are sent as by a PATCH, and obey its rules. @throws {ApiError} */
export async function restoreVersion(
  context: ApiContext,
  subject: Subject,
  auth: Auth,
  { id, number }: { id: string; number: number },
) {
  const record = await subject.read(context, auth.accountId, id);
  const version = await versionOf(context.db, subject, record, auth.accountId, number);
  const now = contentOf(record);
  const content = Object.fromEntries(
    Object.entries(parsed(version)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name])),
  );
  return subject.change(context, auth, id, content, number);
}
