// The page that lists the account's businesses.
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { hoursText } from './hours.ts';

export default function BusinessesPage() {
  const businesses = useApi('listBusinesses', { query: { page: currentPage(), limit: 20 } });
  const create = (
    <ButtonLink look="primary" href={link('/businesses/new')}>
      {t('New business')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Businesses')}
      lead={t('What an agent knows: opening hours, services, answers, and how it behaves on a call.')}
      actions={create}
    >
      <List
        of={businesses}
        label={t('Businesses')}
        empty={
          <Empty title={t('No businesses yet')} action={create}>
            {t('Describe a business once, and every agent that speaks for it knows its hours, services and prices.')}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('Name'),
            cell: ({ id, name, industry }) => (
              <div>
                <a href={link(`/businesses/${id}`)}>{name}</a>
                {industry !== null && <div class="small soft">{industry}</div>}
              </div>
            ),
          },
          {
            title: t('Opening hours'),
            cell: ({ hours, timezone }) => (
              <div>
                {hours.length === 0 ? <span class="soft">{t('Not known')}</span> : hoursText(hours)}
                <div class="small soft">{timezone}</div>
              </div>
            ),
          },
          {
            title: t('Services'),
            isNumber: true,
            cell: ({ services }) => formatNumber(services.length),
          },
          { title: t('Answers'), isNumber: true, cell: ({ faqs }) => formatNumber(faqs.length) },
          { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
