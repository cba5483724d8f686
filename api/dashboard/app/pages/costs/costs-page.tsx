// The page of what the account's calls cost the installation, for accounts that are shown it.
import { call } from '../../client.ts';
import { link } from '../../router.ts';
import { download } from '../../ui/download.ts';
import { Page } from '../../ui/layout.tsx';
import { attempt } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { type CostGroup, CostSumsView, costWish } from './cost-sums.tsx';

const GROUPS: readonly Exclude<CostGroup, 'account'>[] = ['agent', 'campaign', 'business'];

export default function CostsPage() {
  const { from, by } = costWish(GROUPS);
  const query = { from, by: by as (typeof GROUPS)[number] };
  const days = useApi('getCostSums', { query: { from, by: 'day' } });
  const sums = useApi('getCostSums', { query });
  const exported = () => attempt(async () => download(await call('exportCosts', { query }), 'costs.csv'));
  return (
    <Page
      title={t('Costs')}
      lead={t('Paid by the installation for your calls: models, and minutes of trunks.')}
      back={{ href: link('/billing'), text: t('Billing') }}
    >
      <CostSumsView
        groups={GROUPS}
        days={days}
        sums={sums}
        onExport={() => void exported()}
        hint={t('Calls have a cost once an administrator has written down what models and trunks cost.')}
      />
    </Page>
  );
}
