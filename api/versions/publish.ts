// Drafts are listed, published and discarded: those of an agent or a tool by itself, those of a business with those of
// all that belongs to it, in one transaction.
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import { deleteDraft, draftsOf, partsOf } from '../../db/queries/businesses/drafts.ts';
import { getVersion, makeLive } from '../../db/queries/businesses/versions.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { DraftTable } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import { valueShown } from '../audit/value-shown.ts';
import type { ApiContext } from '../context.ts';
import type { Actor, Auth } from '../frame/app.ts';
import { refused } from '../frame/errors.ts';
import { beginCanary, type CanaryWish, stopCanary } from './canaries.ts';
import { Differences } from './differences.ts';
import { checkTests, onceTested } from './gate.ts';
import { checkMayPublish } from './publish-scope.ts';
import type { DiscardedRecord, DraftRecord, PublishedRecord } from './schema.ts';
import { parsed } from './service.ts';
import { type Subject, subjectNamed } from './subjects.ts';

/** A tool that an agent gets is published before the agent. */
const ORDER = ['tool', 'agent', 'business'] as const;

/** The drafts of a subject, and of what belongs to it, in the order in which they are published. */
async function draftsAt(db: Db, subject: Subject, accountId: string, id: string): Promise<DraftTable[]> {
  const ids = [id];
  if (subject.name === 'business') {
    const business = await getBusiness(db, accountId, id);
    const { agents, tools } = await partsOf(db, accountId, business === undefined ? [] : [business]);
    ids.push(...agents, ...tools);
  }
  const drafts = await draftsOf(db, accountId, ids);
  return [...drafts.values()].sort((a, b) => ORDER.indexOf(a.subject) - ORDER.indexOf(b.subject));
}

interface Compared {
  name: string;
  publishedVersion: number;
  actor: string | null;
  changes: DraftRecord['changes'];
}

/** A draft beside what calls obey. */
async function compared(
  context: ApiContext,
  db: Db,
  draft: DraftTable,
  differences: Differences = new Differences(),
): Promise<Compared> {
  const { accountId, subject, subjectId, number } = draft;
  const { publishedVersion } = await subjectNamed(subject).read({ ...context, read: db }, accountId, subjectId);
  const published = await getVersion(db, draft, publishedVersion);
  const version = await getVersion(db, draft, number);
  if (published === undefined || version === undefined) throw new Error('a version that counts is always kept');
  const content = parsed(version);
  return {
    name: String(content.name),
    publishedVersion,
    actor: version.actor,
    changes: differences.between(parsed(published), content, valueShown),
  };
}

/** Empty where nothing waits to be published. @throws {ApiError} 404 */
export async function listDrafts(
  context: ApiContext,
  subject: Subject,
  accountId: string,
  id: string,
): Promise<DraftRecord[]> {
  const { read } = context;
  await subject.read(context, accountId, id);
  const differences = new Differences();
  const records: DraftRecord[] = [];
  for (const draft of await draftsAt(read, subject, accountId, id)) {
    const { subject: name, subjectId, number, createdAt } = draft;
    const about = await compared(context, read, draft, differences);
    records.push({ subject: name, id: subjectId, ...about, draftVersion: number, changedAt: isoTime(createdAt) });
  }
  return records.reverse();
}

/** @throws {ApiError} 404 */
async function draftsToAct(context: ApiContext, trx: Db, subject: Subject, accountId: string, id: string) {
  await subject.read({ ...context, read: trx }, accountId, id);
  const drafts = await draftsAt(trx, subject, accountId, id);
  if (drafts.length === 0) throw refused('NO_DRAFT', 'Nothing waits to be published');
  return drafts;
}

const publishing = <Published>(context: ApiContext, publish: (trx: Db) => Promise<Published>): Promise<Published> =>
  onceTested(context, () => context.db.transaction().execute(publish));

interface Publication {
  data: PublishedRecord[];
  warnings?: string[];
}

/** Calls obey the drafts from the next one on. @throws {ApiError} 403, 404, 409, 422 */
export async function publishDrafts(
  context: ApiContext,
  subject: Subject,
  actor: Auth,
  id: string,
): Promise<Publication> {
  const { accountId } = actor;
  const afterwards: Array<() => Promise<string[]>> = [];
  const data = await publishing(context, async (trx) => {
    const published: PublishedRecord[] = [];
    const drafts = await draftsToAct(context, trx, subject, accountId, id);
    await checkMayPublish(trx, actor, drafts);
    await checkTests(trx, accountId, drafts);
    for (const draft of drafts) {
      const { subject: name, subjectId, number } = draft;
      const about = await compared(context, trx, draft);
      const columns = JSON.parse(draft.changes) as object;
      const then = await subjectNamed(name).publish(trx, context, actor, { id: subjectId, columns });
      if (then !== null) afterwards.push(then);
      await deleteDraft(trx, accountId, subjectId);
      await stopCanary(context, trx, accountId, subjectId);
      await makeLive(trx, draft, number, context.now());
      published.push({
        ...{ subject: name, id: subjectId, name: about.name, from: about.publishedVersion, to: number },
        canary: null,
      });
    }
    return published.reverse();
  });
  const warnings: string[] = [];
  for (const then of afterwards) warnings.push(...(await then()));
  return warnings.length === 0 ? { data } : { data, warnings };
}

/** The subject's own draft leads a share of the calls. @throws {ApiError} 404, 409 */
export async function publishToCanary(
  context: ApiContext,
  subject: Subject,
  actor: Auth,
  id: string,
  wish: CanaryWish,
): Promise<Publication> {
  const { accountId } = actor;
  const data = await publishing(context, async (trx) => {
    const own = (await draftsToAct(context, trx, subject, accountId, id)).find(({ subjectId }) => subjectId === id);
    if (own === undefined) throw refused('NO_DRAFT', `The ${subject.name} itself has no draft`);
    await checkMayPublish(trx, actor, [own]);
    await checkTests(trx, accountId, [own]);
    const { name, publishedVersion } = await compared(context, trx, own);
    const canary = await beginCanary(context, trx, actor, { ...own, publishedVersion }, wish);
    return { subject: own.subject, id, name, from: publishedVersion, to: own.number, canary };
  });
  return { data: [data] };
}

/** The records are again what calls obey; the versions of the drafts stay in the lists. @throws {ApiError} 404, 409 */
export async function discardDrafts(
  context: ApiContext,
  subject: Subject,
  actor: Actor,
  id: string,
): Promise<DiscardedRecord[]> {
  const { accountId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const discarded: DiscardedRecord[] = [];
    for (const draft of await draftsToAct(context, trx, subject, accountId, id)) {
      const { subject: kind, subjectId, number } = draft;
      const { name } = await compared(context, trx, draft);
      await deleteDraft(trx, accountId, subjectId);
      await stopCanary(context, trx, accountId, subjectId);
      await subjectNamed(kind).discarded?.(trx, actor, subjectId, context.now());
      discarded.push({ subject: kind, id: subjectId, name, draftVersion: number });
    }
    return discarded.reverse();
  });
}
