// The writer's thread: takes all waiting operations as one group: one transaction, one fsync. Each operation has a
// savepoint, so a failure does not affect the others. With PostgreSQL, durable operations go through the spool.

import { parentPort, workerData } from 'node:worker_threads';
import { sql } from 'kysely';
import { type DatabaseTarget, openDatabase } from './database.ts';
import { messageOf } from './domain/unexpected.ts';
import { isPassingFault } from './faults.ts';
import { type OperationName, operations } from './operations.ts';
import { isEngineDead, noteOperation } from './queries/engine/applied.ts';
import type { Db } from './schema.ts';
import { sharedClockMs } from './shared/shared-clock.ts';
import type { SpooledOperation } from './spool.ts';
import { SpooledWrites } from './spooled-writes.ts';
import { checkpoint, truncateLog } from './upkeep.ts';
import { ENGINE_DEAD, type WriterLimits, type WriterMessage } from './writer.ts';

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
  /** It must not be lost. */
  isDurable?: boolean;
}

if (!parentPort) throw new Error('writer-thread.ts runs as a worker of db/writer.ts');
const port = parentPort;
const { database, maxPages, spool, engineId } = workerData as { database: DatabaseTarget } & WriterLimits;
const db = openDatabase(database, { synchronous: 'FULL', ...(maxPages === undefined ? {} : { maxPages }) });

const spooled =
  spool === undefined
    ? null
    : new SpooledWrites({
        path: spool,
        groupMax: GROUP_MAX,
        apply: applySpooled,
        onAway: (error, waiting) => post({ type: 'away', ...faultOf(error), waiting }),
      });

const queue: Array<{ request: Request; arrivedAt: number }> = [];
let running = false;
let closing = false;
let groups = 0;

const post = (message: WriterMessage): void => port.postMessage(message);

port.on('message', (message: Request | 'close') => {
  if (message === 'close') closing = true;
  else if (message.isDurable === true && spooled !== null) spoolLater(message);
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
  await spooled?.close();
  await db.destroy();
  post({ type: 'closed' });
}

async function runGroup(group: Request[]): Promise<void> {
  const answers: WriterMessage[] = [];
  try {
    await db.transaction().execute(async (transaction) => {
      await refuseDeadEngine(transaction as Db);
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

const failure = (id: number, error: unknown): WriterMessage => ({ type: 'failed', id, ...faultOf(error) });

function faultOf(error: unknown): { code: string; message: string } {
  const code = (error as { code?: unknown }).code;
  return { code: typeof code === 'string' ? code : 'OPERATION_FAILED', message: messageOf(error) };
}

/** Durable operations that came together are on the disk together. */
let arriving: Request[] = [];

function spoolLater(request: Request): void {
  arriving.push(request);
  if (arriving.length > 1) return;
  setImmediate(() => {
    const together = arriving;
    arriving = [];
    spooled?.add(
      together.map(({ id, name, args }) => ({
        name,
        args,
        settle: (outcome) =>
          post('fault' in outcome ? failure(id, outcome.fault) : { type: 'done', id, result: outcome.result }),
      })),
    );
  });
}

/** Each operation once, however often it is sent. @throws an error after which all of them are to be sent again */
async function applySpooled(
  group: readonly SpooledOperation[],
): Promise<Array<{ result: unknown } | { fault: unknown }>> {
  return db.transaction().execute(async (transaction) => {
    const outcomes: Array<{ result: unknown } | { fault: unknown }> = [];
    for (const { id, name, args } of group) outcomes.push(await applyOnce(transaction as Db, id, name, args));
    return outcomes;
  });
}

async function applyOnce(
  transaction: Db,
  id: string,
  name: string,
  args: unknown,
): Promise<{ result: unknown } | { fault: unknown }> {
  await sql.raw('savepoint operation').execute(transaction);
  try {
    const operation = operations[name as OperationName] as ((db: Db, args: unknown) => Promise<unknown>) | undefined;
    if (operation === undefined) throw new Error(`no operation of this release is called ${name}`);
    const result = (await noteOperation(transaction, id, Date.now())) ? await operation(transaction, args) : undefined;
    await sql.raw('release operation').execute(transaction);
    return { result };
  } catch (fault) {
    if (isPassingFault(fault)) throw fault;
    await sql.raw('rollback to operation').execute(transaction);
    await sql.raw('release operation').execute(transaction);
    return { fault };
  }
}

/** An engine that others took for dead has no calls any more, and must not begin or change one. */
async function refuseDeadEngine(transaction: Db): Promise<void> {
  if (engineId === undefined || !(await isEngineDead(transaction, engineId))) return;
  throw Object.assign(new Error('another engine has taken this one for dead'), { code: ENGINE_DEAD });
}

async function tidy(upkeep: (db: Db) => Promise<unknown>): Promise<void> {
  try {
    await upkeep(db);
  } catch {
    // A reader or a full disk prevents it: the next one tries again.
  }
}
