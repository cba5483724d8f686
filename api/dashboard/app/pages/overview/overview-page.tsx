// The first page: figures of the last days, running calls, and the reasons of failed ones.
import type { Overview } from '../../api-types.ts';
import { CallTable, FailureTable } from '../../calls/call-table.tsx';
import { useCampaignNames } from '../../calls/use-names.ts';
import { reasonWords } from '../../calls/words.ts';
import { formatMinutes, formatNumber, formatPercent } from '../../format.ts';
import { link, route, setQuery } from '../../router.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Card, Figures, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { CallsPlot, GapsPlot } from './plots.tsx';

const REFRESH_MS = 10_000;
const RANGES = [
  { value: '1', text: 'Today (UTC)' },
  { value: '7', text: 'The last 7 days' },
  { value: '30', text: 'The last 30 days' },
  { value: '90', text: 'The last 90 days' },
] as const;

export default function OverviewPage() {
  const wanted = route.value.query.get('days');
  const range = RANGES.find(({ value }) => value === wanted) ?? RANGES[1];
  const overview = useApi('getOverview', { query: { days: Number(range.value) } }, { everyMs: REFRESH_MS });
  const account = useApi('getAccount', {}).answer?.data;
  return (
    <Page
      title="Overview"
      actions={
        <>
          <ButtonLink href={link('/talk')}>Talk to an agent</ButtonLink>
          <ButtonLink look="primary" href={link('/calls/new')}>
            Place a call
          </ButtonLink>
        </>
      }
    >
      {account && <FirstSteps account={account} />}
      {account && <Attention account={account} />}
      <Answer of={overview}>
        {({ data }) => (
          <>
            <div class="overview-range">
              <Select
                label="Days"
                value={range.value}
                choices={RANGES}
                onChange={(days) => setQuery({ days: days === '7' ? undefined : days })}
              />
            </div>
            <Glance overview={data} />
            {data.live > 0 && <LiveCalls />}
            {data.calls > 0 && (
              <div class="plots">
                <CallsPlot days={data.days} />
                <GapsPlot days={data.days} />
              </div>
            )}
            {data.failed > 0 && <Failures overview={data} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

function Glance({ overview }: { overview: Overview }) {
  const { live, maxCalls, calls, answerRate, minutes, responseGap, failed, lastHour } = overview;
  const failures = failuresAddress(overview);
  return (
    <Figures
      figures={[
        [
          // Of the whole installation, so it belongs to the name.
          maxCalls === null ? 'Live calls' : `Live calls, ${formatNumber(maxCalls)} at most`,
          live > 0 ? <a href={link('/live')}>{formatNumber(live)}</a> : formatNumber(live),
        ],
        ['Calls', formatNumber(calls)],
        ['Answered', answerRate === null ? '–' : formatPercent(answerRate)],
        ['Minutes', formatMinutes(minutes)],
        ['Response gap, p50 / p95', responseGap === null ? '–' : <Gap key="gap" gap={responseGap} />],
        ['Turns failed, last hour', lastHour.share === null ? '–' : <FailedTurns key="turns" of={lastHour} />],
        ['Failed', failed > 0 ? <a href={failures}>{formatNumber(failed)}</a> : '0'],
      ]}
    />
  );
}

/** Link to the failed calls of the shown days. */
const failuresAddress = ({ days }: Overview): string => link('/calls', { status: 'FAILED', from: days[0]?.day });

function Gap({ gap }: { gap: NonNullable<Overview['responseGap']> }) {
  return (
    <>
      {formatNumber(gap.p50Ms)} <small>/ {formatNumber(gap.p95Ms)} ms</small>
    </>
  );
}

function FailedTurns({ of: { failed, share } }: { of: Overview['lastHour'] }) {
  return (
    <>
      {formatNumber(failed)} <small>/ {formatPercent(share ?? 0)}</small>
    </>
  );
}

function LiveCalls() {
  const live = useApi('listLiveCalls', { query: { limit: 5 } }, { everyMs: REFRESH_MS }).answer;
  const campaigns = useCampaignNames();
  if (live === null || live.data.length === 0) return null;
  return (
    <section class="stack tight">
      <div class="row spread">
        <h2>Live now</h2>
        <a href={link('/live')}>All live calls</a>
      </div>
      <CallTable label="Live calls" calls={live.data} campaigns={campaigns} />
    </section>
  );
}

function Failures({ overview }: { overview: Overview }) {
  const latest = useApi('listCalls', { query: { status: 'FAILED', limit: 5 } }, { everyMs: REFRESH_MS }).answer;
  return (
    <div class="failures">
      <Card title="Why calls failed">
        <ul class="reasons">
          {overview.failures.map(({ reason, calls }) => (
            <li key={reason} class="row spread">
              <span>{reason === '' ? 'Unknown' : reasonWords(reason)}</span>
              <span class="number">{formatNumber(calls)}</span>
            </li>
          ))}
        </ul>
      </Card>
      {latest !== null && latest.data.length > 0 && (
        <Card title="Latest failures" actions={<a href={failuresAddress(overview)}>All</a>}>
          <FailureTable calls={latest.data} />
        </Card>
      )}
    </div>
  );
}
