// Versions are listed, read, compared, and brought back by a change like any other.
import {
  getVersion,
  latestVersion,
  listVersions,
  versionAfter,
  versionBefore,
} from '../../db/queries/businesses/versions.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { VersionTable } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { Actor } from '../frame/app.ts';
import { notFound } from '../frame/errors.ts';
import { offsetOf, pagination } from '../frame/pagination.ts';
import { callsLedBy } from './calls.ts';
import { Differences, valueShown } from './differences.ts';
import { type Content, contentOf } from './keep.ts';
import type { VersionQuery, VersionRecord, VersionWithContent } from './schema.ts';
import type { Recorded, Subject } from './subjects.ts';

type Version = Pick<VersionTable, 'number' | 'content' | 'actor' | 'restoredFrom' | 'createdAt'>;

/** Of what has not been changed since versions are kept: it is the first one. */
const firstOf = (record: Recorded): Version => ({
  number: 1,
  content: JSON.stringify(contentOf(record)),
  actor: null,
  restoredFrom: null,
  createdAt: Date.parse(record.createdAt),
});

const parsed = ({ content }: Pick<Version, 'content'>): Content => JSON.parse(content) as Content;

function versionRecord(
  version: Version,
  current: number,
  against: Version | undefined,
  differences: Differences,
  shown: (value: unknown) => unknown,
): VersionRecord {
  const { number, actor, restoredFrom, createdAt } = version;
  return {
    number,
    isCurrent: number === current,
    actor,
    restoredFrom,
    createdAt: isoTime(createdAt),
    against: against?.number ?? null,
    changes: against === undefined ? [] : differences.between(parsed(against), parsed(version), shown),
  };
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
  const last = rows.at(-1);
  const before = last && (await versionBefore(context.read, of, last.number));
  const current = (await latestVersion(context.read, of))?.number ?? 1;
  const differences = new Differences();
  const data = rows.map((row, index) =>
    versionRecord(row, current, rows[index + 1] ?? before, differences, valueShown),
  );
  if (query.calls === true) {
    for (const [index, row] of rows.entries()) {
      const next = index === 0 ? await versionAfter(context.read, of, row.number) : rows[index - 1];
      Object.assign(data[index] ?? {}, { calls: await callsLedBy(context.read, of, row, next) });
    }
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
      ? await versionBefore(context.read, of, number)
      : await versionOf(context.read, subject, record, accountId, against);
  const current = (await latestVersion(context.read, of))?.number ?? 1;
  const compared = versionRecord(version, current, other, new Differences(), (value) => value);
  return { ...compared, content: parsed(version) };
}

/** Makes the fields what they were: those that differ are sent as by a PATCH, and obey its rules. @throws {ApiError} */
export async function restoreVersion(
  context: ApiContext,
  subject: Subject,
  actor: Actor,
  { id, number }: { id: string; number: number },
) {
  const record = await subject.read(context, actor.accountId, id);
  const version = await versionOf(context.db, subject, record, actor.accountId, number);
  const now = contentOf(record);
  const content = Object.fromEntries(
    Object.entries(parsed(version)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name])),
  );
  return subject.change(context, actor, id, content, number);
}
