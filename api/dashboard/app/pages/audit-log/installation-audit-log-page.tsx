// The page of the audit log of the whole installation, for an ADMIN.
import { session } from '../../session.ts';
import { Page } from '../../ui/layout.tsx';
import { useAll } from '../../use-all.ts';
import { t } from '../../words/words.ts';
import { Entries } from './entries.tsx';

export default function InstallationAuditLogPage() {
  const users = useAll('listUsers').answer ?? [];
  const accounts = useAll('listAccounts').answer ?? [];
  const own = session.value?.user.accountId;
  return (
    <Page
      title={t('Audit log')}
      lead={t('Who did what in the installation. Names of fields are noted, their values never.')}
    >
      <Entries
        operation="listInstallationAuditLog"
        users={new Map(users.map(({ id, email }) => [id, email]))}
        accounts={new Map(accounts.map(({ id, name }) => [id, name]))}
        canOpen={({ accountId }) => accountId === own}
      />
    </Page>
  );
}
