// The API's background work. Each entry starts its work and returns a function that ends it.

import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import { isPostgres } from '../../db/database.ts';
import { fold } from '../../db/postgres/fold.ts';
import { addOlderRecords, lacksRecords } from '../../db/queries/calls/records.ts';
import { checkpoint } from '../../db/upkeep.ts';
import { startBillingJobs } from '../billing/jobs.ts';
import { expireCalls } from '../calls/end.ts';
import { placeDue } from '../calls/scheduled.ts';
import { CallSweeps } from '../calls/sweeps.ts';
import type { ApiContext } from '../context.ts';
import { startDelivery } from '../delivery/background.ts';
import { DocumentEmbedding } from '../documents/embedding.ts';
import { IndexMerge } from '../documents/merge.ts';
import { indexOlderDocuments } from '../documents/reindex.ts';
import { refreshDocuments } from '../documents/sources.ts';
import { readEngines } from '../peers/engines.ts';
import { Leader } from '../peers/leader.ts';
import { startPeers } from '../peers/peer-heartbeat.ts';
import { dropUnfinishedUploads } from '../port-in/closed-documents.ts';
import { tellOfSpend } from '../spend/spend-alarms.ts';
import { refreshCatalogues } from '../tools/catalogues.ts';
import { deleteNotedFiles } from './file-deletions.ts';
import { dropLeftovers } from './leftovers.ts';
import { runRetention } from './retention.ts';

export interface BackgroundWork {
  stop(): Promise<void>;
  /**
   * Ports opened by this work, by variable (METRICS_PORT): reported to the supervisor, so that port 0 keeps its number
   * after a restart.
   */
  ports?: Record<string, string>;
}

export const background: ReadonlyArray<(context: ApiContext) => BackgroundWork | Promise<BackgroundWork>> = [
  startPeers,
  startBillingJobs,
  startDelivery,
  startRetention,
  startCheckpoints,
  startLogCuts,
  startCallExpiry,
  startScheduledCalls,
  startFold,
  startCallSweeps,
  startOlderRecords,
  startMails,
  startLeftovers,
  startStatusProbes,
  startSpendAlarms,
  startFileDeletions,
  startCatalogues,
  startDocuments,
  startOlderDocuments,
  startEmbedding,
  startIndexMerge,
];

/** Runs `work` every `everyMs`, never in parallel; `stop` waits for a running one. */
export function every(
  everyMs: number,
  context: ApiContext,
  name: string,
  work: () => Promise<unknown>,
): BackgroundWork {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => {
        if (!context.outage.explains(error)) context.log.error({ err: error, work: name }, 'background work failed');
      })
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

function startRetention(context: ApiContext): BackgroundWork {
  return every(30_000, context, 'retention', () => runRetention(context));
}

/**
 * The engine's writer checkpoints the write-ahead log; while it is down the API does it, or the log would only grow.
 */
function startCheckpoints(context: ApiContext): BackgroundWork {
  return every(10_000, context, 'checkpoint', async () => {
    if ((await readEngines(context, context.read)).reason !== null) await checkpoint(context.db);
  });
}

/**
 * About 60,000 pages. An import of a million contacts writes 4 GB to the log, and its own commits do not checkpoint.
 */
const LOG_BYTES_MAX = 256 * 1024 * 1024;

/** Truncates a long log: the engine's writer counts only its own commits and may checkpoint too slowly. */
function startLogCuts(context: ApiContext): BackgroundWork {
  const { database } = context.config;
  return every(1_000, context, 'log-cut', async () => {
    // Null with PostgreSQL, which keeps its log by itself.
    const log = await stat(`${database}-wal`).catch(() => null);
    if (log === null || log.size <= LOG_BYTES_MAX) return;
    const worker = new Worker(new URL('../threads/log-cut-thread.ts', import.meta.url), { workerData: { database } });
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  });
}

/** Ends calls that no engine took in time, within a second. */
function startCallExpiry(context: ApiContext): BackgroundWork {
  return every(1_000, context, 'call-expiry', () => expireCalls(context));
}

const FOLD_EVERY_MS = 250;

/** Places calls whose time has come, within a second. */
async function startScheduledCalls(context: ApiContext): Promise<BackgroundWork> {
  const leader = new Leader(context, 'scheduled-calls');
  await leader.start();
  const work = every(1_000, context, 'scheduled-calls', async () => {
    if (leader.leads) await placeDue(context);
  });
  return {
    async stop() {
      await work.stop();
      await leader.stop();
    },
  };
}

