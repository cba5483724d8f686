// The numbers of the trunks that accounts may buy.
import { useState } from 'preact/hooks';
import type { InventoryNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatMoney, formatWord } from '../../format.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Empty, Page, type Tone } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { AddNumbers, EditNumber } from './inventory-dialogs.tsx';

const TONES: Record<InventoryNumber['status'], Tone> = {
  free: 'good',
  reserved: 'warn',
  owned: 'live',
  retired: 'neutral',
};

export default function InventoryPage() {
  const numbers = useApi('listInventory', { query: { page: currentPage(), limit: 50 } });
  const trunks = useAll('listTrunks');
  const accounts = useAll('listAccounts');
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<InventoryNumber | null>(null);
  const trunkOf = (id: string) => trunks.answer?.find((trunk) => trunk.id === id)?.name ?? id;
  const accountOf = (id: string) => accounts.answer?.find((account) => account.id === id)?.name ?? id;
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      Add numbers
    </Button>
  );
  const remove = ({ phoneNumber }: InventoryNumber) =>
    confirm({
      title: `Remove ${phoneNumber}?`,
      text: 'It is no longer on offer. It can be added again.',
      action: 'Remove',
      perform: async () => {
        await call('removeInventory', { params: { phoneNumber } });
        say(`${phoneNumber} is removed`);
        numbers.reload();
      },
    });
  return (
    <Page title="Inventory" lead="Numbers on your trunks that accounts can buy." actions={add}>
      <List
        of={numbers}
        label="Inventory"
        empty={
          <Empty title="No numbers in stock" action={add}>
            Add the numbers that your provider has given you, with the trunk that they belong to.
          </Empty>
        }
        keyOf={({ phoneNumber }) => phoneNumber}
        columns={[
          { title: 'Number', cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
          {
            title: 'State',
            cell: ({ status, accountId }) => (
              <span class="row">
                <Badge tone={TONES[status]}>{formatWord(status)}</Badge>
                {accountId !== null && <span class="small">{accountOf(accountId)}</span>}
              </span>
            ),
          },
          {
            title: 'Country and type',
            cell: ({ country, areaCode, type }) =>
              [country, areaCode, formatWord(type)].filter((part) => part !== null).join(' · '),
          },
          {
            title: 'Trunk',
            cell: ({ trunkId }) =>
              trunkId === null ? (
                <span class="soft">The oldest</span>
              ) : (
                <a href={link(`/admin/trunks/${trunkId}`)}>{trunkOf(trunkId)}</a>
              ),
          },
          { title: 'A month', isNumber: true, cell: ({ monthlyCost }) => formatMoney(monthlyCost, 'USD') },
          {
            title: '',
            cell: (number) => (
              <span class="row end">
                <Button isSmall onClick={() => setEdited(number)} label={`Edit ${number.phoneNumber}`}>
                  Edit
                </Button>
                {number.status !== 'owned' && (
                  <Button isSmall look="danger" onClick={() => remove(number)} label={`Remove ${number.phoneNumber}`}>
                    Remove
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      {isAdding && <AddNumbers onAdded={numbers.reload} onClose={() => setAdding(false)} />}
      {edited !== null && (
        <EditNumber key={edited.phoneNumber} number={edited} onSaved={numbers.reload} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}
