// The plots of the first page: what became of the calls, how long callers waited and the minutes by day, and the hours
// at which people call.
import type { Overview } from '../../api-types.ts';
import { SLOW_MS } from '../../calls/answers.ts';
import { formatDayOfYear, formatMinutes, formatNumber } from '../../format.ts';
import { Card } from '../../ui/layout.tsx';
import { Plot } from '../../ui/plot/plot.tsx';
import { useApi } from '../../use-api.ts';
import { inLocale } from '../../words/words.ts';
import { byHour } from './by-hour.ts';

type Days = Overview['days'];

const labelsOf = (days: Days): string[] => days.map(({ day }) => formatDayOfYear(day));

export const CallsPlot = ({ days }: { days: Days }) => (
  <Card title="Calls by day">
    <Plot
      label="Calls by day"
      labels={labelsOf(days)}
      format={formatNumber}
      series={[
        { name: 'Answered', values: days.map(spokenTo), token: '--agent', kind: 'bar' },
        { name: 'Answering machine', values: days.map(({ voicemails }) => voicemails), token: '--edge', kind: 'bar' },
        { name: 'Not answered', values: days.map(missed), token: '--caller', kind: 'bar' },
      ]}
    />
  </Card>
);

const spokenTo = ({ answered, voicemails }: Days[number]): number => Math.max(0, answered - voicemails);
const missed = ({ calls, answered, running }: Days[number]): number => Math.max(0, calls - answered - running);

export function GapsPlot({ days }: { days: Days }) {
  const of = (name: 'p50Ms' | 'p95Ms') => days.map(({ responseGap }) => responseGap?.[name] ?? null);
  return (
    <Card title="How long callers waited for an answer, in ms">
      <Plot
        label="How long callers waited for an answer, by day"
        labels={labelsOf(days)}
        format={formatNumber}
        series={[
          { name: 'Half of the calls within', values: of('p50Ms'), token: '--agent', kind: 'line' },
          { name: '95 in 100 calls within', values: of('p95Ms'), token: '--warn', kind: 'line' },
        ]}
      />
      {days.every(({ responseGap }) => (responseGap?.p50Ms ?? 0) <= SLOW_MS) && (
        <p class="small soft">People notice a wait from about {formatNumber(SLOW_MS)} ms.</p>
      )}
    </Card>
  );
}

export const MinutesPlot = ({ days }: { days: Days }) => (
  <Card title="Minutes by day">
    <Plot
      label="Minutes by day"
      labels={labelsOf(days)}
      format={formatMinutes}
      series={[
        { name: 'From answer to end', values: days.map(({ minutes }) => minutes), token: '--good', kind: 'bar' },
      ]}
    />
  </Card>
);

/** Their records are read for it, and so they are not many. */
const HOURS_CALLS = 100;
const hourFormat = inLocale((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric' }));
const hourLabel = (hour: number): string => hourFormat().format(new Date(2026, 0, 1, hour));

export function HoursPlot({ days }: { days: Days }) {
  const query = { startDate: days[0]?.day ?? '', limit: HOURS_CALLS };
  const calls = useApi('listCalls', { query }).answer?.data;
  const hours = byHour(calls ?? []);
  if (calls === undefined || hours.length === 0) {
    return <Card title="When people call">{calls && <p class="soft">No call of these days has ended yet.</p>}</Card>;
  }
  return (
    <Card title="When people call">
      <Plot
        label="When people call, by hour"
        of="Hour"
        labels={hours.map(({ hour }) => hourLabel(hour))}
        format={formatNumber}
        series={[
          { name: 'Answered', values: hours.map(({ answered }) => answered), token: '--agent', kind: 'bar' },
          { name: 'Not answered', values: hours.map(({ missed: none }) => none), token: '--caller', kind: 'bar' },
        ]}
      />
      {calls.length === HOURS_CALLS && <p class="small soft">Of the last {formatNumber(HOURS_CALLS)} calls.</p>}
    </Card>
  );
}
