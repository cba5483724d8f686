// The list of the account's port-in orders.
import { formatDay } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { PortBadge } from './port-badge.tsx';

export function PortOrderList() {
  const orders = useApi('listPortOrders', { query: { page: currentPage(), limit: 20 } });
  return (
    <List
      of={orders}
      label={t('Port-in orders')}
      empty={
        <Empty
          title={t('No port-in orders')}
          action={
            <ButtonLink look="primary" href={link('/phone-numbers/port-in/new')}>
              {t('Port a number in')}
            </ButtonLink>
          }
        >
          {t('Keep a number that you have with another carrier: you need a signed letter of authorisation and a bill.')}
        </Empty>
      }
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('Number'),
          cell: ({ id, phoneNumber }) => (
            <a class="number nowrap" href={link(`/phone-numbers/port-in/${id}`)}>
              {phoneNumber}
            </a>
          ),
        },
        { title: t('State'), cell: ({ status }) => <PortBadge status={status} /> },
        { title: t('Move date'), cell: ({ focDate }) => (focDate === null ? '–' : formatDay(focDate)) },
        { title: t('Holder'), cell: ({ accountHolder }) => accountHolder },
        { title: t('Started'), cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
