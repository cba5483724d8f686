// The runs of a suite, newest first, with the versions that they tried.
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { TestStatus } from '../../tests/test-status.tsx';
import { Empty } from '../../ui/layout.tsx';
import { List } from '../../ui/list.tsx';
import { currentPage } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';

export function RunsTab({ suiteId }: { suiteId: string }) {
  const runs = useApi('listTestRuns', { query: { suiteId, page: currentPage(), limit: 20 } }, { everyMs: 5_000 });
  return (
    <List
      of={runs}
      label={t('Runs')}
      empty={
        <Empty title={t('No runs yet')}>{t('Run the suite now, or change its agent if it runs on every save.')}</Empty>
      }
      keyOf={({ id }) => id}
      columns={[
        {
          title: t('Begun'),
          cell: ({ id, createdAt }) => (
            <a href={link(`/tests/runs/${id}`)}>
              <Time at={createdAt} />
            </a>
          ),
        },
        { title: t('Result'), cell: ({ status }) => <TestStatus status={status} /> },
        {
          title: t('Passed'),
          cell: ({ counts: { passed, total } }) =>
            t('{done} of {total}', { done: formatNumber(passed), total: formatNumber(total) }),
        },
        { title: t('Why'), cell: ({ cause }) => (cause === 'save' ? t('Something was saved') : t('Somebody asked')) },
        {
          title: t('Versions'),
          cell: ({ agentVersion, businessVersion }) =>
            t('Agent {agent}, business {business}', {
              agent: agentVersion ?? '–',
              business: businessVersion ?? '–',
            }),
        },
      ]}
    />
  );
}
