// Keeps a version of an agent, a business or a tool in the transaction of its change: of what calls obey from then on,
// or of a draft.
import { deleteDraft, drafted, getDraft, isDrafting, putDraft } from '../../db/queries/businesses/drafts.ts';
import { insertVersion, latestVersion } from '../../db/queries/businesses/versions.ts';
import { makeDue } from '../../db/queries/test-runs/suites.ts';
import type { DraftTable, VersionSubject } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../frame/app.ts';

/** Of a record, what cannot be changed, follows from something else, or is never a draft. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['id', 'createdAt', 'deletedAt', '_count', 'primaryLanguage', 'publishedVersion', 'draftVersion', 'drafts'],
  ...['catalogue', 'catalogueAt', 'catalogueError'],
]);

export type Content = Readonly<Record<string, unknown>>;

export const contentOf = (record: object): Content =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !LEFT_OUT.has(name)));

export interface Recorded {
  id: string;
  createdAt: string;
  publishedVersion: number;
  draftVersion: number | null;
}

interface Change {
  subject: VersionSubject;
  /** Null for a new one. */
  before: Recorded | null;
  after: Recorded;
  nowMs: number;
  /** The version that the change brings back. */
  restoredFrom?: number | null;
}

/** Where nothing has changed, no version is kept. What was there before versions were kept becomes the first one. */
export async function keepVersion(db: Db, actor: Actor, change: Change): Promise<void> {
  const { before, after } = change;
  if (before !== null && JSON.stringify(contentOf(before)) === JSON.stringify(contentOf(after))) return;
  await addVersion(db, actor, change, true);
}

/** @returns its number */
async function addVersion(
  db: Db,
  { accountId, userId }: Actor,
  { subject, before, after, nowMs, restoredFrom = null }: Change,
  isLive: boolean,
): Promise<number> {
  const of = { accountId, subject, subjectId: after.id };
  let number = (await latestVersion(db, of))?.number ?? 0;
  const first = { number: 1, actor: null, restoredFrom: null, baseNumber: null };
  if (number === 0 && before !== null) {
    number = 1;
    const content = JSON.stringify(contentOf(before));
    await insertVersion(db, { ...of, ...first, content, createdAt: Date.parse(before.createdAt) });
  }
  number += 1;
  const baseNumber = before && (before.draftVersion ?? before.publishedVersion);
  const content = JSON.stringify(contentOf(after));
  const row = { ...of, number, content, actor: userId, restoredFrom, baseNumber, createdAt: nowMs };
  await insertVersion(db, row, isLive);
  await makeDue(db, accountId, of, nowMs);
  return number;
}

/** The row that a change is made on. */
export interface Editing<Row> {
  /** Calls obey this one. */
  live: Row;
  draft: DraftTable | undefined;
  /** As it will be when the draft is published. */
  row: Row;
  /** The change goes into the draft. */
  isDraft: boolean;
}

/** A draft that is there takes further changes, whatever its business says by now. */
export async function editing<Row extends { id: string; accountId: string }>(
  db: Db,
  subject: VersionSubject,
  live: Row,
): Promise<Editing<Row>> {
  const draft = await getDraft(db, live.accountId, live.id);
  const isDraft = draft !== undefined || (await isDrafting(db, live.accountId, subject, live.id));
  return { live, draft, row: drafted(live, draft), isDraft };
}

interface DraftChange<Row> extends Omit<Change, 'after'> {
  of: Editing<Row>;
  columns: Partial<Row>;
  /** The record of a row, with the number of its draft. */
  recordOf(row: Row, draft: number | null): Recorded | Promise<Recorded>;
}

/** @returns the row as it will be, and the number of the draft; null: it is what calls obey again, and none is left */
export async function keepDraft<Row extends { id: string; accountId: string }>(
  db: Db,
  actor: Actor,
  { of: { live, draft, row }, columns, recordOf, ...change }: DraftChange<Row>,
): Promise<{ row: Row; draft: number | null }> {
  if (isAlready(row, columns)) return { row, draft: draft?.number ?? null };
  const changes = { ...(draft === undefined ? {} : (JSON.parse(draft.changes) as Partial<Row>)), ...columns };
  if (isAlready(live, changes)) {
    await deleteDraft(db, live.accountId, live.id);
    return { row: live, draft: null };
  }
  const changed = { ...row, ...columns };
  const after = await recordOf(changed, draft?.number ?? null);
  const number = await addVersion(db, actor, { ...change, after }, false);
  const { id: subjectId, accountId } = live;
  const { subject, nowMs } = change;
  await putDraft(db, { subjectId, accountId, subject, number, changes: JSON.stringify(changes), createdAt: nowMs });
  return { row: changed, draft: number };
}

const isAlready = <Row extends object>(row: Row, columns: Partial<Row>): boolean =>
  Object.entries(columns).every(([name, value]) => row[name as keyof Row] === value);

/** A draft of something that has changed beside it is a version anew: it is what will be published. */
export async function keepDraftAgain(
  db: Db,
  actor: Actor,
  draft: DraftTable,
  change: Pick<Change, 'before' | 'after' | 'nowMs'>,
): Promise<void> {
  const number = await addVersion(db, actor, { ...change, subject: draft.subject }, false);
  await putDraft(db, { ...draft, number });
}
