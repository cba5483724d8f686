// The page of settings, with tabs for the account, its team and the user's security.
import { Page } from '../../ui/layout.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { t, words } from '../../words/words.ts';
import { AccountTab } from './account-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { TeamTab } from './team-tab.tsx';

const TABS: Array<['account' | 'team' | 'security', string]> = [
  ['account', words('Account')],
  ['team', words('Team')],
  ['security', words('Security')],
];

export default function SettingsPage() {
  const tab = currentTab(TABS);
  return (
    <Page title={t('Settings')}>
      <Tabs tabs={TABS.map(([name, text]) => [name, t(text)])} current={tab} />
      {tab === 'account' && <AccountTab />}
      {tab === 'team' && <TeamTab />}
      {tab === 'security' && <SecurityTab />}
    </Page>
  );
}
