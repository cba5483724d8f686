// The first page: figures of the last days, running calls, and the reasons of failed ones.
import { useState } from 'preact/hooks';
import type { Overview } from '../../api-types.ts';
import { CallTable, FailureTable } from '../../calls/call-table.tsx';
import { useCampaignNames } from '../../calls/use-names.ts';
import { reasonWords } from '../../calls/words.ts';
import { formatMinutes, formatNumber, formatPercent } from '../../format.ts';
import { link, route, setQuery } from '../../router.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Card, Figures, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { ownZone } from '../../zones.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { CallsPlot, GapsPlot, HoursPlot, MinutesPlot } from './plots.tsx';

const REFRESH_MS = 10_000;
const RANGES = [
  { value: '1', text: words('Today'), title: words('Today') },
  { value: '7', text: words('7 days'), title: words('The last 7 days') },
  { value: '30', text: words('30 days'), title: words('The last 30 days') },
  { value: '90', text: words('90 days'), title: words('The last 90 days') },
] as const;

export default function OverviewPage() {
  const wanted = route.value.query.get('days');
  const range = RANGES.find(({ value }) => value === wanted) ?? RANGES[1];
  const query = { days: Number(range.value), timezone: ownZone() };
  const overview = useApi('getOverview', { query }, { everyMs: REFRESH_MS });
  const { answer, error } = useApi('getAccount', {});
  const account = answer?.data;
  // The figures come when it is known what stands above them, and do not jump.
  const [isHeadKnown, setHeaded] = useState(false);
  const isHeaded = isHeadKnown || error !== null;
  return (
    <Page
      title={t('Overview')}
      actions={
        <>
          <ButtonLink href={link('/talk')}>{t('Talk to an agent')}</ButtonLink>
          <ButtonLink look="primary" href={link('/calls/new')}>
            {t('Place a call')}
          </ButtonLink>
        </>
      }
    >
      {account && <FirstSteps account={account} onReady={() => setHeaded(true)} />}
      {account && <Attention account={account} />}
      <Answer of={isHeaded ? overview : { ...overview, answer: null }}>
        {({ data }) => (
          <>
            <section class="stack tight">
              <div class="row spread">
                <h2>{t(range.title)}</h2>
                <fieldset class="segments">
                  <legend class="visually-hidden">{t('Days')}</legend>
                  {RANGES.map(({ value, text, title }) => (
                    <Button
                      key={value}
                      isSmall
                      label={t(title)}
                      pressed={value === range.value}
                      onClick={() => setQuery({ days: value === '7' ? undefined : value })}
                    >
                      {t(text)}
                    </Button>
                  ))}
                </fieldset>
              </div>
              <Glance overview={data} />
              {data.timezone !== ownZone() && (
                <p class="small soft">
                  {t('Days are those of {zone}: there are too many calls for others.', { zone: data.timezone })}
                </p>
              )}
            </section>
            {data.live > 0 && <LiveCalls />}
            {data.calls > 0 ? <Plots days={data.days} zone={data.timezone} /> : <NothingYet />}
            {data.failed > 0 && <Failures overview={data} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

/** From the first day with a call: a new account has no row of empty days. */
function Plots({ days, zone }: { days: Overview['days']; zone: string }) {
  const shown = days.slice(days.findIndex(({ calls }) => calls > 0));
  return (
    <div class="plots">
      <CallsPlot days={shown} />
      <GapsPlot days={shown} />
      <MinutesPlot days={shown} />
      <HoursPlot days={shown} zone={zone} />
    </div>
  );
}

/** In place of empty axes. */
const NothingYet = () => (
  <Card title={t('After the first call you see here')}>
    <dl class="nothing-yet">
      {TO_COME.map(([icon, name, text]) => (
        <div key={name}>
          <dt>
            <Icon name={icon} /> {t(name)}
          </dt>
          <dd>{t(text)}</dd>
        </div>
      ))}
    </dl>
  </Card>
);

const TO_COME: ReadonlyArray<[IconName, string, string]> = [
  [
    'phone',
    words('Calls by day and hour'),
    words('How many were answered, by the agent or a machine, and how many were not.'),
  ],
  ['gauge', words('Waits'), words('How long callers waited for each answer: half of the calls, and 95 in 100.')],
  [
    'activity',
    words('Minutes'),
    words('From answer to end, by day; from the second day each figure beside the day before.'),
  ],
];

/** The last day beside the one before it; nothing on the first day. */
function daysApart(days: Overview['days'], of: (day: Overview['days'][number]) => string | null): string | null {
  const [before, today] = days.slice(-2);
  if (before === undefined || today === undefined || before.calls === 0) return null;
  const [then, now] = [of(before), of(today)];
  return then === null ? null : t('today {now}, yesterday {before}', { now: now ?? '–', before: then });
}

function Glance({ overview }: { overview: Overview }) {
  const { live, maxCalls, calls, answerRate, minutes, responseGap, failed, lastHour, days } = overview;
  const failures = failuresAddress(overview);
  return (
    <Figures
      figures={[
        [
          // Of the whole installation, so it belongs to the name.
          maxCalls === null
            ? t('Live calls')
            : t('Live calls, {maxCalls} at most', { maxCalls: formatNumber(maxCalls) }),
          live > 0 ? <a href={link('/live')}>{formatNumber(live)}</a> : formatNumber(live),
        ],
        [t('Calls'), formatNumber(calls), daysApart(days, (day) => formatNumber(day.calls))],
        [
          t('Answered'),
          answerRate === null ? '–' : formatPercent(answerRate),
          daysApart(days, (day) => (day.answerRate === null ? null : formatPercent(day.answerRate))),
        ],
        [t('Minutes'), formatMinutes(minutes), daysApart(days, (day) => formatMinutes(day.minutes))],
        [
          t('Wait, half / 95 in 100 within'),
          responseGap === null ? '–' : <Gap key="gap" gap={responseGap} />,
          daysApart(days, (day) => day.responseGap && formatNumber(day.responseGap.p50Ms)),
        ],
        [t('Turns failed, last hour'), lastHour.share === null ? '–' : <FailedTurns key="turns" of={lastHour} />],
        [t('Failed'), failed > 0 ? <a href={failures}>{formatNumber(failed)}</a> : '0'],
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
        <h2>{t('Live now')}</h2>
        <a href={link('/live')}>{t('All live calls')}</a>
      </div>
      <CallTable label={t('Live calls')} calls={live.data} campaigns={campaigns} />
    </section>
  );
}

function Failures({ overview }: { overview: Overview }) {
  const latest = useApi('listCalls', { query: { status: 'FAILED', limit: 5 } }, { everyMs: REFRESH_MS }).answer;
  return (
    <div class="failures">
      <Card title={t('Why calls failed')}>
        <ul class="reasons">
          {overview.failures.map(({ reason, calls }) => (
            <li key={reason} class="row spread">
              <span>{reason === '' ? t('Unknown') : reasonWords(reason)}</span>
              <span class="number">{formatNumber(calls)}</span>
            </li>
          ))}
        </ul>
      </Card>
      {latest !== null && latest.data.length > 0 && (
        <Card title={t('Latest failures')} actions={<a href={failuresAddress(overview)}>{t('All')}</a>}>
          <FailureTable calls={latest.data} />
        </Card>
      )}
    </div>
  );
}
