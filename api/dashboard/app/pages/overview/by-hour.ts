// Calls by the hour of the reader's day at which they began: when somebody has to be there, or the agent.
import type { Call } from '../../api-types.ts';

type Counted = Pick<Call, 'startedAt' | 'durationSeconds' | 'endedAt'>;

interface Hour {
  /** 0 to 23. */
  hour: number;
  answered: number;
  missed: number;
}

/** From the first to the last hour with a call, those between included; of calls that have ended. */
export function byHour(calls: readonly Counted[], hourOf = (iso: string) => new Date(iso).getHours()): Hour[] {
  const ended = calls.filter(({ endedAt }) => endedAt !== null);
  const hours = ended.map(({ startedAt }) => hourOf(startedAt));
  const [from, to] = [Math.min(...hours), Math.max(...hours)];
  if (hours.length === 0) return [];
  const all = Array.from(
    { length: to - from + 1 },
    (_, index): Hour => ({ hour: from + index, answered: 0, missed: 0 }),
  );
  for (const [index, { durationSeconds }] of ended.entries()) {
    const at = all[(hours[index] ?? from) - from];
    if (at !== undefined) at[durationSeconds > 0 ? 'answered' : 'missed']++;
  }
  return all;
}
