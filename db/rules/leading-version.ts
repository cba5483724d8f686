// The version of an agent that leads a call: the published one, or the one that the split of its campaign chooses.
import { chosenVersion, type SplitPart } from '../domain/versions/split.ts';
import { type AgentFields, agentColumns } from '../records/agent-columns.ts';
import type { AgentTable } from '../schema/agents.ts';
import type { CampaignTable } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';

/** `number`: of the person on the other side; null where nobody knows it. */
export async function leadingAgent(
  db: Db,
  agent: AgentTable,
  campaign: Pick<CampaignTable, 'id' | 'agentId' | 'split'>,
  number: string | null,
): Promise<AgentTable> {
  if (campaign.split === '[]' || campaign.agentId !== agent.id) return agent;
  const chosen = chosenVersion(JSON.parse(campaign.split) as SplitPart[], campaign.id, number);
  if (chosen === null || chosen === agent.version) return agent;
  const version = await db
    .selectFrom('versions')
    .select('content')
    .where('accountId', '=', agent.accountId)
    .where('subjectId', '=', agent.id)
    .where('number', '=', chosen)
    .executeTakeFirst();
  // A split names versions that are kept; without it a call is better led by the published one than by none.
  if (version === undefined) return agent;
  return { ...agent, ...agentColumns(JSON.parse(version.content) as AgentFields), version: chosen };
}
