// Words and values of alert rules, as people read them.
import type { AlertRule } from '../../api-types.ts';
import { formatNumber, formatPercent } from '../../format.ts';
import { t, words } from '../../words/words.ts';

type Metric = AlertRule['metric'];

export const METRIC_NAMES: Record<Metric, string> = {
  calls: words('Calls'),
  failed_share: words('Share of calls that failed'),
  transferred_share: words('Share of calls put through to a person'),
  early_hangup_share: words('Share of callers who hang up within 20 s'),
  answer_gap_p95_ms: words('Wait for an answer, in 95 of 100 calls'),
  cost: words('Cost of the calls'),
  outbound_minutes: words('Minutes of outbound calls'),
  agent_failures: words('Calls that the agent left without an answer'),
  carrier_refusals: words('Outbound calls that the carrier refused'),
};

export const isShare = (metric: Metric): boolean => metric.endsWith('_share');

/** The unit behind the field of its value. */
export const UNITS: Record<Metric, string> = {
  calls: words('calls'),
  failed_share: words('percent'),
  transferred_share: words('percent'),
  early_hangup_share: words('percent'),
  answer_gap_p95_ms: 'ms',
  cost: words('in the currency of the prices'),
  outbound_minutes: words('minutes'),
  agent_failures: words('calls'),
  carrier_refusals: words('calls'),
};

export function figureText(metric: Metric, value: number): string {
  if (isShare(metric)) return formatPercent(value);
  const number = formatNumber(Math.round(value * 100) / 100);
  if (metric === 'answer_gap_p95_ms') return `${number} ms`;
  return metric === 'outbound_minutes' ? t('{minutes} min', { minutes: number }) : number;
}

export const WINDOWS = [
  [15, words('15 minutes')],
  [60, words('an hour')],
  [240, words('4 hours')],
  [1_440, words('a day')],
] as const;

export function windowText(minutes: number): string {
  const known = WINDOWS.find(([each]) => each === minutes)?.[1];
  return known === undefined ? t('{count} minutes', { count: formatNumber(minutes) }) : t(known);
}

/** "above 20 %". */
export const limitText = (metric: Metric, comparison: AlertRule['comparison'], limit: number): string =>
  comparison === 'above'
    ? t('above {figure}', { figure: figureText(metric, limit) })
    : t('below {figure}', { figure: figureText(metric, limit) });

/** "above 20 % within an hour". */
export const conditionText = ({ metric, comparison, value, windowMinutes }: AlertRule): string =>
  t('{limit} within {span}', { limit: limitText(metric, comparison, value), span: windowText(windowMinutes) });
