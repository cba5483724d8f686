// Agents: voice personas. Deleting is soft and refused while an active campaign uses the agent.

import type { AgentTable } from '../../schema/agents.ts';
import type { Db } from '../../schema.ts';
import { keptTotals } from '../calls/list/counts.ts';
import { newestPage, type Page } from '../newest-page.ts';
import { tenantRows } from '../tenant-rows.ts';

const agents = tenantRows('agents');

export interface AgentCounts {
  calls: number;
  phoneNumbers: number;
}

/** Agents that are not deleted, newest first, and how many match. */
export async function listAgents(
  db: Db,
  accountId: string,
  filter: { isActive?: boolean },
  page: Page,
): Promise<{ rows: AgentTable[]; total: number }> {
  let query = agents.current(db, accountId);
  if (filter.isActive !== undefined) query = query.where('isActive', '=', filter.isActive ? 1 : 0);
  return newestPage(query.selectAll(), page);
}

/** One agent, deleted ones too. */
export function getAgent(db: Db, accountId: string, id: string): Promise<AgentTable | undefined> {
  return agents.any(db, accountId, id).selectAll().executeTakeFirst();
}

/** By agent: all calls so far, and numbers of the campaigns that use it. */
export async function agentCounts(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, AgentCounts>> {
  if (ids.length === 0) return new Map();
  const calls = await keptTotals(db, accountId, 'agentId', ids);
  const numbers = await db
    .selectFrom('phoneNumbers')
    .innerJoin('campaigns', 'campaigns.id', 'phoneNumbers.campaignId')
    .select((eb) => ['campaigns.agentId', eb.fn.countAll<number>().as('total')])
    .where('phoneNumbers.accountId', '=', accountId)
    .where('phoneNumbers.status', '=', 'active')
    .where('campaigns.agentId', 'in', ids)
    .groupBy('campaigns.agentId')
    .execute();
  const byAgent = new Map(numbers.map((row) => [row.agentId, Number(row.total)]));
  return new Map(ids.map((id) => [id, { calls: calls.get(id) ?? 0, phoneNumbers: byAgent.get(id) ?? 0 }]));
}

export async function insertAgent(db: Db, accountId: string, agent: Omit<AgentTable, 'accountId'>): Promise<void> {
  await db
    .insertInto('agents')
    .values({ ...agent, accountId })
    .execute();
}

/** Changes an agent that is not deleted; undefined when there is none. */
export function updateAgent(
  db: Db,
  accountId: string,
  id: string,
  changes: Partial<Omit<AgentTable, 'id' | 'accountId' | 'createdAt'>>,
): Promise<AgentTable | undefined> {
  return agents.change(db, accountId, id).set(changes).returningAll().executeTakeFirst();
}

/** Sets deletedAt unless an active campaign uses the agent; undefined when it does, or when there is no such agent. */
export function softDeleteAgent(db: Db, accountId: string, id: string, nowMs: number): Promise<AgentTable | undefined> {
  return agents
    .change(db, accountId, id)
    .set({ deletedAt: nowMs })
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('campaigns')
            .select('campaigns.id')
            .where('campaigns.accountId', '=', accountId)
            .where('campaigns.agentId', '=', id)
            .where('campaigns.status', 'in', ['SCHEDULED', 'RUNNING'])
            .where('campaigns.deletedAt', 'is', null),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst();
}
