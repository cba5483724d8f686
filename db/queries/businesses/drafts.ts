// Drafts of agents, businesses and tools: columns that replace those of their row once they are published. A subject
// has at most one. Rows stay what calls obey, so that nothing in a call knows of drafts.
import type { BusinessTable } from '../../schema/businesses.ts';
import type { DraftTable, VersionSubject } from '../../schema/versions.ts';
import type { Db } from '../../schema.ts';

export const SUBJECT_TABLES = { agent: 'agents', business: 'businesses', tool: 'tools' } as const;

export function getDraft(db: Db, accountId: string, subjectId: string): Promise<DraftTable | undefined> {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('subjectId', '=', subjectId)
    .executeTakeFirst();
}

/** By subject. */
export async function draftsOf(db: Db, accountId: string, ids: readonly string[]): Promise<Map<string, DraftTable>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('drafts')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('subjectId', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** In place of the one that its subject had. */
export async function putDraft(db: Db, draft: DraftTable): Promise<void> {
  await deleteDraft(db, draft.accountId, draft.subjectId);
  await db.insertInto('drafts').values(draft).execute();
}

export async function deleteDraft(db: Db, accountId: string, subjectId: string): Promise<void> {
  await db.deleteFrom('drafts').where('accountId', '=', accountId).where('subjectId', '=', subjectId).execute();
}

/** The row as it will be when its draft is published. */
export const drafted = <Row extends object>(row: Row, draft: Pick<DraftTable, 'changes'> | undefined): Row =>
  draft === undefined ? row : { ...row, ...(JSON.parse(draft.changes) as Partial<Row>) };

const idsIn = ({ toolIds = '[]' }: { toolIds?: string }): string[] => JSON.parse(toolIds) as string[];

/** The businesses of an account whose changes are drafts. */
async function draftingBusinesses(db: Db, accountId: string): Promise<Array<Pick<BusinessTable, 'id' | 'toolIds'>>> {
  return db
    .selectFrom('businesses')
    .select(['id', 'toolIds'])
    .where('accountId', '=', accountId)
    .where('drafts', '=', 1)
    .where('deletedAt', 'is', null)
    .execute();
}

/**
 * The agents and tools that belong to businesses: the agents of their campaigns, and the tools that the businesses,
 * these agents and these campaigns have, or will have once their drafts are published.
 */
export async function partsOf(
  db: Db,
  accountId: string,
  businesses: readonly Pick<BusinessTable, 'id' | 'toolIds'>[],
): Promise<{ agents: Set<string>; tools: Set<string> }> {
  if (businesses.length === 0) return { agents: new Set(), tools: new Set() };
  const businessIds = businesses.map(({ id }) => id);
  const campaigns = await db
    .selectFrom('campaigns')
    .select(['agentId', 'toolIds'])
    .where('accountId', '=', accountId)
    .where('businessId', 'in', businessIds)
    .where('deletedAt', 'is', null)
    .execute();
  const agentIds = [...new Set(campaigns.map(({ agentId }) => agentId))];
  const agents =
    agentIds.length === 0
      ? []
      : await db
          .selectFrom('agents')
          .select('toolIds')
          .where('accountId', '=', accountId)
          .where('id', 'in', agentIds)
          .execute();
  const drafts = [...(await draftsOf(db, accountId, [...businessIds, ...agentIds])).values()];
  const changed = drafts.map(({ changes }) => JSON.parse(changes) as { toolIds?: string });
  const tools = [...businesses, ...campaigns, ...agents, ...changed].flatMap(idsIn);
  return { agents: new Set(agentIds), tools: new Set(tools) };
}

/** Whether a change of it is a draft: it belongs to a business that has them. One such business is enough. */
export async function isDrafting(db: Db, accountId: string, subject: VersionSubject, id: string): Promise<boolean> {
  const businesses = await draftingBusinesses(db, accountId);
  if (subject === 'business' || businesses.length === 0) return businesses.some((business) => business.id === id);
  const { agents, tools } = await partsOf(db, accountId, businesses);
  return (subject === 'agent' ? agents : tools).has(id);
}

/** Names of agents and businesses that will have the tool once their drafts are published: `agent "Ava"`. */
export async function draftsWithTool(db: Db, accountId: string, toolId: string): Promise<string[]> {
  const drafts = await db
    .selectFrom('drafts')
    .select(['subject', 'subjectId', 'changes'])
    .where('accountId', '=', accountId)
    .where('subject', '<>', 'tool')
    .execute();
  const named = await Promise.all(
    drafts
      .filter(({ changes }) => idsIn(JSON.parse(changes) as { toolIds?: string }).includes(toolId))
      .map(({ subject, subjectId }) =>
        db
          .selectFrom(SUBJECT_TABLES[subject] as 'agents')
          .select('name')
          .where('accountId', '=', accountId)
          .where('id', '=', subjectId)
          .where('deletedAt', 'is', null)
          .executeTakeFirst()
          .then((row) => (row === undefined ? [] : [`${subject} "${row.name}"`])),
      ),
  );
  return named.flat();
}
