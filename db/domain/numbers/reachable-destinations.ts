// Which persons may be called at this hour.
import { DateTime } from 'luxon';
import { isOpenAt } from '../hours/opening-times.ts';
import type { TransferDestination } from './transfer-destinations.ts';

interface Reach {
  /** IANA; an unknown one counts as UTC. */
  timezone: string;
  /** Wall clock. */
  nowMs: number;
}

/** The destinations that may be called at this hour, as they are listed. */
export function reachableAt(
  destinations: readonly TransferDestination[],
  { timezone, nowMs }: Reach,
): TransferDestination[] {
  if (destinations.length === 0) return [];
  const local = DateTime.fromMillis(nowMs, { zone: timezone });
  const now = local.isValid ? local : DateTime.fromMillis(nowMs, { zone: 'utc' });
  return destinations.filter(({ hours }) => hours === null || hours.length === 0 || isOpenAt(hours, now));
}
