// The writer's thread: carries out what the engine sends, and answers after the commit.
import { parentPort, workerData } from 'node:worker_threads';
import { type DatabaseTarget, isPostgres, openDatabase } from '../database.ts';
import { messageOf } from '../domain/unexpected.ts';
import type { Db } from '../schema.ts';
import { joinQuietMemory } from '../shared/process/quiet-memory.ts';
import { sharedClockMs } from '../shared/process/shared-clock.ts';
import type { DatabaseWrites } from './database-writes.ts';
import { GroupedWrites } from './grouped-writes.ts';
import { type OperationName, operations } from './operations.ts';
import type { Outcome } from './spooled-writes.ts';
import type { WriterLimits, WriterMessage } from './writer.ts';

interface Request {
  id: number;
  name: OperationName;
  args: unknown;
  /** Deadline by `sharedClockMs`: afterwards nobody waits for the operation. */
  notAfterMs?: number;
  isDurable: boolean;
}

if (!parentPort) throw new Error('writer-thread.ts runs as a worker of db/writing/writer.ts');
const port = parentPort;
joinQuietMemory();
const { database, maxPages, spool, engineId } = workerData as { database: DatabaseTarget } & WriterLimits;
const db = openDatabase(database, {
  synchronous: 'FULL',
  keepsPlans: true,
  ...(maxPages === undefined ? {} : { maxPages }),
});
const post = (message: WriterMessage): void => port.postMessage(message);
const writes = await openWrites();

port.on('message', (message: Request | 'close') => {
  if (message === 'close') void close();
  else write(message);
});

async function openWrites(): Promise<DatabaseWrites> {
  if (!isPostgres(database)) return new GroupedWrites(db);
  const { ParallelWrites } = await import('./parallel-writes.ts');
  const onAway = (error: unknown, waiting: number): void => post({ type: 'away', ...faultOf(error), waiting });
  return new ParallelWrites({ db, spool, engineId, onAway });
}

function write({ id, name, args, notAfterMs, isDurable }: Request): void {
  const arrivedAtMs = performance.now();
  writes.add({
    name,
    args,
    isDurable,
    async run(tx) {
      if (notAfterMs !== undefined && sharedClockMs() > notAfterMs)
        throw Object.assign(new Error('the database could not be written in time'), { code: 'WRITER_EXPIRED' });
      return (operations[name] as (db: Db, args: unknown) => Promise<unknown>)(tx, args);
    },
    settle(outcome) {
      post({ ...answer(id, outcome), ms: performance.now() - arrivedAtMs });
    },
  });
}

const answer = (id: number, outcome: Outcome) =>
  'fault' in outcome
    ? ({ type: 'failed', id, ...faultOf(outcome.fault) } as const)
    : ({ type: 'done', id, result: outcome.result } as const);

function faultOf(error: unknown): { code: string; message: string } {
  const code = (error as { code?: unknown }).code;
  return { code: typeof code === 'string' ? code : 'OPERATION_FAILED', message: messageOf(error) };
}

async function close(): Promise<void> {
  await writes.close();
  await db.destroy();
  post({ type: 'closed' });
}
