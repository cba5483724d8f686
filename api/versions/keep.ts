// Keeps a version of an agent, a business or a tool in the transaction of its change.
import { insertVersion, latestVersion } from '../../db/queries/businesses/versions.ts';
import { makeDue } from '../../db/queries/test-runs/suites.ts';
import type { VersionSubject } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../frame/app.ts';

/** Of a record, what cannot be changed or follows from something else. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['id', 'createdAt', 'deletedAt', '_count', 'primaryLanguage'],
  ...['catalogue', 'catalogueAt', 'catalogueError'],
]);

export type Content = Readonly<Record<string, unknown>>;

export const contentOf = (record: object): Content =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !LEFT_OUT.has(name)));

interface Recorded {
  id: string;
  createdAt: string;
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
export async function keepVersion(
  db: Db,
  { accountId, userId }: Actor,
  { subject, before, after, nowMs, restoredFrom = null }: Change,
): Promise<void> {
  const of = { accountId, subject, subjectId: after.id };
  const content = JSON.stringify(contentOf(after));
  const formerly = before && JSON.stringify(contentOf(before));
  if (content === formerly) return;
  let number = (await latestVersion(db, of))?.number ?? 0;
  if (number === 0 && before !== null && formerly !== null) {
    number = 1;
    const createdAt = Date.parse(before.createdAt);
    await insertVersion(db, { ...of, number, content: formerly, actor: null, restoredFrom: null, createdAt });
  }
  await insertVersion(db, { ...of, number: number + 1, content, actor: userId, restoredFrom, createdAt: nowMs });
  await makeDue(db, accountId, of, nowMs);
}
