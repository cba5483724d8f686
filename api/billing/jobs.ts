// The rounds of billing's two jobs: settlement and finished releases, and the billing run once a day.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { utcDay } from '../../db/domain/hours/utc-days.ts';
import { lastJobRun, noteJobRun, unattendCharges } from '../../db/queries/numbers/charges.ts';
import { finishReleases } from '../../db/queries/numbers/phone-numbers.ts';
import type { ApiContext } from '../context.ts';
import type { JobLease, JobRun } from '../frame/job.ts';
import { runBilling } from './monthly.ts';
import { settleCharges } from './settlement.ts';

/** A run that found the provider down is repeated after this time. */
const RUN_AGAIN_MS = HOUR_MS;
const BILLING_JOB = 'billing';

/** A charge in flight whose process died is taken up by its successor. */
export const BILLING_LEASE: JobLease = { name: 'billing', onTaken: ({ db }) => unattendCharges(db) };

export function beginDailyRuns(context: ApiContext): JobRun {
  const before: RunBefore = { failedAtMs: null };
  return { run: () => dailyRound(context, before) };
}

/** Finishes releases whose last call ended in a crash, and abandoned charges. */
export async function settlementRound(context: ApiContext): Promise<void> {
  await context.db.transaction().execute((trx) => finishReleases(trx, context.now()));
  await settleCharges(context);
}

/** When a daily run last found the provider down. */
interface RunBefore {
  failedAtMs: number | null;
}

/** The daily run, unless it has run today (UTC). */
export async function dailyRound(context: ApiContext, before: RunBefore): Promise<void> {
  const nowMs = context.now();
  const last = await lastJobRun(context.db, BILLING_JOB);
  if (last !== null && utcDay(last) === utcDay(nowMs)) return;
  if (before.failedAtMs !== null && nowMs < before.failedAtMs + RUN_AGAIN_MS) return;
  const { complete } = await runBilling(context, nowMs);
  before.failedAtMs = complete ? null : nowMs;
  if (complete) await noteJobRun(context.db, BILLING_JOB, nowMs);
}
