// The page of the audit log of the reader's account.
import { Page } from '../../ui/layout.tsx';
import { useAll } from '../../use-all.ts';
import { t } from '../../words/words.ts';
import { Entries } from './entries.tsx';

export default function AuditLogPage() {
  const users = useAll('listUsers').answer ?? [];
  return (
    <Page
      title={t('Audit log')}
      lead={t('Who did what in this account. Names of fields are noted, their values never.')}
    >
      <Entries
        operation="listAuditLog"
        users={new Map(users.map(({ id, email }) => [id, email]))}
        accounts={null}
        canOpen={() => true}
      />
    </Page>
  );
}
