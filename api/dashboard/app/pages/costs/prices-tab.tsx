// The prices of models and trunks: a list, and what adds to it.
import { useState } from 'preact/hooks';
import type { Price } from '../../api-types.ts';
import { call } from '../../client.ts';
import { route } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { download } from '../../ui/download.ts';
import { Filter } from '../../ui/filters.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { formatRate, KIND_NAMES } from './cost-words.ts';
import { AddPrice, ImportPrices } from './price-dialogs.tsx';

type Kind = Price['kind'];
const isKind = (text: string | null): text is Kind => text !== null && text in KIND_NAMES;

export function PricesTab() {
  const kind = route.value.query.get('kind');
  const prices = useApi('listPrices', {
    query: { page: currentPage(), limit: 50, ...(isKind(kind) ? { kind } : {}) },
  });
  const trunks = useAll('listTrunks');
  const [opened, setOpened] = useState<'add' | 'import' | null>(null);
  const trunkOf = (id: string) => trunks.answer?.find((trunk) => trunk.id === id)?.name ?? id;
  // All have the same; before the first, it is likely that of the business.
  const ofBusiness = useAll('listBusinesses').answer?.[0]?.currency;
  const currency = prices.answer?.data[0]?.currency ?? ofBusiness ?? 'USD';
  const exported = () => attempt(async () => download(await call('exportTrunkPrices', { query: {} }), 'prices.csv'));
  const add = (
    <Button look="primary" onClick={() => setOpened('add')}>
      {t('Add a price')}
    </Button>
  );
  const remove = (price: Price) =>
    confirm({
      title: t('Delete this price?'),
      text: t(
        'Calls that were priced by it keep what they cost. Later ones go by an older price like it, if there is one.',
      ),
      action: t('Delete the price'),
      perform: async () => {
        await call('deletePrice', { params: { id: price.id } });
        say(t('Price deleted'));
        prices.reload();
      },
    });
  return (
    <>
      <div class="row spread">
        <Filter
          name="kind"
          label={t('Of')}
          choices={Object.entries(KIND_NAMES).map(([name, text]) => [name, t(text)])}
        />
        <div class="row">
          <Button onClick={() => void exported()}>{t('Export')}</Button>
          <Button onClick={() => setOpened('import')}>{t('Import a table')}</Button>
          {add}
        </div>
      </div>
      <List
        of={prices}
        label={t('Prices')}
        empty={
          <Empty title={t('No price yet')} action={add}>
            {t(
              'Engines that run here cost nothing. A vendor’s models have prices by minute, character or token, and a trunk by minute and country.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Of'), cell: (price) => <Of price={price} trunkOf={trunkOf} /> },
          { title: t('Rates'), cell: ratesText },
          { title: t('For calls from'), cell: ({ validFrom }) => <Time at={validFrom} /> },
          {
            title: '',
            cell: (price) => (
              <span class="row end">
                <Button
                  isSmall
                  look="danger"
                  onClick={() => remove(price)}
                  label={t('Delete the price of {what}', {
                    what: price.model ?? price.prefix ?? t(KIND_NAMES[price.kind]),
                  })}
                >
                  {t('Delete')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {opened === 'add' && <AddPrice currency={currency} onAdded={prices.reload} onClose={() => setOpened(null)} />}
      {opened === 'import' && (
        <ImportPrices currency={currency} onAdded={prices.reload} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function Of({ price, trunkOf }: { price: Price; trunkOf: (id: string) => string }) {
  const { kind, engine, model, trunkId, direction, prefix } = price;
  const trunk = trunkId === null ? t('every trunk') : trunkOf(trunkId);
  const parts =
    kind === 'trunk'
      ? [trunk, direction === null ? null : t(DIRECTION_NAMES[direction]), prefix === '' ? t('any number') : prefix]
      : [engine ?? t('every engine'), model ?? t('every model')];
  return (
    <span class="stack tight">
      <span>{t(KIND_NAMES[kind])}</span>
      <span class="small soft">{parts.filter((part) => part !== null).join(' · ')}</span>
    </span>
  );
}

const DIRECTION_NAMES = { inbound: words('Inbound'), outbound: words('Outbound') } as const;

const RATE_WORDS = [
  ['perMinute', words('a minute')],
  ['perThousandCharacters', words('a thousand characters')],
  ['perMillionInput', words('a million tokens in')],
  ['perMillionCached', words('a million cached')],
  ['perMillionOutput', words('a million out')],
  ['connectionFee', words('a connection')],
] as const;

function ratesText(price: Price): string {
  const rates = RATE_WORDS.flatMap(([name, each]) => {
    const rate = price[name];
    return rate === null ? [] : `${formatRate(rate, price.currency)} ${t(each)}`;
  });
  const { increment } = price;
  return [
    ...rates,
    ...(increment === null || increment === '1/1' ? [] : [t('in steps of {increment} s', { increment })]),
  ].join(', ');
}
