// The plots of the first page: what became of the calls, how long callers waited and the minutes by day, and the hours
// at which people call.
import type { Overview } from '../../api-types.ts';
import { SLOW_MS } from '../../calls/answers.ts';
import { formatDayOfYear, formatMinutes, formatNumber } from '../../format.ts';
import { Card } from '../../ui/layout.tsx';
import { Plot } from '../../ui/plot/plot.tsx';
import { useApi } from '../../use-api.ts';
import { inLocale, t } from '../../words/words.ts';
import { instantOf } from '../../zones.ts';
import { byHour } from './by-hour.ts';

type Days = Overview['days'];

const labelsOf = (days: Days): string[] => days.map(({ day }) => formatDayOfYear(day));

export const CallsPlot = ({ days }: { days: Days }) => (
  <Card title={t('Calls by day')}>
    <Plot
      label={t('Calls by day')}
      labels={labelsOf(days)}
      format={formatNumber}
      series={[
        { name: t('Answered'), values: days.map(spokenTo), token: '--agent', kind: 'bar' },
        {
          name: t('Answering machine'),
          values: days.map(({ voicemails }) => voicemails),
          token: '--edge',
          kind: 'bar',
        },
        { name: t('Not answered'), values: days.map(missed), token: '--caller', kind: 'bar' },
      ]}
    />
  </Card>
);

const spokenTo = ({ answered, voicemails }: Days[number]): number => Math.max(0, answered - voicemails);
const missed = ({ calls, answered, running }: Days[number]): number => Math.max(0, calls - answered - running);

export function GapsPlot({ days }: { days: Days }) {
  const of = (name: 'p50Ms' | 'p95Ms') => days.map(({ responseGap }) => responseGap?.[name] ?? null);
  return (
    <Card title={t('How long callers waited for an answer, in ms')}>
      <Plot
        label={t('How long callers waited for an answer, by day')}
        labels={labelsOf(days)}
        format={formatNumber}
        series={[
          { name: t('Half of the calls within'), values: of('p50Ms'), token: '--agent', kind: 'line' },
          { name: t('95 in 100 calls within'), values: of('p95Ms'), token: '--warn', kind: 'line' },
        ]}
      />
      {days.every(({ responseGap }) => (responseGap?.p50Ms ?? 0) <= SLOW_MS) && (
        <p class="small soft">{t('People notice a wait from about {ms} ms.', { ms: formatNumber(SLOW_MS) })}</p>
      )}
    </Card>
  );
}

export const MinutesPlot = ({ days }: { days: Days }) => (
  <Card title={t('Minutes by day')}>
    <Plot
      label={t('Minutes by day')}
      labels={labelsOf(days)}
      format={formatMinutes}
      series={[
        { name: t('From answer to end'), values: days.map(({ minutes }) => minutes), token: '--good', kind: 'bar' },
      ]}
    />
  </Card>
);

/** Their records are read for it, and so they are not many. */
const HOURS_CALLS = 100;
const hourFormat = inLocale((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric' }));
const hourLabel = (hour: number): string => hourFormat().format(new Date(2026, 0, 1, hour));

export function HoursPlot({ days, zone }: { days: Days; zone: string }) {
  const first = days[0]?.day;
  const query = { startDate: first === undefined ? '' : instantOf(`${first}T00:00`, zone), limit: HOURS_CALLS };
  const calls = useApi('listCalls', { query }).answer?.data;
  const hours = byHour(calls ?? []);
  if (calls === undefined || hours.length === 0) {
    return (
      <Card title={t('When people call')}>
        {calls && <p class="soft">{t('No call of these days has ended yet.')}</p>}
      </Card>
    );
  }
  return (
    <Card title={t('When people call')}>
      <Plot
        label={t('When people call, by hour')}
        of={t('Hour')}
        labels={hours.map(({ hour }) => hourLabel(hour))}
        format={formatNumber}
        series={[
          { name: t('Answered'), values: hours.map(({ answered }) => answered), token: '--agent', kind: 'bar' },
          { name: t('Not answered'), values: hours.map(({ missed: none }) => none), token: '--caller', kind: 'bar' },
        ]}
      />
      {calls.length === HOURS_CALLS && (
        <p class="small soft">{t('Of the last {count} calls.', { count: formatNumber(HOURS_CALLS) })}</p>
      )}
    </Card>
  );
}
