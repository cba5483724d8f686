// The writer's thread: takes all waiting operations as one group: one transaction, one fsync. Each operation has a
// savepoint, so a failure does not affect the others.

import { parentPort, workerData } from 'node:worker_threads';
import { sql } from 'kysely';
import { type DatabaseTarget, openDatabase } from './database.ts';
import { messageOf } from './domain/unexpected.ts';
import { type OperationName, operations } from './operations.ts';
import type { Db } from './schema.ts';
import { sharedClockMs } from './shared/shared-clock.ts';
import { checkpoint, truncateLog } from './upkeep.ts';
import type { WriterLimits, WriterMessage } from './writer.ts';

/** Most operations per commit: such a group takes about 5 ms. */
const GROUP_MAX = 64;
/** Groups between checkpoints; only this thread checkpoints while the engine runs. */
const CHECKPOINT_EVERY_GROUPS = 400;

interface Request {
  id: number;
  name: OperationName;
  args: unknown;
  /** Deadline by `sharedClockMs`: afterwards nobody waits for the operation. */
  notAfterMs?: number;
}

if (!parentPort) throw new Error('writer-thread.ts runs as a worker of db/writer.ts');
const port = parentPort;
const { database, maxPages } = workerData as { database: DatabaseTarget } & WriterLimits;
const db = openDatabase(database, { synchronous: 'FULL', ...(maxPages === undefined ? {} : { maxPages }) });

const queue: Array<{ request: Request; arrivedAt: number }> = [];
let running = false;
let closing = false;
let groups = 0;

const post = (message: WriterMessage): void => port.postMessage(message);

port.on('message', (message: Request | 'close') => {
  if (message === 'close') closing = true;
  else queue.push({ request: message, arrivedAt: performance.now() });
  if (!running) void drain();
});

async function drain(): Promise<void> {
  running = true;
  while (queue.length > 0) {
    const group = queue.splice(0, GROUP_MAX);
    await runGroup(group.map((entry) => entry.request));
    const first = group[0];
    if (first) post({ type: 'group', ms: performance.now() - first.arrivedAt });
    if (++groups % CHECKPOINT_EVERY_GROUPS === 0) await tidy(checkpoint);
  }
  running = false;
  if (!closing) return;
  await tidy(truncateLog);
  await db.destroy();
  post({ type: 'closed' });
}

async function runGroup(group: Request[]): Promise<void> {
  const answers: WriterMessage[] = [];
  try {
    await db.transaction().execute(async (transaction) => {
      for (const request of group) answers.push(await runOne(transaction as Db, request));
    });
  } catch (error) {
    // Begin or commit failed: no operation of the group took effect.
    for (const request of group) post(failure(request.id, error));
    return;
  }
  for (const answer of answers) post(answer);
}

async function runOne(transaction: Db, request: Request): Promise<WriterMessage> {
  if (request.notAfterMs !== undefined && sharedClockMs() > request.notAfterMs) {
    const message = 'the database could not be written in time';
    return { type: 'failed', id: request.id, code: 'WRITER_EXPIRED', message };
  }
  await sql.raw('savepoint operation').execute(transaction);
  try {
    const operation = operations[request.name] as (db: Db, args: unknown) => Promise<unknown>;
    const result = await operation(transaction, request.args);
    await sql.raw('release operation').execute(transaction);
    return { type: 'done', id: request.id, result };
  } catch (error) {
    await sql.raw('rollback to operation').execute(transaction);
    await sql.raw('release operation').execute(transaction);
    return failure(request.id, error);
  }
}

function failure(id: number, error: unknown): WriterMessage {
  const code = (error as { code?: unknown }).code;
  return {
    type: 'failed',
    id,
    code: typeof code === 'string' ? code : 'OPERATION_FAILED',
    message: messageOf(error),
  };
}

async function tidy(upkeep: (db: Db) => Promise<unknown>): Promise<void> {
  try {
    await upkeep(db);
  } catch {
    // A reader or a full disk prevents it: the next one tries again.
  }
}
