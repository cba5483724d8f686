// An engine's home is its DATA_DIR: one engine at a time has it, and whoever comes next closes the calls that its
// predecessor left. With SQLite the database lies there too, so one engine has the whole installation. The home is
// named by the id of its recordings, so that a recording's row says which engine has it.
import { type DatabaseTarget, isPostgres, tryFolderLease } from '../../db/database.ts';
import { isSilent } from '../../db/domain/heartbeat.ts';
import type { Lease } from '../../db/lease.ts';
import { listEngines } from '../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import { isGone } from '../../db/shared/process/process-lives.ts';
import { ConfigError } from '../../db/shared/settings/environment.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { type Clock, sleep } from '../clock.ts';
import { PREDECESSOR_WAIT_MS } from '../silence.ts';

/** An engine that was just killed may still be ending. */
const WAIT_MS = 3_000;
const TRY_EVERY_MS = 20;

interface HomeOptions {
  config: { database: DatabaseTarget; dataDir: string };
  clock: Clock;
}

/** Resolves with what gives it back. @throws {ConfigError} while another engine runs in the folder */
export async function takeHome({ config: { database, dataDir }, clock }: HomeOptions): Promise<() => Promise<void>> {
  const untilMs = clock.monotonicMs() + WAIT_MS;
  let lease: Lease | null = tryFolderLease(dataDir, 'engine');
  while (lease === null && clock.monotonicMs() < untilMs) {
    await sleep(clock, TRY_EVERY_MS);
    lease = tryFolderLease(dataDir, 'engine');
  }
  if (lease === null) {
    throw new ConfigError(
      'DATA_DIR',
      isPostgres(database)
        ? 'another engine runs in this folder: give this one a folder of its own'
        : 'another engine runs on this database: stop it first, or give this one a database of its own',
    );
  }
  return lease.release;
}

interface PredecessorOptions extends HomeOptions {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  engineId: string;
  home: string;
  skewMs: number;
}

/**
 * Takes the earlier engines of this home for dead, so that their calls can be closed. A lock on a folder says nothing
 * of a copy of it on another machine, so with PostgreSQL an earlier engine must be gone or silent.
 * @throws {ConfigError} while an engine with a copy of the folder lives
 */
export async function markPredecessorsDead(options: PredecessorOptions): Promise<void> {
  const { config, clock, read, writer, engineId, home, skewMs } = options;
  const isAlone = !isPostgres(config.database);
  const isOver = (engine: EngineTable): boolean =>
    isAlone || isGone(engine) || isSilent(engine.heartbeatAt, clock.nowMs() + skewMs);
  const untilMs = clock.monotonicMs() + PREDECESSOR_WAIT_MS;
  for (;;) {
    const earlier = (await listEngines(read)).filter(
      (engine) => engine.id !== engineId && engine.state !== 'stopped' && (isAlone || engine.home === home),
    );
    for (const { id } of earlier.filter(isOver)) await writer.runDurably('markEngineDead', { id });
    const living = earlier.find((engine) => !isOver(engine));
    if (living === undefined) return;
    if (clock.monotonicMs() > untilMs) {
      throw new ConfigError(
        'DATA_DIR',
        `it is a copy of the folder of the engine on ${living.hostname}, which runs: delete recordings/disk.id in this one`,
      );
    }
    await sleep(clock, TRY_EVERY_MS);
  }
}
