// The page of what all calls cost the installation, and of the prices that they are reckoned by.
import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import { link } from '../../router.ts';
import { download } from '../../ui/download.ts';
import { SentCheckbox } from '../../ui/fields/sent-checkbox.tsx';
import { Card, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t, words } from '../../words/words.ts';
import { type CostGroup, CostSumsView, costWish } from './cost-sums.tsx';
import { PricesTab } from './prices-tab.tsx';

const TABS: Array<['costs' | 'prices', string]> = [
  ['costs', words('Costs')],
  ['prices', words('Prices')],
];
const GROUPS: readonly CostGroup[] = ['account', 'agent', 'campaign', 'business'];

export default function InstallationCostsPage() {
  const tab = currentTab(TABS);
  return (
    <Page title={t('Costs')} lead={t('Paid by you for the calls of all accounts: models, and minutes of trunks.')}>
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'costs' ? <CostsTab /> : <PricesTab />}
    </Page>
  );
}

function CostsTab() {
  const { from, by } = costWish(GROUPS);
  const days = useApi('getAllCostSums', { query: { from, by: 'day' } });
  const sums = useApi('getAllCostSums', { query: { from, by } });
  const exported = () =>
    attempt(async () => download(await call('exportAllCosts', { query: { from, by } }), 'costs.csv'));
  return (
    <>
      <CostSumsView
        groups={GROUPS}
        days={days}
        sums={sums}
        onExport={() => void exported()}
        hint={
          <Linked
            text={t('Write down [what models and trunks cost]: calls that begin from then on have a cost.')}
            to={[link('/admin/costs', { tab: 'prices' })]}
          />
        }
      />
      <Shown />
    </>
  );
}

function Shown() {
  const settings = useApi('getSettings', {});
  const [saved, setSaved] = useState<boolean | null>(null);
  const show = (showCosts: boolean) =>
    attempt(async () => {
      const { data } = await call('updateSettings', { body: { showCosts } });
      setSaved(data.showCosts);
    }, t('Saved'));
  return (
    <Card title={t('Who sees it')}>
      <Answer of={settings}>
        {({ data }) => (
          <SentCheckbox
            label={t('Every account sees the cost of its own calls')}
            hint={t('In calls that are priced from then on. Without it, only the accounts of administrators do.')}
            value={saved ?? data.showCosts}
            onSend={show}
          />
        )}
      </Answer>
    </Card>
  );
}
