// One run of a suite: how far it is, and what came of each case; what has changed since the run before stands first.
import { useEffect, useState } from 'preact/hooks';
import type { TestResult, TestRun } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatNumber } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { leave, link } from '../../router.ts';
import { isOpen, TestStatus } from '../../tests/test-status.tsx';
import { Button } from '../../ui/button.tsx';
import { Figures, Notice, Page, Progress } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { attempt } from '../../ui/toast.tsx';
import { type Loaded, useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { ResultCard } from './result-card.tsx';

const RENEWED_EVERY_MS = 1_000;
const PAGE = 100;

export default function RunPage({ params: { id = '' } }: PageProps) {
  const [isFollowed, setFollowed] = useState(true);
  const every = isFollowed ? { everyMs: RENEWED_EVERY_MS } : {};
  const run = useApi('getTestRun', { params: { id } }, every);
  const results = useResults(id, every);
  const found = run.answer?.data ?? null;
  const open = found === null || isOpen(found);
  const { reload } = results.first;
  useEffect(() => {
    setFollowed(open);
    // The last case ended between the two answers.
    if (!open) reload();
  }, [open, reload]);
  const suite = useApi('getTestSuite', found === null ? null : { params: { id: found.suiteId } });
  const name = suite.answer?.data.name ?? t('Test run');
  const before = useRunBefore(found);
  const earlier = useResults(before?.id ?? null, {});
  const back = { href: link(found === null ? '/tests' : `/tests/${found.suiteId}`), text: name };
  return (
    <Page
      title={t('Run of {name}', { name })}
      lead={found !== null && <Lead run={found} />}
      back={back}
      actions={found !== null && <Actions run={found} onChanged={run.reload} />}
    >
      <Answer of={run}>{({ data }) => <Summary run={data} />}</Answer>
      <Answer of={results.first}>
        {() => (
          <div class="stack">
            {sorted(results.all).map((result) => (
              <ResultCard
                key={result.id}
                result={result}
                before={earlier.all.find(({ caseId }) => caseId === result.caseId) ?? null}
              />
            ))}
          </div>
        )}
      </Answer>
    </Page>
  );
}

/** A suite has at most two pages of cases. */
function useResults(
  id: string | null,
  every: { everyMs?: number },
): { first: Loaded<unknown>; all: readonly TestResult[] } {
  const page = (number: number) => (id === null ? null : { params: { id }, query: { page: number, limit: PAGE } });
  const first = useApi('listTestResults', page(1), every);
  const second = useApi('listTestResults', first.answer?.pagination.hasNext ? page(2) : null, every);
  return { first, all: [...(first.answer?.data ?? []), ...(second.answer?.data ?? [])] };
}

/** The one whose results `statusBefore` tells. */
function useRunBefore(run: TestRun | null): TestRun | null {
  const query = run === null ? null : { query: { suiteId: run.suiteId, page: 1, limit: PAGE } };
  const runs = useApi('listTestRuns', query).answer?.data ?? [];
  const at = runs.findIndex(({ id }) => id === run?.id);
  return runs.slice(at + 1).find((each) => at >= 0 && !isOpen(each) && each.status !== 'CANCELLED') ?? null;
}

const hasChanged = ({ status, statusBefore }: TestResult): boolean => statusBefore !== null && status !== statusBefore;

/** First those that came out otherwise than before, then those that have not passed; each in the order of the cases. */
function sorted(results: readonly TestResult[]): TestResult[] {
  const rank = (result: TestResult): number => {
    if (result.status === 'QUEUED' || result.status === 'RUNNING') return 2;
    return hasChanged(result) ? 0 : result.status === 'PASSED' ? 3 : 1;
  };
  return [...results].sort((a, b) => rank(a) - rank(b));
}

const Lead = ({ run: { status, createdAt, agentVersion, businessVersion } }: { run: TestRun }) => (
  <span class="row">
    <TestStatus status={status} />
    <span class="soft">
      {t('Version {agent} of the agent, {business} of the business', {
        agent: agentVersion ?? '–',
        business: businessVersion ?? '–',
      })}
      , <Time at={createdAt} ago />
    </span>
  </span>
);

function Summary({ run }: { run: TestRun }) {
  const { counts, cause } = run;
  const done = counts.passed + counts.failed + counts.errors;
  return (
    <>
      <Figures
        figures={[
          [
            t('Passed'),
            t('{done} of {total}', { done: formatNumber(counts.passed), total: formatNumber(counts.total) }),
          ],
          [t('Failed'), formatNumber(counts.failed)],
          [t('Could not be run'), formatNumber(counts.errors)],
        ]}
      />
      {isOpen(run) && <Progress label={t('Cases done')} value={done} max={counts.total} />}
      {cause === 'save' && (
        <Notice>{t('It ran because the agent, the business or one of their tools was saved.')}</Notice>
      )}
    </>
  );
}

function Actions({ run, onChanged }: { run: TestRun; onChanged: () => void }) {
  const { id, suiteId } = run;
  if (isOpen(run)) {
    const cancel = () =>
      attempt(async () => {
        await call('cancelTestRun', { params: { id } });
        onChanged();
      });
    return <Button onClick={cancel}>{t('Cancel the run')}</Button>;
  }
  const again = () =>
    attempt(async () => {
      const { data } = await call('startTestRun', { params: { id: suiteId }, body: {} });
      leave(link(`/tests/runs/${data.id}`));
    });
  return (
    <Button look="primary" onClick={again}>
      {t('Run again')}
    </Button>
  );
}
