// The campaigns and calls of an agent.
import type { CampaignPage } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import type { Loaded } from '../../use-api.ts';
import { CampaignLinks } from '../campaigns/campaign-links.tsx';

export function AgentUsage({
  agentId,
  calls,
  campaigns,
}: {
  agentId: string;
  calls: number;
  campaigns: Loaded<CampaignPage>;
}) {
  return (
    <Card title="Where it speaks">
      <Answer of={campaigns}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p class="soft">
              In no campaign yet. <a href={link('/campaigns/new', { agent: agentId })}>Create one with this agent</a>
            </p>
          ) : (
            <>
              <CampaignLinks campaigns={data} />
              {pagination.hasNext && (
                <a href={link('/campaigns', { agent: agentId })}>
                  All {formatNumber(pagination.total)} campaigns of it
                </a>
              )}
            </>
          )
        }
      </Answer>
      {calls > 0 && <a href={link('/calls', { agentId })}>Its {formatNumber(calls)} calls</a>}
    </Card>
  );
}
