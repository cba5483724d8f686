// The plots of the first page: calls and response gaps by day.
import type { Overview } from '../../api-types.ts';
import { formatNumber } from '../../format.ts';
import { Card } from '../../ui/layout.tsx';
import { Plot } from '../../ui/plot/plot.tsx';

type Days = Overview['days'];

/** Days of the figures are UTC days, so they are not moved into the reader's zone. */
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const labelsOf = (days: Days): string[] => days.map(({ day }) => dayFormat.format(new Date(day)));
const formatMs = (value: number): string => `${formatNumber(value)} ms`;

export function CallsPlot({ days }: { days: Days }) {
  const of = (name: 'calls' | 'inbound' | 'outbound' | 'failed') => days.map((day) => day[name]);
  return (
    <Card title="Calls by day">
      <Plot
        label="Calls by day"
        labels={labelsOf(days)}
        format={formatNumber}
        series={[
          // Inbound is drawn over the sum, so the visible rest of the sum is outbound.
          { name: 'Outbound', values: of('calls'), token: '--caller', kind: 'bar' },
          { name: 'Inbound', values: of('inbound'), token: '--agent', kind: 'bar' },
        ]}
        columns={[
          { name: 'Inbound', values: of('inbound') },
          { name: 'Outbound', values: of('outbound') },
          { name: 'Failed', values: of('failed') },
        ]}
      />
    </Card>
  );
}

export function GapsPlot({ days }: { days: Days }) {
  const of = (name: 'p50Ms' | 'p95Ms') => days.map(({ responseGap }) => responseGap?.[name] ?? null);
  return (
    <Card title="Response gaps by day, in ms">
      <Plot
        label="Response gaps by day"
        labels={labelsOf(days)}
        format={formatMs}
        series={[
          { name: '95 in 100 calls within', values: of('p95Ms'), token: '--warn', kind: 'line' },
          { name: 'Half of the calls within', values: of('p50Ms'), token: '--agent', kind: 'line' },
        ]}
      />
    </Card>
  );
}
