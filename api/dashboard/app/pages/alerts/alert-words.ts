// Words and values of alert rules, as people read them.
import type { AlertRule } from '../../api-types.ts';
import { formatNumber, formatPercent } from '../../format.ts';

type Metric = AlertRule['metric'];

export const METRIC_NAMES: Record<Metric, string> = {
  calls: 'Calls',
  failed_share: 'Share of calls that failed',
  transferred_share: 'Share of calls put through to a person',
  early_hangup_share: 'Share of callers who hang up within 20 s',
  answer_gap_p95_ms: 'Wait for an answer, in 95 of 100 calls',
  cost: 'Cost of the calls',
  outbound_minutes: 'Minutes of outbound calls',
  agent_failures: 'Calls that the agent left without an answer',
  carrier_refusals: 'Outbound calls that the carrier refused',
};

export const isShare = (metric: Metric): boolean => metric.endsWith('_share');

/** The unit behind the field of its value. */
export const UNITS: Record<Metric, string> = {
  calls: 'calls',
  failed_share: 'percent',
  transferred_share: 'percent',
  early_hangup_share: 'percent',
  answer_gap_p95_ms: 'ms',
  cost: 'in the currency of the prices',
  outbound_minutes: 'minutes',
  agent_failures: 'calls',
  carrier_refusals: 'calls',
};

export function figureText(metric: Metric, value: number): string {
  if (isShare(metric)) return formatPercent(value);
  const number = formatNumber(Math.round(value * 100) / 100);
  if (metric === 'answer_gap_p95_ms') return `${number} ms`;
  return metric === 'outbound_minutes' ? `${number} min` : number;
}

export const WINDOWS = [
  [15, '15 minutes'],
  [60, 'an hour'],
  [240, '4 hours'],
  [1_440, 'a day'],
] as const;

export const windowText = (minutes: number): string =>
  WINDOWS.find(([each]) => each === minutes)?.[1] ?? `${formatNumber(minutes)} minutes`;

/** "above 20 % within an hour". */
export const conditionText = ({ metric, comparison, value, windowMinutes }: AlertRule): string =>
  `${comparison} ${figureText(metric, value)} within ${windowText(windowMinutes)}`;
