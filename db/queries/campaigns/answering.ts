// The campaigns whose agents answer calls, with business and agent: for a voice that makes their greetings beforehand.
import type { AgentTable } from '../../schema/agents.ts';
import type { BusinessTable } from '../../schema/businesses.ts';
import type { CampaignTable } from '../../schema/campaigns.ts';
import type { Db } from '../../schema.ts';

interface AnsweringCampaign {
  campaign: CampaignTable;
  business: BusinessTable;
  agent: AgentTable;
}

/** The newest first. */
export async function answeringCampaigns(db: Db, limit: number): Promise<AnsweringCampaign[]> {
  const campaigns = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('status', 'in', ['RUNNING', 'COMPLETED'])
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
  const businessIds = [...new Set(campaigns.map(({ businessId }) => businessId))];
  const agentIds = [...new Set(campaigns.map(({ agentId }) => agentId))];
  if (campaigns.length === 0) return [];
  const [businesses, agents] = await Promise.all([
    db.selectFrom('businesses').selectAll().where('id', 'in', businessIds).execute(),
    db.selectFrom('agents').selectAll().where('id', 'in', agentIds).execute(),
  ]);
  return campaigns.flatMap((campaign) => {
    const business = businesses.find(({ id }) => id === campaign.businessId);
    const agent = agents.find(({ id }) => id === campaign.agentId);
    return business && agent ? [{ campaign, business, agent }] : [];
  });
}
