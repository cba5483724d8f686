// The API's jobs: each named once, with how often it runs and whether one API of the installation does it or each.

import { dialectOf } from '../../db/dialect.ts';
import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { addOlderRecords, lacksRecords } from '../../db/queries/calls/list/records.ts';
import { checkpoint, foldTotals } from '../../db/upkeep.ts';
import { AlertJob } from '../alerts/job.ts';
import { ReminderTurns, remindOfAppointments } from '../appointments/remind.ts';
import { BILLING_LEASE, beginDailyRuns, settlementRound } from '../billing/jobs.ts';
import { CalendarSync } from '../calendars/sync.ts';
import { expireCalls } from '../calls/control/end.ts';
import { CallSweeps } from '../calls/erase/sweep-job.ts';
import { placeDue } from '../calls/place/scheduled.ts';
import { goOnWithOrders } from '../carriers/orders.ts';
import type { ApiContext } from '../context.ts';
import { textAboutAppointments } from '../conversations/appointments.ts';
import { TextJob } from '../conversations/send.ts';
import { priceUses } from '../costs/price-uses.ts';
import { DocumentEmbedding } from '../documents/embedding.ts';
import { IndexMerge } from '../documents/merge.ts';
import { indexOlderDocuments } from '../documents/reindex.ts';
import { refreshDocuments } from '../documents/sources.ts';
import { FINISHED, type JobRun } from '../frame/job.ts';
import { NoticeJob } from '../notices/send.ts';
import { readEngines } from '../peers/engines.ts';
import { finishPurchase } from '../phone-numbers/purchase.ts';
import { settleReleases } from '../phone-numbers/release.ts';
import { followPortOrders } from '../port-in/at-carrier.ts';
import { dropUnfinishedUploads } from '../port-in/closed-documents.ts';
import { tellOfSpend } from '../spend/spend-alarms.ts';
import { startDueRuns } from '../test-suites/due.ts';
import { CatalogueJob } from '../tools/catalogues.ts';
import { TraceJob } from '../traces/send.ts';
import { judgeCanaries } from '../versions/canaries.ts';
import { writeWidgetRefusals } from '../widget/refusals.ts';
import { deleteNotedFiles } from './file-deletions.ts';
import type { Job } from './job.ts';
import { dropLeftovers } from './leftovers.ts';
import { cutLongLog } from './log-cut.ts';
import { RETENTION, runRetention } from './retention.ts';

const SECOND = 1_000;

/** Runs that need nothing but the context. */
const each =
  (work: (context: ApiContext) => Promise<unknown>) =>
  (context: ApiContext): JobRun => ({ run: () => work(context) });

/** About 2 ms of the API's thread: a million calls get their records within twenty minutes. */
const OLDER_RECORDS_AT_ONCE = 100;

