// The versions of agent and business that lead a call: the published ones, the one that the split of its campaign
// chooses, or a canary.
import { bucketOf, chosenVersion, isKnownNumber, type SplitPart } from '../domain/versions/split.ts';
import { type AgentFields, agentColumns } from '../records/agent-columns.ts';
import type { AgentTable } from '../schema/agents.ts';
import type { BusinessTable } from '../schema/businesses.ts';
import type { CampaignTable } from '../schema/campaigns.ts';
import type { CanaryTable } from '../schema/versions.ts';
import type { Db } from '../schema.ts';

interface Leaders {
  agent: AgentTable;
  business: BusinessTable;
}

interface Choosing {
  /** Of the person on the other side; null where nobody knows it. */
  number: string | null;
  /** The running ones of agent and business. */
  canaries: readonly CanaryTable[];
}

export async function leadersOf(
  db: Db,
  published: Leaders,
  campaign: Pick<CampaignTable, 'id' | 'agentId' | 'split'>,
  { number, canaries }: Choosing,
): Promise<Leaders> {
  const { agent, business } = published;
  const isSplit = campaign.split !== '[]' && campaign.agentId === agent.id;
  return {
    agent: isSplit ? await ofSplit(db, agent, campaign, number) : ofCanary(agent, canaries, number),
    business: ofCanary(business, canaries, number),
  };
}

async function ofSplit(
  db: Db,
  agent: AgentTable,
  { id, split }: Pick<CampaignTable, 'id' | 'split'>,
  number: string | null,
): Promise<AgentTable> {
  const chosen = chosenVersion(JSON.parse(split) as SplitPart[], id, number);
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

/** A withheld number is led by what is published. */
export function ofCanary<Row extends { id: string; version: number }>(
  row: Row,
  canaries: readonly CanaryTable[],
  number: string | null,
): Row {
  const canary = canaries.find(({ subjectId }) => subjectId === row.id);
  if (canary === undefined || !isKnownNumber(number)) return row;
  if (bucketOf(canary.id, number) >= canary.share * 100) return row;
  return { ...row, ...(JSON.parse(canary.changes) as Partial<Row>), version: canary.version };
}
