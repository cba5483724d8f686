// Deletes expired rows. Each job deletes a bounded number of rows per run, in small batches; the rest waits for the
// next run. A job's name is its key in the `jobs` table; how long rows are kept stands in db/rules/kept.ts.
import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { deleteOldAudit } from '../../db/queries/accounts/audit-log.ts';
import { deleteOldFirings } from '../../db/queries/alerts/alerts.ts';
import { deleteOldBookingTries } from '../../db/queries/businesses/booking-tries.ts';
import { purgeDeletedBusinesses } from '../../db/queries/businesses/businesses.ts';
import { deleteOldEntries } from '../../db/queries/calendars/entries.ts';
import { deleteOldSignIns } from '../../db/queries/calendars/sign-ins.ts';
import { deleteOldAppointmentTexts } from '../../db/queries/conversations/appointment-texts.ts';
import { forgetConversations } from '../../db/queries/conversations/conversations.ts';
import { eraseOldAppointments } from '../../db/queries/erasure/appointments.ts';
import { deleteOldMessages } from '../../db/queries/notices/messages.ts';
import { deleteOldReruns } from '../../db/queries/results/reruns.ts';
import { deleteOldRuns } from '../../db/queries/test-runs/runs.ts';
import { deleteOldReadInvites } from '../../db/queries/trunks/read-invites.ts';
import { deleteOldRefusedCalls } from '../../db/queries/trunks/refused-calls.ts';
import { removeDeletedWebhooks, removeOldDeliveries } from '../../db/queries/webhooks/deliveries.ts';
import { removeOldEvents } from '../../db/queries/webhooks/events.ts';
import { deleteOldWidgetUses } from '../../db/queries/widget/uses.ts';
import { clockDoubt, GAP_MS } from '../../db/rules/clock-doubt.ts';
import { KEPT_MS } from '../../db/rules/kept.ts';
import {
  claimJob,
  deleteExpiredOneTimeTokens,
  deleteExpiredRefreshTokens,
  deleteExpiredRevocations,
  deleteOldEngineRequests,
  deleteOldIdempotencyKeys,
  deleteOldLoginFailures,
  deleteUnverifiedAccounts,
  newestRun,
} from '../../db/rules/retention.ts';
import { deleteOldHours } from '../../db/rules/spend.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { dropClosedDocuments } from '../port-in/closed-documents.ts';

interface RetentionJob {
  name: string;
  /** Its rows are kept for KEPT_MS. */
  table: keyof typeof KEPT_MS;
  everyMs: number;
  /** Deletes at most `limit` rows; returns their number. */
  run(context: ApiContext, due: Due): Promise<number>;
}

interface Due {
  /** Rows from before it are kept no longer. */
  beforeMs: number;
  nowMs: number;
  limit: number;
}

/** Rows per batch and batches per run: at most 5,000 rows of each kind in one run. */
const BATCH_ROWS = 250;
const BATCHES_MAX = 20;
/** Each with its events and the log of their deliveries: the engine's writer waits for so many. */
const ERASED_TOGETHER = 20;

type Deletion = (db: Db, beforeMs: number, limit: number) => Promise<number>;

const rows =
  (work: Deletion): RetentionJob['run'] =>
  ({ db }, { beforeMs, limit }) =>
    work(db, beforeMs, limit);

/** In one transaction. */
const rowsTogether = (work: Deletion) =>
  rows((db, beforeMs, limit) => db.transaction().execute((tx) => work(tx, beforeMs, limit)));