export const JOBS: readonly Job[] = [
  {
    // Two rounds and the provider's time-outs stay within the 30 s in which everything is settled.
    name: 'settlement',
    everyMs: 5 * SECOND,
    lease: BILLING_LEASE,
    atOnce: true,
    begin: each(settlementRound),
  },
  // A job of its own, so that a long run does not delay settlement.
  { name: 'billing', everyMs: MINUTE_MS, lease: BILLING_LEASE, atOnce: true, begin: beginDailyRuns },
  { name: 'retention', everyMs: 30 * SECOND, begin: beginRetention },
  { name: 'checkpoint', everyMs: 10 * SECOND, begin: each(checkpointForEngine) },
  { name: 'log-cut', everyMs: SECOND, begin: each(({ config }) => cutLongLog(config.database)) },
  // Deleted rows are gone from the disk within seconds.
  { name: 'erased-bytes', everyMs: SECOND / 2, begin: each((context) => context.erasedBytes.cut(context)) },
  // Ends calls that no engine took in time, within a second.
  { name: 'call-expiry', everyMs: SECOND, begin: each(expireCalls) },
  // Places calls whose time has come, within a second.
  { name: 'scheduled-calls', everyMs: SECOND, lease: { name: 'scheduled-calls' }, begin: each(placeDue) },
  // Runs suites whose agent, business or tools have changed.
  { name: 'test-suites', everyMs: SECOND, lease: { name: 'test-suites' }, begin: each(startDueRuns) },
  // Keeps the log of changes short.
  {
    name: 'fold',
    everyMs: 250,
    lease: { name: 'fold' },
    begin: ({ db }) => (dialectOf(db).foldsTotals ? { run: () => foldTotals(db) } : null),
  },
  // Erases calls older than their account's retention, once a night.
  { name: 'call-sweep', everyMs: MINUTE_MS, lease: { name: 'sweep' }, begin: (context) => new CallSweeps(context) },
  { name: 'call-records', everyMs: 100, begin: each(addMissingRecords) },
  // Mails that another process left, and those that are to be tried again.
  { name: 'mails', everyMs: SECOND, begin: each(async ({ mail }) => mail.wake()) },
  // Tells owners what happened on calls, about a second after it.
  { name: 'notices', everyMs: SECOND, lease: { name: 'notices' }, begin: (context) => new NoticeJob(context) },
  // Prices what ended calls and conversations used, within seconds.
  { name: 'costs', everyMs: 2 * SECOND, lease: { name: 'costs' }, begin: each(priceUses) },
  // Looks at the figures that alert rules watch, each once a minute.
  { name: 'alerts', everyMs: 5 * SECOND, lease: { name: 'alerts' }, begin: (context) => new AlertJob(context) },
  // Sends texts by the carriers, within a second.
  { name: 'texts', everyMs: SECOND, lease: { name: 'texts' }, begin: (context) => new TextJob(context) },
  // Writes texts about appointments: confirmations, changes, reminders.
  {
    name: 'appointment-texts',
    everyMs: 5 * SECOND,
    lease: { name: 'appointment-texts' },
    begin: each(textAboutAppointments),
  },
  // Reads calendars that are connected, and writes what was booked into them within seconds.
  {
    name: 'calendars',
    everyMs: 5 * SECOND,
    lease: { name: 'calendars' },
    begin: (context) => new CalendarSync(context),
  },
  // Calls people the day before their appointment.
  {
    name: 'appointment-reminders',
    everyMs: 5 * SECOND,
    lease: { name: 'appointment-reminders' },
    begin: (context) => {
      const turns = new ReminderTurns();
      return { run: () => remindOfAppointments(context, turns) };
    },
  },
  // Sends the traces of calls that have ended, where a collector is set.
  {
    name: 'traces',
    everyMs: SECOND,
    lease: { name: 'traces' },
    begin: (context) => (context.config.traces === null ? null : new TraceJob(context)),
  },
  // Requests of web sites that were refused, counted in between.
  { name: 'widget-refusals', everyMs: 5 * SECOND, begin: each(writeWidgetRefusals) },
  { name: 'leftovers', everyMs: HOUR_MS, begin: beginLeftovers },
  { name: 'status', everyMs: 10 * SECOND, begin: beginProbes },
  // Within seconds of a limit: by then an hour's toll fraud has spent little more.
  { name: 'spend-alarms', everyMs: 5 * SECOND, begin: each(tellOfSpend) },
  // Ends versions that lead a share of the calls once it is known whether they are worse.
  { name: 'canaries', everyMs: 5 * SECOND, lease: { name: 'canaries' }, begin: each(judgeCanaries) },
  // Hands port orders over to the carrier, and asks it how they go on.
  { name: 'port-orders', everyMs: 10 * SECOND, lease: { name: 'port-orders' }, begin: each(followPortOrders) },
  // Brings purchases at carriers to an end that a dead process, or a carrier that did not answer, has left.
  {
    name: 'carrier-orders',
    everyMs: 5 * SECOND,
    lease: { name: 'carrier-orders' },
    begin: each((context) => goOnWithOrders(context, (order) => finishPurchase(context, order))),
  },
  // Asks carriers about numbers that were to go back, and of which a dead process or a lost answer says nothing.
  {
    name: 'number-releases',
    everyMs: 5 * SECOND,
    lease: { name: 'number-releases' },
    begin: each(settleReleases),
  },
  // Only with an object store: without one, files are deleted at once.
  {
    name: 'file-deletions',
    everyMs: 10 * SECOND,
    begin: (context) => (context.files.kind === 'local' ? null : { run: () => deleteNotedFiles(context) }),
  },
  // Reads what MCP servers offer again, each after an hour.
  { name: 'catalogues', everyMs: MINUTE_MS, begin: (context) => new CatalogueJob(context) },
  // Reads documents from their addresses again, each after its own hours.
  { name: 'documents', everyMs: MINUTE_MS, begin: each(refreshDocuments) },
  // Documents from before an upgrade, until none is left; what is added since then has its terms.
  {
    name: 'documents-index',
    everyMs: 100,
    begin: each(async (context) => ((await indexOlderDocuments(context)) ? null : FINISHED)),
  },
  { name: 'embedding', everyMs: SECOND, lease: { name: 'embedding' }, begin: beginEmbedding },
  { name: 'index-merge', everyMs: 15 * SECOND, begin: (context) => new IndexMerge(context) },
];

/**
 * The engine's writer checkpoints the write-ahead log; while it is down the API does it, or the log would only grow.
 */
async function checkpointForEngine(context: ApiContext): Promise<void> {
  if ((await readEngines(context, context.read)).reason !== null) await checkpoint(context.db);
}

/** Adds the records of calls from before an upgrade, until none is missing. */
async function addMissingRecords({ read, db }: ApiContext): Promise<unknown> {
  const isLeft = (await lacksRecords(read)) && (await addOlderRecords(db, OLDER_RECORDS_AT_ONCE));
  return isLeft ? null : FINISHED;
}

/** Removes the remains of killed uploads, backups and restores: before the API is ready, and each hour. */
async function beginLeftovers(context: ApiContext): Promise<JobRun> {
  const { dataDir } = context.config;
  await dropUnfinishedUploads(context);
  await dropLeftovers(dataDir);
  return { run: () => dropLeftovers(dataDir) };
}

function beginRetention(context: ApiContext): JobRun {
  const told = { until: null };
  return { run: () => runRetention(context, RETENTION, told) };
}

/** Samples the figures of `GET /admin/status`, so that the request need not wait for them. */
async function beginProbes({ probes }: ApiContext): Promise<JobRun> {
  await probes.sample().catch(() => undefined);
  return { run: () => probes.sample() };
}

/** Makes the vectors of documents, where a server for them is set. */
function beginEmbedding(context: ApiContext): JobRun | null {
  const { embeddings } = context.config;
  return embeddings === null ? null : new DocumentEmbedding(context, embeddings);
}
