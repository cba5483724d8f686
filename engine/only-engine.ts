// Holds the engine's lock on the database. A starting engine hangs up on the calls that others left open, so it must
// not start beside one that has calls.
import { type DatabaseTarget, databaseVariable, tryLock } from '../db/database.ts';
import type { ProcessLock } from '../db/process-lock.ts';
import { ConfigError } from '../db/shared/environment.ts';
import { type Clock, every, sleep } from './clock.ts';

/** An engine that was just killed may still be ending. */
const WAIT_MS = 3_000;
const TRY_EVERY_MS = 100;
const LOOK_EVERY_MS = 1_000;

export interface OnlyEngineOptions {
  config: { database: DatabaseTarget; directDatabase: DatabaseTarget; dataDir: string };
  clock: Clock;
  /** Another engine took the lock while the connection to the database was lost. */
  onReplaced(): void;
}

/** @throws {ConfigError} while another engine runs on the database */
export async function beOnlyEngine({ config, clock, onReplaced }: OnlyEngineOptions): Promise<ProcessLock> {
  const at = { database: config.directDatabase, dataDir: config.dataDir };
  const untilMs = clock.monotonicMs() + WAIT_MS;
  let lock = await tryLock(at, 'engine');
  while (lock === null && clock.monotonicMs() < untilMs) {
    await sleep(clock, TRY_EVERY_MS);
    lock = await tryLock(at, 'engine');
  }
  if (lock === null) {
    throw new ConfigError(
      databaseVariable(config.database),
      'another engine runs on this database: stop it first, or give this one a database of its own',
    );
  }
  let held = lock;
  const stop = every(clock, LOOK_EVERY_MS, () => {
    if (held.isHeld) return;
    tryLock(at, 'engine').then(
      (again) => {
        if (again === null) onReplaced();
        else held = again;
      },
      // The database is still away.
      () => undefined,
    );
  });
  return {
    get isHeld() {
      return held.isHeld;
    },
    release() {
      stop();
      held.release();
    },
  };
}
