// The page that lists the account's test suites.
import { useAgentNames } from '../../calls/use-names.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { TestStatus } from '../../tests/test-status.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, Page } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';

export default function SuitesPage() {
  const suites = useApi('listTestSuites', { query: { page: currentPage(), limit: 20 } });
  const agents = useAgentNames();
  const create = (
    <ButtonLink look="primary" href={link('/tests/new')}>
      New suite
    </ButtonLink>
  );
  return (
    <Page title="Tests" lead="Conversations that your agents are tried with before callers try them." actions={create}>
      <List
        of={suites}
        label="Test suites"
        empty={
          <Empty title="No test suites yet" action={create}>
            A suite says what callers say and what the agent must answer. It runs in seconds, whenever you change
            something, and calls nobody.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ id, name }) => <a href={link(`/tests/${id}`)}>{name}</a> },
          { title: 'Agent', cell: ({ agentId }) => agents.get(agentId) ?? '' },
          { title: 'Cases', cell: ({ cases }) => formatNumber(cases) },
          { title: 'Runs', cell: ({ runOnSave }) => (runOnSave ? 'On every save' : 'On request') },
          {
            title: 'Last run',
            cell: ({ lastRun }) =>
              lastRun === null ? (
                <span class="soft">Never</span>
              ) : (
                <a class="row" href={link(`/tests/runs/${lastRun.id}`)}>
                  <TestStatus status={lastRun.status} /> <Time at={lastRun.createdAt} ago />
                </a>
              ),
          },
        ]}
      />
    </Page>
  );
}
