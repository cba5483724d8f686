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
import { type CostGroup, CostSumsView, costWish } from './cost-sums.tsx';
import { PricesTab } from './prices-tab.tsx';

const TABS: Array<['costs' | 'prices', string]> = [
  ['costs', 'Costs'],
  ['prices', 'Prices'],
];
const GROUPS: readonly CostGroup[] = ['account', 'agent', 'campaign', 'business'];

export default function InstallationCostsPage() {
  const tab = currentTab(TABS);
  return (
    <Page title="Costs" lead="Paid by you for the calls of all accounts: models, and minutes of trunks.">
      <Tabs tabs={TABS} current={tab} />
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
          <>
            Write down <a href={link('/admin/costs', { tab: 'prices' })}>what models and trunks cost</a>: calls that
            begin from then on have a cost.
          </>
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
    }, 'Saved');
  return (
    <Card title="Who sees it">
      <Answer of={settings}>
        {({ data }) => (
          <SentCheckbox
            label="Every account sees the cost of its own calls"
            hint="In calls that are priced from then on. Without it, only the accounts of administrators do."
            value={saved ?? data.showCosts}
            onSend={show}
          />
        )}
      </Answer>
    </Card>
  );
}
