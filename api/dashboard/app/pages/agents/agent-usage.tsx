// Where an agent speaks.
import { formatNumber, formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Badge, Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { CAMPAIGN_TONES } from '../campaigns/campaign-status.ts';

const SHOWN = 20;

export function AgentUsage({ agentId, calls }: { agentId: string; calls: number }) {
  const campaigns = useApi('listCampaigns', { query: { agentId, limit: SHOWN } });
  return (
    <Card title="Where it speaks">
      <Answer of={campaigns}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p class="soft">
              In no campaign yet. <a href={link('/campaigns/new', { agent: agentId })}>Create one with this agent</a>
            </p>
          ) : (
            <ul class="plain-list">
              {data.map(({ id, name, status }) => (
                <li class="row" key={id}>
                  <a href={link(`/campaigns/${id}`)}>{name}</a>
                  <Badge tone={CAMPAIGN_TONES[status]}>{formatWord(status)}</Badge>
                </li>
              ))}
              {pagination.total > SHOWN && (
                <li>
                  <a href={link('/campaigns', { agent: agentId })}>
                    All {formatNumber(pagination.total)} campaigns of it
                  </a>
                </li>
              )}
            </ul>
          )
        }
      </Answer>
      {calls > 0 && <a href={link('/calls', { agentId })}>Its {formatNumber(calls)} calls</a>}
    </Card>
  );
}
