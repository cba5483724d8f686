// The list of the account's port-in orders.
import { formatDay } from '../../format.ts';
import { link } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { PortBadge } from './port-badge.tsx';

export function PortOrderList() {
  const orders = useApi('listPortOrders', { query: { page: currentPage(), limit: 20 } });
  return (
    <List
      of={orders}
      label="Port-in orders"
      empty={
        <Empty
          title="No port-in orders"
          action={
            <ButtonLink look="primary" href={link('/phone-numbers/port-in/new')}>
              Port a number in
            </ButtonLink>
          }
        >
          Keep a number that you have with another carrier: you need a signed letter of authorisation and a bill.
        </Empty>
      }
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Number',
          cell: ({ id, phoneNumber }) => (
            <a class="number nowrap" href={link(`/phone-numbers/port-in/${id}`)}>
              {phoneNumber}
            </a>
          ),
        },
        { title: 'State', cell: ({ status }) => <PortBadge status={status} /> },
        { title: 'Move date', cell: ({ focDate }) => (focDate === null ? '–' : formatDay(focDate)) },
        { title: 'Holder', cell: ({ accountHolder }) => accountHolder },
        { title: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
