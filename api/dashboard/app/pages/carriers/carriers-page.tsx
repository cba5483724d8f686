// The page that lists the connected accounts at carriers.
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CARRIERS } from './carrier-words.ts';

export default function CarriersPage() {
  const carriers = useApi('listCarriers', { query: { page: currentPage(), limit: 20 } });
  const connect = (
    <ButtonLink look="primary" href={link('/admin/carriers/new')}>
      {t('Connect a carrier')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Carriers')}
      lead={t('Twilio, Telnyx or Plivo by their key: the trunk is made for you, and numbers are bought here.')}
      actions={connect}
    >
      <List
        of={carriers}
        label={t('Carriers')}
        empty={
          <Empty title={t('No carrier is connected')} action={connect}>
            {t(
              'You need an account at one of them, and its key. Trunks and numbers of other providers are added under Trunks and Inventory.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ id, name }) => <a href={link(`/admin/carriers/${id}`)}>{name}</a> },
          { title: t('Carrier'), cell: ({ kind }) => CARRIERS[kind].name },
          {
            title: t('Key'),
            cell: ({ testedAt, findings }) =>
              testedAt === null ? (
                <Badge>{t('Not tested')}</Badge>
              ) : findings.every(({ ok }) => ok) ? (
                <Badge tone="good">{t('Works')}</Badge>
              ) : (
                <Badge tone="bad">{t('Something is missing')}</Badge>
              ),
          },
          {
            title: t('Trunk'),
            cell: ({ trunkId }) =>
              trunkId === null ? <span class="soft">{t('None yet')}</span> : <Badge tone="good">{t('Made')}</Badge>,
          },
          {
            title: t('Numbers for'),
            cell: ({ offeredTo }) => (offeredTo === 'accounts' ? t('All accounts') : 'ADMINs'),
          },
        ]}
      />
    </Page>
  );
}
