// The page of settings, with tabs for the account, its team and the user's security.
import { Page } from '../../ui/layout.tsx';
import { currentTab, Tabs } from '../../ui/table.tsx';
import { AccountTab } from './account-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { TeamTab } from './team-tab.tsx';

const TABS: Array<['account' | 'team' | 'security', string]> = [
  ['account', 'Account'],
  ['team', 'Team'],
  ['security', 'Security'],
];

export default function SettingsPage() {
  const tab = currentTab(TABS);
  return (
    <Page title="Settings">
      <Tabs tabs={TABS} current={tab} />
      {tab === 'account' && <AccountTab />}
      {tab === 'team' && <TeamTab />}
      {tab === 'security' && <SecurityTab />}
    </Page>
  );
}
