// Tools of a tenant. Deleting is soft, because calls name them, and refused while an agent, a business or a campaign
// that is not deleted has the tool.

import type { AgentTable } from '../../schema/agents.ts';
import type { BusinessTable } from '../../schema/businesses.ts';
import type { CampaignTable } from '../../schema/campaigns.ts';
import type { ToolTable } from '../../schema/tools.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { tenantRows } from '../tenant-rows.ts';

const tools = tenantRows('tools');

/** Tools that are not deleted, newest first, and how many there are. */
export function listTools(db: Db, accountId: string, page: Page): Promise<{ rows: ToolTable[]; total: number }> {
  return newestPage(tools.current(db, accountId).selectAll(), page);
}

/** One tool that is not deleted. */
export function getTool(db: Db, accountId: string, id: string): Promise<ToolTable | undefined> {
  return tools.current(db, accountId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** The one of this name that is not deleted. */
export function toolNamed(db: Db, accountId: string, name: string): Promise<Pick<ToolTable, 'id'> | undefined> {
  return tools.current(db, accountId).select('id').where('name', '=', name).executeTakeFirst();
}

/** The tools of the ids that are not deleted, in the order of the ids. */
export async function toolsById(db: Db, accountId: string, ids: readonly string[]): Promise<ToolTable[]> {
  if (ids.length === 0) return [];
  const rows = await tools.current(db, accountId).selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function insertTool(db: Db, accountId: string, tool: Omit<ToolTable, 'accountId'>): Promise<void> {
  await db
    .insertInto('tools')
    .values({ ...tool, accountId })
    .execute();
}

/** Changes a tool that is not deleted; undefined when there is none. */
export function updateTool(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Omit<ToolTable, 'id' | 'accountId' | 'createdAt'>>,
): Promise<ToolTable | undefined> {
  return tools.change(db, accountId, id).set(changes).returningAll().executeTakeFirst();
}

/** Its headers go at once. Undefined when there is none. */
export function softDeleteTool(db: Db, accountId: string, id: string, nowMs: number): Promise<ToolTable | undefined> {
  return updateTool(db, accountId, id, { deletedAt: nowMs, headersSealed: null, headerNames: '[]' });
}

/** Servers whose catalogue was read, or tried, before that time, of all tenants; the oldest first. */
export function staleCatalogues(
  db: Db,
  { beforeMs, limit, perAccount }: { beforeMs: number; limit: number; perAccount: number },
): Promise<ToolTable[]> {
  const numbered = db
    .selectFrom('tools')
    .where('kind', '=', 'mcp')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('catalogueTriedAt', 'is', null), eb('catalogueTriedAt', '<', beforeMs)]))
    .select(['id', ({ fn, val }) => fn.coalesce('catalogueTriedAt', val(0)).as('triedAt')])
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((window) => window.partitionBy('accountId').orderBy('catalogueTriedAt').orderBy('id'))
        .as('place'),
    );
  return db
    .selectFrom('tools')
    .innerJoin(numbered.as('stale'), 'stale.id', 'tools.id')
    .selectAll('tools')
    .where('stale.place', '<=', perAccount)
    .orderBy('stale.triedAt')
    .limit(limit)
    .execute();
}

/** Names of what has the tool and is not deleted: `agent "Ava"`. */
export async function usersOfTool(db: Db, accountId: string, id: string): Promise<string[]> {
  const users = await Promise.all(
    (['agents', 'businesses', 'campaigns'] as const).map(async (table) => {
      const rows = await db
        // Kysely knows the columns of one named table; all three have those that count here.
        .selectFrom(table as 'agents')
        .select(['name', 'toolIds'])
        .where('accountId', '=', accountId)
        .where('deletedAt', 'is', null)
        .where('toolIds', '!=', '[]')
        .execute();
      const kind = { agents: 'agent', businesses: 'business', campaigns: 'campaign' }[table];
      return rows.filter((row) => idsIn(row).includes(id)).map((row) => `${kind} "${row.name}"`);
    }),
  );
  return users.flat();
}

const idsIn = ({ toolIds }: { toolIds: string }): string[] => JSON.parse(toolIds) as string[];

/** The tools of a call, each once: the campaign's first, then the business's, then the agent's. */
export function toolsOfCall(
  db: Db,
  accountId: string,
  { campaign, business, agent }: { campaign: CampaignTable; business: BusinessTable; agent: AgentTable },
): Promise<ToolTable[]> {
  return toolsById(db, accountId, [...new Set([campaign, business, agent].flatMap(idsIn))]);
}
