// The page of calls that run now.
import { CallStatus } from '../../calls/call-status.tsx';
import { EndCallButton } from '../../calls/end-call.tsx';
import { useCampaignNames } from '../../calls/use-names.ts';
import { otherParty } from '../../calls/words.ts';
import { ListenButton } from '../../live/listen-button.tsx';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

const REFRESH_MS = 3_000;

export default function LivePage() {
  const live = useApi('listLiveCalls', { query: { page: currentPage(), limit: 50 } }, { everyMs: REFRESH_MS });
  const campaigns = useCampaignNames();
  return (
    <Page
      title={t('Live')}
      lead={t('Calls that run now. Open one to read along, or listen in, say a word, take it over.')}
    >
      <List
        of={live}
        label={t('Running calls')}
        empty={
          <Empty
            title={t('Nobody is on the line')}
            action={
              <ButtonLink look="primary" href={link('/talk')}>
                {t('Talk to an agent')}
              </ButtonLink>
            }
          >
            {t('Calls appear here by themselves as soon as they ring.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('With'),
            cell: (call) => <a href={link(`/calls/${call.id}`)}>{otherParty(call)}</a>,
          },
          { title: t('Direction'), cell: ({ direction }) => (direction === 'inbound' ? t('Inbound') : t('Outbound')) },
          {
            title: t('Campaign'),
            cell: ({ campaignId }) => campaigns.get(campaignId) ?? <code>{campaignId}</code>,
          },
          { title: t('State'), cell: (call) => <CallStatus call={call} /> },
          {
            title: t('Since it began'),
            isNumber: true,
            cell: ({ startedAt }) => <Elapsed sinceMs={Date.parse(startedAt)} />,
          },
          {
            title: '',
            cell: (call) => (
              <span class="row">
                <ListenButton call={call} isSmall />
                <EndCallButton call={call} onEnded={live.reload} isSmall />
              </span>
            ),
          },
        ]}
      />
    </Page>
  );
}
