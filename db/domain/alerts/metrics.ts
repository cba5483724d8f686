// Figures that an alert rule watches: each is computed of what was counted over its window, compared with the rule's
// value, and over again only when it has gone back by a margin. Values are whole millionths, so that shares, money and
// counts are compared exactly.

export const ALERT_METRICS = [
  'calls',
  'failed_share',
  'transferred_share',
  'early_hangup_share',
  'answer_gap_p95_ms',
  'cost',
  'outbound_minutes',
  'agent_failures',
  'carrier_refusals',
] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

export const ALERT_COMPARISONS = ['above', 'below'] as const;
export type AlertComparison = (typeof ALERT_COMPARISONS)[number];

/** A figure as it is written: a number, a share as percent, ms, money. */
export const ALERT_UNITS: Readonly<Record<AlertMetric, 'count' | 'share' | 'ms' | 'money' | 'minutes'>> = {
  calls: 'count',
  failed_share: 'share',
  transferred_share: 'share',
  early_hangup_share: 'share',
  answer_gap_p95_ms: 'ms',
  cost: 'money',
  outbound_minutes: 'minutes',
  agent_failures: 'count',
  carrier_refusals: 'count',
};

/** Minutes. */
export const ALERT_WINDOW = { min: 5, max: 1_440 } as const;
export const ALERT_RULES_MAX = 50;
export const ALERT_RECIPIENTS_MAX = 5;
/** Hanging up before is early. */
export const EARLY_SECONDS = 20;

export const MICRO = 1_000_000;

/** Counted over the window. */
export interface AlertCounts {
  calls: number;
  /** Of these. */
  ended: number;
  answered: number;
  failed: number;
  transferred: number;
  earlyHangups: number;
  agentFailures: number;
  carrierRefusals: number;
  /** Answered, of outbound calls. */
  outboundSeconds: number;
  /** Of calls with an answered turn, by nearest rank; null: there are none. */
  gapP95Ms: number | null;
  gapCalls: number;
  /** Millionths. */
  cost: number;
}

interface AlertFigure {
  /** Millionths; null: of too few calls. */
  value: number | null;
  /** It was computed of so many. */
  calls: number;
}

/** `minimumCalls`: fewer say nothing of a share or a percentile; counts and sums need none. */
export function alertFigure(metric: AlertMetric, counts: AlertCounts, minimumCalls: number): AlertFigure {
  const share = (part: number, of: number): AlertFigure => ({
    value: of < Math.max(1, minimumCalls) ? null : Math.round((part / of) * MICRO),
    calls: of,
  });
  const count = (value: number): AlertFigure => ({ value: value * MICRO, calls: counts.calls });
  switch (metric) {
    case 'calls':
      return count(counts.calls);
    case 'failed_share':
      return share(counts.failed, counts.ended);
    case 'transferred_share':
      return share(counts.transferred, counts.answered);
    case 'early_hangup_share':
      return share(counts.earlyHangups, counts.answered);
    case 'answer_gap_p95_ms': {
      const isEnough = counts.gapP95Ms !== null && counts.gapCalls >= Math.max(1, minimumCalls);
      return { value: isEnough ? (counts.gapP95Ms ?? 0) * MICRO : null, calls: counts.gapCalls };
    }
    case 'cost':
      return { value: counts.cost, calls: counts.calls };
    case 'outbound_minutes':
      return { value: Math.round((counts.outboundSeconds / 60) * MICRO), calls: counts.calls };
    case 'agent_failures':
      return count(counts.agentFailures);
    case 'carrier_refusals':
      return count(counts.carrierRefusals);
  }
}

interface AlertCondition {
  comparison: AlertComparison;
  /** Millionths. */
  threshold: number;
}

export const isMet = ({ comparison, threshold }: AlertCondition, value: number): boolean =>
  comparison === 'above' ? value > threshold : value < threshold;

/** A tenth of the value, of counts in whole calls, so that a figure that trembles around it is told of once. */
const MARGIN = 10;

/** Whether what fires is over: the figure is back by the margin, or of too few calls to be one. */
export function isOver(
  { metric, comparison, threshold }: AlertCondition & { metric: AlertMetric },
  value: number | null,
): boolean {
  if (value === null) return true;
  const step = ALERT_UNITS[metric] === 'count' ? MICRO : 1;
  const margin = Math.floor(threshold / MARGIN / step) * step;
  return comparison === 'above' ? value <= threshold - margin : value >= threshold + margin;
}
