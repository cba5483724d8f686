// The audit log of a business.
import { formatWord } from '../../format.ts';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { Change } from '../../versions/change.tsx';
import { t, words } from '../../words/words.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  created: words('Created'),
  updated: words('Updated'),
  deleted: words('Deleted'),
  restored: words('Restored'),
  published: words('Published'),
};

export function AuditTab({ id }: { id: string }) {
  const entries = useApi('listBusinessAuditLog', { params: { id }, query: { page: currentPage(), limit: 20 } });
  const users = useAll('listUsers');
  const nameOf = (actor: string) => users.answer?.find((user) => user.id === actor)?.email ?? actor;
  return (
    <List
      of={entries}
      label={t('Changes')}
      empty={
        <Empty title={t('No changes yet')}>
          {t('Every change of this business is noted here: who, when, from what to what.')}
        </Empty>
      }
      keyOf={(entry) => entry.id}
      columns={[
        { title: t('When'), cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: t('Who'), cell: ({ actor }) => nameOf(actor) },
        { title: t('What'), cell: ({ action }) => t(ACTIONS[action] ?? formatWord(action)) },
        {
          title: t('Changes'),
          cell: ({ changes }) => (
            <div class="changes">
              {Object.entries(changes).map(([field, { from, to }]) => (
                <Change key={field} field={field} from={from} to={to} />
              ))}
            </div>
          ),
        },
      ]}
    />
  );
}
