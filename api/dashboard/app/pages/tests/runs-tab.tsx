// The runs of a suite, newest first, with the versions that they tried.
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { TestStatus } from '../../tests/test-status.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';

export function RunsTab({ suiteId }: { suiteId: string }) {
  const runs = useApi('listTestRuns', { query: { suiteId, page: currentPage(), limit: 20 } }, { everyMs: 5_000 });
  return (
    <List
      of={runs}
      label="Runs"
      empty={<Empty title="No runs yet">Run the suite now, or change its agent if it runs on every save.</Empty>}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Begun',
          cell: ({ id, createdAt }) => (
            <a href={link(`/tests/runs/${id}`)}>
              <Time at={createdAt} />
            </a>
          ),
        },
        { title: 'Result', cell: ({ status }) => <TestStatus status={status} /> },
        {
          title: 'Passed',
          cell: ({ counts: { passed, total } }) => `${formatNumber(passed)} of ${formatNumber(total)}`,
        },
        { title: 'Why', cell: ({ cause }) => (cause === 'save' ? 'Something was saved' : 'Somebody asked') },
        {
          title: 'Versions',
          cell: ({ agentVersion, businessVersion }) =>
            `Agent ${agentVersion ?? '–'}, business ${businessVersion ?? '–'}`,
        },
      ]}
    />
  );
}