/** With PostgreSQL: keeps the log of changes short. */
async function startFold(context: ApiContext): Promise<BackgroundWork> {
  if (!isPostgres(context.config.database)) return { stop: async () => {} };
  const leader = new Leader(context, 'fold');
  await leader.start();
  const work = every(FOLD_EVERY_MS, context, 'fold', async () => {
    if (leader.leads) await fold(context.db);
  });
  return {
    async stop() {
      await work.stop();
      await leader.stop();
    },
  };
}

/** Erases calls older than their account's retention. */
async function startCallSweeps(context: ApiContext): Promise<BackgroundWork> {
  const sweeps = new CallSweeps(context);
  const leader = new Leader(context, 'sweep');
  await leader.start();
  const work = every(60_000, context, 'call-sweep', async () => {
    if (leader.leads) await sweeps.run();
  });
  return {
    async stop() {
      sweeps.stop();
      await work.stop();
      await leader.stop();
    },
  };
}

/** About 2 ms of the API's thread: a million calls get their records within twenty minutes. */
const OLDER_RECORDS_AT_ONCE = 100;

/** Adds the records of calls from before an upgrade, until none is missing. */
function startOlderRecords(context: ApiContext): BackgroundWork {
  const work = every(100, context, 'call-records', async () => {
    const isLeft = (await lacksRecords(context.read)) && (await addOlderRecords(context.db, OLDER_RECORDS_AT_ONCE));
    if (!isLeft) void work.stop();
  });
  return work;
}

/** Samples the figures of `GET /admin/status`, so that the request need not wait for them. */
async function startStatusProbes(context: ApiContext): Promise<BackgroundWork> {
  await context.probes.sample().catch(() => undefined);
  return every(10_000, context, 'status', () => context.probes.sample());
}

/** Removes the remains of killed uploads, backups and restores: at the start, and each hour. */
async function startLeftovers(context: ApiContext): Promise<BackgroundWork> {
  const { dataDir } = context.config;
  await dropUnfinishedUploads(context);
  await dropLeftovers(dataDir);
  return every(3_600_000, context, 'leftovers', () => dropLeftovers(dataDir));
}

/** Within seconds of a limit: by then an hour's toll fraud has spent little more. */
function startSpendAlarms(context: ApiContext): BackgroundWork {
  return every(5_000, context, 'spend-alarms', () => tellOfSpend(context));
}

/** Only with an object store: without one, files are deleted at once. */
function startFileDeletions(context: ApiContext): BackgroundWork {
  if (context.files.kind === 'local') return { stop: async () => {} };
  return every(10_000, context, 'file-deletions', () => deleteNotedFiles(context));
}

/** Mails that another process left, and those that are to be tried again. */
function startMails(context: ApiContext): BackgroundWork {
  return every(1_000, context, 'mails', () => context.mail.wake());
}

/** Reads what MCP servers offer again, each after an hour. */
function startCatalogues(context: ApiContext): BackgroundWork {
  return every(60_000, context, 'catalogues', () => refreshCatalogues(context));
}

/** Indexes documents from before an upgrade, until none is left; what is added since then has its terms. */
function startOlderDocuments(context: ApiContext): BackgroundWork {
  const work = every(100, context, 'documents-index', async () => {
    if (!(await indexOlderDocuments(context))) void work.stop();
  });
  return work;
}

function startIndexMerge(context: ApiContext): BackgroundWork {
  const merge = new IndexMerge(context);
  return every(15_000, context, 'index-merge', () => merge.run());
}

/** Only where a server for them is set. One API makes them. */
async function startEmbedding(context: ApiContext): Promise<BackgroundWork> {
  const { embeddings } = context.config;
  if (embeddings === null) return { stop: async () => {} };
  const work = new DocumentEmbedding(context, embeddings);
  const leader = new Leader(context, 'embedding');
  await leader.start();
  const runs = every(1_000, context, 'embedding', async () => {
    if (leader.leads) await work.run();
  });
  return {
    async stop() {
      await runs.stop();
      await leader.stop();
    },
  };
}

/** Reads documents from their addresses again, each after its own hours. */
function startDocuments(context: ApiContext): BackgroundWork {
  return every(60_000, context, 'documents', () => refreshDocuments(context));
}
