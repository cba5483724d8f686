// The numbers of the trunks that accounts may buy.
import { useState } from 'preact/hooks';
import type { InventoryNumber } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatMoney } from '../../format.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Badge, Empty, Page, type Tone } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { AddNumbers, EditNumber } from './inventory-dialogs.tsx';

const TONES: Record<InventoryNumber['status'], Tone> = {
  free: 'good',
  reserved: 'warn',
  owned: 'live',
  retired: 'neutral',
};

const STATUS_WORDS: Record<InventoryNumber['status'], string> = {
  free: words('On offer'),
  reserved: words('Reserved'),
  owned: words('Taken'),
  retired: words('Retired'),
};
const NUMBER_TYPES: Record<InventoryNumber['type'], string> = {
  local: words('Local'),
  mobile: words('Mobile'),
  toll_free: words('Toll free'),
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
      {t('Add numbers')}
    </Button>
  );
  const remove = ({ phoneNumber }: InventoryNumber) =>
    confirm({
      title: t('Remove {name}?', { name: phoneNumber }),
      text: t('It is no longer on offer. It can be added again.'),
      action: t('Remove'),
      perform: async () => {
        await call('removeInventory', { params: { phoneNumber } });
        say(t('Removed {name}', { name: phoneNumber }));
        numbers.reload();
      },
    });
  return (
    <Page title={t('Inventory')} lead={t('Numbers on your trunks that accounts can buy.')} actions={add}>
      <List
        of={numbers}
        label={t('Inventory')}
        empty={
          <Empty title={t('No numbers in stock')} action={add}>
            {t('Add the numbers that your provider has given you, with the trunk that they belong to.')}
          </Empty>
        }
        keyOf={({ phoneNumber }) => phoneNumber}
        columns={[
          { title: t('Number'), cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
          {
            title: t('State'),
            cell: ({ status, accountId }) => (
              <span class="row">
                <Badge tone={TONES[status]}>{t(STATUS_WORDS[status])}</Badge>
                {accountId !== null && <span class="small">{accountOf(accountId)}</span>}
              </span>
            ),
          },
          {
            title: t('Country and type'),
            cell: ({ country, areaCode, type }) =>
              [country, areaCode, t(NUMBER_TYPES[type])].filter((part) => part !== null).join(' · '),
          },
          {
            title: t('Trunk'),
            cell: ({ trunkId }) =>
              trunkId === null ? (
                <span class="soft">{t('The oldest')}</span>
              ) : (
                <a href={link(`/admin/trunks/${trunkId}`)}>{trunkOf(trunkId)}</a>
              ),
          },
          { title: t('A month'), isNumber: true, cell: ({ monthlyCost }) => formatMoney(monthlyCost, 'USD') },
          {
            title: '',
            cell: (number) => (
              <span class="row end">
                <Button
                  isSmall
                  onClick={() => setEdited(number)}
                  label={t('Edit {name}', { name: number.phoneNumber })}
                >
                  {t('Edit')}
                </Button>
                {number.status !== 'owned' && (
                  <Button
                    isSmall
                    look="danger"
                    onClick={() => remove(number)}
                    label={t('Remove {name}', { name: number.phoneNumber })}
                  >
                    {t('Remove')}
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
