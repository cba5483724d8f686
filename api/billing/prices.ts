// The price of minutes beyond the plan's.
import { PLAN_MINUTES } from '../../db/rules/minutes.ts';

/** Dollars per started minute beyond the plan's. */
const OVERAGE_PER_MINUTE = 0.05;

/** Dollars for a month's answered seconds beyond the plan's minutes. */
export function overageAmount(plan: keyof typeof PLAN_MINUTES, seconds: number): number {
  const included = PLAN_MINUTES[plan];
  if (included === null) return 0;
  const minutes = Math.max(0, Math.ceil(seconds / 60 - included));
  return Math.round(minutes * OVERAGE_PER_MINUTE * 100) / 100;
}
