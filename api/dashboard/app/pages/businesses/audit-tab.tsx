// The audit log of a business.
import { formatWord } from '../../format.ts';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { Change } from '../../versions/change.tsx';

export function AuditTab({ id }: { id: string }) {
  const entries = useApi('listBusinessAuditLog', { params: { id }, query: { page: currentPage(), limit: 20 } });
  const users = useAll('listUsers');
  const nameOf = (actor: string) => users.answer?.find((user) => user.id === actor)?.email ?? actor;
  return (
    <List
      of={entries}
      label="Changes"
      empty={
        <Empty title="No changes yet">Every change of this business is noted here: who, when, from what to what.</Empty>
      }
      keyOf={(entry) => entry.id}
      columns={[
        { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Who', cell: ({ actor }) => nameOf(actor) },
        { title: 'What', cell: ({ action }) => formatWord(action) },
        {
          title: 'Changes',
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
