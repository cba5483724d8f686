// What minutes cost past those that a plan includes.
import { PLAN_MINUTES } from '../../db/queries/minutes.ts';

/** Dollars for each minute begun past the plan's. */
const OVERAGE_PER_MINUTE = 0.05;

/** Dollars for a month's answered seconds past the plan's minutes. */
export function overageAmount(plan: keyof typeof PLAN_MINUTES, seconds: number): number {
  const included = PLAN_MINUTES[plan];
  if (included === null) return 0;
  const minutes = Math.max(0, Math.ceil(seconds / 60 - included));
  return Math.round(minutes * OVERAGE_PER_MINUTE * 100) / 100;
}
