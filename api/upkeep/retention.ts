// Deletes expired rows. Each job deletes a bounded number of rows per run, in small batches; the rest waits for the
// next run. Add a job to the list below; its name is its key in the `jobs` table.
import { deleteOldReruns } from '../../db/queries/results/reruns.ts';
import {
  claimJob,
  deleteExpiredOneTimeTokens,
  deleteExpiredRefreshTokens,
  deleteExpiredRevocations,
  deleteOldEngineRequests,
  deleteOldIdempotencyKeys,
  deleteOldLoginFailures,
  deleteUnverifiedAccounts,
} from '../../db/rules/retention.ts';
import { deleteOldHours } from '../../db/rules/spend.ts';
import { purgeBusinesses } from '../businesses/service.ts';
import type { ApiContext } from '../context.ts';
import { deliveryRetentionJobs } from '../delivery/retention.ts';
import { KEY_LIFETIME_MS } from '../plugins/idempotency.ts';
import { dropClosedDocuments } from '../port-in/closed-documents.ts';

export interface RetentionJob {
  name: string;
  everyMs: number;
  /** Deletes at most `limit` rows that are due at `nowMs`; returns their number. */
  run(context: ApiContext, nowMs: number, limit: number): Promise<number>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNVERIFIED_KEPT_MS = 7 * DAY;
/** For whoever asks which calls failed. */
const RERUNS_KEPT_MS = 90 * DAY;
/** Limits look back a day; the rest is for whoever asks what happened. */
const ACCOUNT_HOURS_KEPT_MS = 35 * DAY;

/** Rows per batch and batches per run: at most 5,000 rows of each kind in one run. */
const BATCH_ROWS = 250;
const BATCHES_MAX = 20;

const retentionJobs: readonly RetentionJob[] = [
  {
    name: 'idempotency-keys',
    everyMs: 10 * MINUTE,
    run: ({ db }, nowMs, limit) => deleteOldIdempotencyKeys(db, nowMs - KEY_LIFETIME_MS, limit),
  },
  {
    name: 'reruns',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteOldReruns(db, nowMs - RERUNS_KEPT_MS, limit),
  },
  {
    name: 'refresh-tokens',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteExpiredRefreshTokens(db, nowMs - DAY, limit),
  },
  {
    name: 'revoked-tokens',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteExpiredRevocations(db, nowMs, limit),
  },
  {
    name: 'one-time-tokens',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteExpiredOneTimeTokens(db, nowMs, limit),
  },
  {
    name: 'account-hours',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteOldHours(db, nowMs - ACCOUNT_HOURS_KEPT_MS, limit),
  },
  {
    name: 'login-failures',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteOldLoginFailures(db, nowMs - DAY, nowMs, limit),
  },
  {
    name: 'engine-requests',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteOldEngineRequests(db, nowMs - DAY, limit),
  },
  {
    name: 'unverified-accounts',
    everyMs: HOUR,
    run: ({ db }, nowMs, limit) => deleteUnverifiedAccounts(db, nowMs - UNVERIFIED_KEPT_MS, limit),
  },
  {
    name: 'port-documents',
    everyMs: 10 * MINUTE,
    run: dropClosedDocuments,
  },
  {
    name: 'deleted-businesses',
    everyMs: HOUR,
    run: (context, _nowMs, limit) => purgeBusinesses(context, limit),
  },
  ...deliveryRetentionJobs,
];

/** Runs the jobs that are due. A job that fails is logged; the others still run. */
export async function runRetention(
  context: ApiContext,
  jobs: readonly RetentionJob[] = retentionJobs,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const job of jobs) {
    try {
      if (!(await claimJob(context.db, job.name, job.everyMs, context.now()))) continue;
      deleted[job.name] = await runJob(context, job);
    } catch (error) {
      if (!context.outage.explains(error)) context.log.error({ err: error, job: job.name }, 'retention job failed');
    }
  }
  return deleted;
}

async function runJob(context: ApiContext, job: RetentionJob): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const count = await job.run(context, context.now(), BATCH_ROWS);
    total += count;
    if (count < BATCH_ROWS) break;
  }
  if (total > 0) context.log.info({ job: job.name, deleted: total }, 'retention');
  return total;
}
