// The campaigns and calls of an agent.
import type { CampaignPage } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { Card } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import type { Loaded } from '../../use-api.ts';
import { t } from '../../words/words.ts';
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
    <Card title={t('Where it speaks')}>
      <Answer of={campaigns}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p class="soft">
              {t('In no campaign yet.')}{' '}
              <a href={link('/campaigns/new', { agent: agentId })}>{t('Create one with this agent')}</a>
            </p>
          ) : (
            <>
              <CampaignLinks campaigns={data} />
              {pagination.hasNext && (
                <a href={link('/campaigns', { agent: agentId })}>
                  {t('All {total} campaigns of it', { total: formatNumber(pagination.total) })}
                </a>
              )}
            </>
          )
        }
      </Answer>
      {calls > 0 && <a href={link('/calls', { agentId })}>{t('Its {calls} calls', { calls: formatNumber(calls) })}</a>}
    </Card>
  );
}
