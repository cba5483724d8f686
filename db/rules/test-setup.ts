// The settings with which a test's conversation is led: those of a call of the same agent, business and campaign, as
// they will be once what waits is published.
import { CAMPAIGN_DEFAULTS } from '../domain/campaign-defaults.ts';
import { drafted, draftsOf } from '../queries/businesses/drafts.ts';
import { headingsOf } from '../queries/knowledge/passage-rows.ts';
import { toolsOfCall } from '../queries/tools/tools.ts';
import type { CampaignTable } from '../schema/campaigns.ts';
import type { Db } from '../schema.ts';
import type { CallSetup } from './routing.ts';

interface TestedParts {
  accountId: string;
  businessId: string;
  /** Null: what the business alone makes of a call. */
  campaignId: string | null;
  agentId: string;
}

/** As a campaign that was created with a name and nothing else. */
function withoutCampaign({ accountId, businessId, agentId }: TestedParts): CampaignTable {
  return {
    ...{ id: '', accountId, businessId, agentId, name: '', description: null, status: 'DRAFT', createdAt: 0 },
    ...{ scheduledAt: null, startedAt: null, completedAt: null, deletedAt: null, callingWindow: null },
    ...CAMPAIGN_DEFAULTS,
    ...{ greetingTemplate: null, instructions: null, voicemailAction: 'hangup', voicemailMessage: null },
    ...{ recordingEnabled: 0, recordingFormat: 'wav', destinations: '[]', listeningNotice: 'none' },
    ...{ outputs: '[]', criteria: '[]', toolIds: '[]', split: '[]' },
  };
}

/** The name of the first part that is deleted or not the account's, else all of them. */
export async function readTestSetup(
  db: Db,
  of: TestedParts,
): Promise<{ missing: 'agent' | 'business' | 'campaign' } | { setup: CallSetup }> {
  const { accountId, agentId, businessId, campaignId } = of;
  const row = (table: 'agents' | 'businesses' | 'campaigns', id: string) =>
    db
      // Kysely knows the columns of one named table; all three have those that count here.
      .selectFrom(table as 'agents')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
  const published = { agent: await row('agents', agentId), business: await row('businesses', businessId) };
  if (published.agent === undefined) return { missing: 'agent' };
  if (published.business === undefined) return { missing: 'business' };
  const drafts = await draftsOf(db, accountId, [agentId, businessId]);
  const agent = drafted(published.agent, drafts.get(agentId));
  const business = drafted(published.business as unknown as CallSetup['business'], drafts.get(businessId));
  const campaign =
    campaignId === null
      ? withoutCampaign(of)
      : ((await row('campaigns', campaignId)) as unknown as CampaignTable | undefined);
  if (campaign === undefined) return { missing: 'campaign' };
  const parts = { campaign, business, agent };
  const [tools, headings] = await Promise.all([
    toolsOfCall(db, accountId, parts),
    headingsOf(db, accountId, businessId),
  ]);
  const ids = tools.map(({ id }) => id);
  const draftsOfTools = await draftsOf(db, accountId, ids);
  return { setup: { ...parts, tools: tools.map((tool) => drafted(tool, draftsOfTools.get(tool.id))), headings } };
}
