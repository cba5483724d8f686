// The page that lists the account's campaigns.
import { formatNumber } from '../../format.ts';
import { link, route, setQuery } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CampaignProgress } from './campaign-progress.tsx';
import { CAMPAIGN_STATUSES, CAMPAIGN_TONES, CAMPAIGN_WORDS } from './campaign-status.ts';

const RENEWED_EVERY_MS = 15_000;

export default function CampaignsPage() {
  const { query } = route.value;
  const status = CAMPAIGN_STATUSES.find((each) => each === query.get('status'));
  const agentId = query.get('agent') ?? '';
  const isFiltered = status !== undefined || agentId !== '';
  const campaigns = useApi(
    'listCampaigns',
    {
      query: {
        page: currentPage(),
        limit: 20,
        ...(status === undefined ? {} : { status }),
        ...(agentId === '' ? {} : { agentId }),
      },
    },
    { everyMs: RENEWED_EVERY_MS },
  );
  const agents = useAll('listAgents');
  const businesses = useAll('listBusinesses');
  const create = (
    <ButtonLink look="primary" href={link('/campaigns/new')}>
      {t('New campaign')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Campaigns')}
      lead={t('Which agent speaks for which business, over which numbers, and whom it calls.')}
      actions={create}
    >
      <div class="filters">
        <Select
          label={t('Status')}
          value={status ?? ''}
          onChange={(value) => setQuery({ status: value, page: undefined })}
          choices={[
            { value: '', text: t('All') },
            ...CAMPAIGN_STATUSES.map((value) => ({ value, text: t(CAMPAIGN_WORDS[value]) })),
          ]}
        />
        <Select
          label={t('Agent')}
          value={agentId}
          onChange={(value) => setQuery({ agent: value, page: undefined })}
          choices={[
            { value: '', text: t('All') },
            ...(agents.answer ?? []).map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
      </div>
      <List
        of={campaigns}
        label={t('Campaigns')}
        empty={
          <Empty
            title={isFiltered ? t('No campaign fits') : t('No campaigns yet')}
            action={isFiltered ? undefined : create}
          >
            {isFiltered
              ? t('Choose another status or agent.')
              : t('With an agent, a business and a phone number you can answer calls and place them.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Name'),
            cell: ({ id, name, agentId, businessId }) => (
              <div>
                <a href={link(`/campaigns/${id}`)}>{name}</a>
                <div class="small soft">
                  {[
                    agents.answer?.find((agent) => agent.id === agentId)?.name,
                    businesses.answer?.find((business) => business.id === businessId)?.name,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </div>
              </div>
            ),
          },
          {
            title: t('Status'),
            cell: ({ status: own, scheduledAt }) => (
              <div>
                <Badge tone={CAMPAIGN_TONES[own]}>{t(CAMPAIGN_WORDS[own])}</Badge>
                {own === 'SCHEDULED' && (
                  <div class="small soft">
                    <Time at={scheduledAt} />
                  </div>
                )}
              </div>
            ),
          },
          { title: t('Progress'), cell: (campaign) => <CampaignProgress campaign={campaign} /> },
          { title: t('Calls'), isNumber: true, cell: ({ _count }) => formatNumber(_count.calls) },
          { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
