// The latency figures of a call: from its response gaps and its barge-ins.

import type { BargeInTiming } from '../../db/domain/calls/timeline.ts';
import type { CallLatency } from '../../db/records/resources.ts';

/** p50 and p95 of a call's gaps; null if there were none. */
export function latencyOf(gapsMs: readonly number[], bargeIns: readonly BargeInTiming[]): CallLatency | null {
  if (gapsMs.length === 0) return null;
  const yieldsMs = bargeIns.map(({ yieldMs }) => yieldMs);
  const yields = yieldsMs.length === 0 ? {} : { yields: { count: yieldsMs.length, ...percentiles(yieldsMs) } };
  return { turns: gapsMs.length, ...percentiles(gapsMs), ...yields };
}

function percentiles(valuesMs: readonly number[]): { p50Ms: number; p95Ms: number } {
  const sorted = [...valuesMs].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
