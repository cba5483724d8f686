// The list of the account's phone numbers, of all campaigns or of one.
import { formatCountry } from '../../format.ts';
import { link, route, setQuery } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CampaignField } from '../../ui/fields/record-field.tsx';
import { Badge, Empty } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentPage, Pages, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { numberWords } from './number-words.ts';

export function NumberList() {
  const campaignId = route.value.query.get('campaignId');
  const numbers = useApi('listPhoneNumbers', {
    query: { page: currentPage(), limit: 20, ...(campaignId === null ? {} : { campaignId }) },
  });
  const campaigns = useAll('listCampaigns');
  const nameOf = (id: string) => campaigns.answer?.find((campaign) => campaign.id === id)?.name ?? id;
  return (
    <Answer of={numbers}>
      {({ data, pagination }) =>
        pagination.total === 0 && campaignId === null ? (
          <NoNumbers />
        ) : (
          <>
            <div class="filters">
              <CampaignField
                label={t('Campaign')}
                none={t('All')}
                value={campaignId}
                onChange={(id) => setQuery({ campaignId: id, page: undefined })}
              />
            </div>
            {pagination.total === 0 ? (
              <Empty
                title={t('This campaign has no number')}
                action={<Button onClick={() => setQuery({ campaignId: undefined })}>{t('Show all numbers')}</Button>}
              >
                {t('Open one of your numbers to route it here, or buy another.')}
              </Empty>
            ) : (
              <>
                <Table
                  label={t('Phone numbers')}
                  rows={data}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      title: t('Number'),
                      cell: ({ id, phoneNumber, isActive }) => (
                        <span class="row">
                          <a class="number nowrap" href={link(`/phone-numbers/${id}`)}>
                            {phoneNumber}
                          </a>
                          {!isActive && <Badge tone="warn">{t('Inactive')}</Badge>}
                        </span>
                      ),
                    },
                    {
                      title: t('Campaign'),
                      cell: ({ campaignId: id }) =>
                        id === null ? (
                          <span class="soft">{t('Unassigned')}</span>
                        ) : (
                          <a href={link(`/campaigns/${id}`)}>{nameOf(id)}</a>
                        ),
                    },
                    { title: t('Country'), cell: ({ country }) => (country === null ? '–' : formatCountry(country)) },
                    { title: t('Type'), cell: ({ type }) => numberWords(type) },
                    { title: t('Since'), cell: ({ createdAt }) => <Time at={createdAt} /> },
                  ]}
                />
                <Pages of={pagination} />
              </>
            )}
          </>
        )
      }
    </Answer>
  );
}

function NoNumbers() {
  return (
    <Empty
      title={t('No numbers yet')}
      action={
        <ButtonLink look="primary" href={link('/phone-numbers/buy')}>
          {t('Buy a number')}
        </ButtonLink>
      }
    >
      {t(
        'With a number of your own, people can call your agent, and campaigns can call people. Until then, talk to an agent in the browser.',
      )}
    </Empty>
  );
}