export const RETENTION: readonly RetentionJob[] = [
  {
    name: 'idempotency-keys',
    table: 'idempotencyKeys',
    // An account may use three thousand a minute.
    everyMs: MINUTE_MS,
    run: rows(deleteOldIdempotencyKeys),
  },
  { name: 'audit-log', table: 'auditLog', everyMs: HOUR_MS, run: rows(deleteOldAudit) },
  { name: 'reruns', table: 'reruns', everyMs: HOUR_MS, run: rows(deleteOldReruns) },
  { name: 'test-runs', table: 'testRuns', everyMs: HOUR_MS, run: rowsTogether(deleteOldRuns) },
  { name: 'refresh-tokens', table: 'refreshTokens', everyMs: HOUR_MS, run: rows(deleteExpiredRefreshTokens) },
  { name: 'revoked-tokens', table: 'revokedTokens', everyMs: HOUR_MS, run: rows(deleteExpiredRevocations) },
  { name: 'one-time-tokens', table: 'oneTimeTokens', everyMs: HOUR_MS, run: rows(deleteExpiredOneTimeTokens) },
  { name: 'account-hours', table: 'accountHours', everyMs: HOUR_MS, run: rows(deleteOldHours) },
  {
    name: 'login-failures',
    table: 'loginFailures',
    everyMs: HOUR_MS,
    run: ({ db }, { beforeMs, nowMs, limit }) => deleteOldLoginFailures(db, beforeMs, nowMs, limit),
  },
  { name: 'engine-requests', table: 'engineRequests', everyMs: HOUR_MS, run: rows(deleteOldEngineRequests) },
  { name: 'unverified-accounts', table: 'accounts', everyMs: HOUR_MS, run: rows(deleteUnverifiedAccounts) },
  {
    name: 'port-documents',
    table: 'portDocuments',
    everyMs: 10 * MINUTE_MS,
    run: (context, { nowMs, limit }) => dropClosedDocuments(context, nowMs, limit),
  },
  { name: 'erased-appointments', table: 'appointments', everyMs: HOUR_MS, run: eraseAppointments },
  {
    name: 'deleted-businesses',
    table: 'businesses',
    everyMs: HOUR_MS,
    run: ({ db }, due) => db.transaction().execute((tx) => purgeDeletedBusinesses(tx, due)),
  },
  // A busy installation logs millions of deliveries a day, so every minute a bounded number is deleted.
  {
    name: 'webhook-deliveries',
    table: 'webhookDeliveries',
    everyMs: MINUTE_MS,
    run: rowsTogether(removeOldDeliveries),
  },
  // The row of a deleted subscription goes with the last entry of its log.
  { name: 'deleted-webhooks', table: 'webhooks', everyMs: HOUR_MS, run: rowsTogether(removeDeletedWebhooks) },
  { name: 'alert-firings', table: 'alertFirings', everyMs: HOUR_MS, run: rowsTogether(deleteOldFirings) },
  { name: 'notice-messages', table: 'noticeMessages', everyMs: HOUR_MS, run: rowsTogether(deleteOldMessages) },
  {
    name: 'appointment-texts',
    table: 'appointmentTexts',
    everyMs: HOUR_MS,
    run: rowsTogether(deleteOldAppointmentTexts),
  },
  { name: 'booking-tries', table: 'bookingTries', everyMs: HOUR_MS, run: rows(deleteOldBookingTries) },
  { name: 'conversation-memory', table: 'conversations', everyMs: HOUR_MS, run: rows(forgetConversations) },
  { name: 'calendar-entries', table: 'calendarEntries', everyMs: HOUR_MS, run: rowsTogether(deleteOldEntries) },
  { name: 'calendar-sign-ins', table: 'calendarSignIns', everyMs: 10 * MINUTE_MS, run: rows(deleteOldSignIns) },
  { name: 'read-invites', table: 'readInvites', everyMs: HOUR_MS, run: rows(deleteOldReadInvites) },
  { name: 'refused-calls', table: 'refusedCalls', everyMs: HOUR_MS, run: rows(deleteOldRefusedCalls) },
  { name: 'widget-uses', table: 'widgetCalls', everyMs: HOUR_MS, run: rows(deleteOldWidgetUses) },
  { name: 'events', table: 'events', everyMs: MINUTE_MS, run: rowsTogether(removeOldEvents) },
];

async function eraseAppointments({ db, erasedBytes }: ApiContext, { nowMs, limit }: Due): Promise<number> {
  let total = 0;
  for (let erased = ERASED_TOGETHER; erased === ERASED_TOGETHER && total < limit; total += erased)
    erased = await db.transaction().execute((tx) => eraseOldAppointments(tx, nowMs, ERASED_TOGETHER));
  if (total > 0) erasedBytes.note();
  return total;
}

/** Rows that are kept longer than a clock is doubted at once: a clock that is far ahead must not cost them. */
const isKeptLong = ({ table }: RetentionJob): boolean => KEPT_MS[table] > GAP_MS || table === 'appointments';
/** Until when the clock was doubted, as far as it was said: once, and not each minute. */
interface ToldDoubt {
  until: number | null;
}

async function isClockDoubted(
  { db, log, now }: ApiContext,
  jobs: readonly RetentionJob[],
  told: ToldDoubt,
): Promise<boolean> {
  const nowMs = now();
  const names = jobs.filter(isKeptLong).map(({ name }) => name);
  if (names.length === 0) return false;
  const until = await clockDoubt(db, 'retention', { newestRunMs: await newestRun(db, names, nowMs), nowMs });
  if (until !== null && until !== told.until) {
    const said = { until: new Date(until).toISOString() };
    log.warn(said, 'nothing was deleted for days, by the clock: no old row is until then; is the clock right?');
  }
  told.until = until;
  return until !== null;
}

/**
 * Runs the jobs that are due; where the clock is doubted, those whose rows are kept long wait. A job that fails is
 * logged; the others still run.
 */
export async function runRetention(
  context: ApiContext,
  jobs: readonly RetentionJob[] = RETENTION,
  told: ToldDoubt = { until: null },
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const isDoubted = await isClockDoubted(context, jobs, told);
  for (const job of jobs) {
    if (isDoubted && isKeptLong(job)) continue;
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
    const nowMs = context.now();
    const count = await job.run(context, { beforeMs: nowMs - KEPT_MS[job.table], nowMs, limit: BATCH_ROWS });
    total += count;
    if (count < BATCH_ROWS) break;
  }
  if (total > 0) context.log.info({ job: job.name, deleted: total }, 'old rows were deleted');
  return total;
}
