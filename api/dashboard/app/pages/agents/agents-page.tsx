// The page that lists the account's agents.
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { VoicePreview } from './voice-preview.tsx';

export default function AgentsPage() {
  const agents = useApi('listAgents', { query: { page: currentPage(), limit: 20 } });
  const voices = useApi('listVoices', {});
  const nameOf = (voiceId: string) => voices.answer?.data.find(({ id }) => id === voiceId)?.name ?? voiceId;
  const create = (
    <ButtonLink look="primary" href={link('/agents/new')}>
      {t('New agent')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Agents')}
      lead={t('Who speaks: a name, a voice, and how it behaves in conversation.')}
      actions={create}
    >
      <List
        of={agents}
        label={t('Agents')}
        empty={
          <Empty title={t('No agents yet')} action={create}>
            {t('An agent gives a campaign its voice. What it knows comes from a business.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Name'),
            cell: ({ id, name, isActive }) => (
              <span class="row">
                <a href={link(`/agents/${id}`)}>{name}</a>
                {!isActive && <Badge>{t('Inactive')}</Badge>}
              </span>
            ),
          },
          {
            title: t('Voice'),
            cell: ({ voiceId }) => (
              <span class="row">
                {nameOf(voiceId)} <VoicePreview voiceId={voiceId} isSmall />
              </span>
            ),
          },
          { title: t('Language'), cell: ({ language }) => language },
          { title: t('Calls'), isNumber: true, cell: ({ _count }) => formatNumber(_count?.calls ?? 0) },
          { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
