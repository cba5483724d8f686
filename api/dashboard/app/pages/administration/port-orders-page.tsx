// Port-in orders of all accounts: an admin works with the carriers elsewhere and records the progress here.
import { useState } from 'preact/hooks';
import type { AdminPortOrder } from '../../api-types.ts';
import { formatDay } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { PortBadge } from '../phone-numbers/port-badge.tsx';
import { PortOrderDialog } from './port-order-dialog.tsx';

export default function PortOrdersPage() {
  const orders = useApi('listAllPortOrders', { query: { page: currentPage(), limit: 20 } });
  const accounts = useAll('listAccounts');
  const [opened, setOpened] = useState<AdminPortOrder | null>(null);
  const accountOf = (id: string) => accounts.answer?.find((account) => account.id === id)?.name ?? id;
  return (
    <Page
      title={t('Port orders')}
      lead={t(
        'Numbers that accounts bring in from other carriers. The work is done at the carriers; record its progress here.',
      )}
    >
      <List
        of={orders}
        label={t('Port orders')}
        empty={<Empty title={t('No port orders')}>{t('An account starts one under Phone numbers.')}</Empty>}
        keyOf={({ id }) => id}
        columns={[
          { title: t('Number'), cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
          { title: t('Account'), cell: ({ accountId }) => accountOf(accountId) },
          { title: t('Holder'), cell: ({ accountHolder }) => accountHolder },
          { title: t('State'), cell: ({ status }) => <PortBadge status={status} /> },
          { title: t('Move date'), cell: ({ focDate }) => (focDate === null ? '–' : formatDay(focDate)) },
          { title: t('Started'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: '',
            cell: (order) => (
              <Button isSmall onClick={() => setOpened(order)} label={t('Show {name}', { name: order.phoneNumber })}>
                {t('Show')}
              </Button>
            ),
          },
        ]}
      />
      {opened !== null && (
        <PortOrderDialog
          order={opened}
          onMoved={(order) => {
            setOpened(order);
            orders.reload();
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </Page>
  );
}
