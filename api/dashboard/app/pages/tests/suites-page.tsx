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
import { t } from '../../words/words.ts';

export default function SuitesPage() {
  const suites = useApi('listTestSuites', { query: { page: currentPage(), limit: 20 } });
  const agents = useAgentNames();
  const create = (
    <ButtonLink look="primary" href={link('/tests/new')}>
      {t('New suite')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('Tests')}
      lead={t('Conversations that your agents are tried with before callers try them.')}
      actions={create}
    >
      <List
        of={suites}
        label={t('Test suites')}
        empty={
          <Empty title={t('No test suites yet')} action={create}>
            {t(
              'A suite says what callers say and what the agent must answer. It runs in seconds, whenever you change something, and calls nobody.',
            )}
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: t('Name'), cell: ({ id, name }) => <a href={link(`/tests/${id}`)}>{name}</a> },
          { title: t('Agent'), cell: ({ agentId }) => agents.get(agentId) ?? '' },
          { title: t('Cases'), cell: ({ cases }) => formatNumber(cases) },
          { title: t('Runs'), cell: ({ runOnSave }) => (runOnSave ? t('On every save') : t('On request')) },
          {
            title: t('Last run'),
            cell: ({ lastRun }) =>
              lastRun === null ? (
                <span class="soft">{t('Never')}</span>
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
