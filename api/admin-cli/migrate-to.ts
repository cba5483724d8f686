// Carries the database over: from SQLite to PostgreSQL, and back.
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { CarryOverError, type CarryOverProgress, carryOver, compareDatabases } from '../../db/carry-over.ts';
import { isPostgres, migrateDatabase, openDatabase, tryLease } from '../../db/database.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Lease } from '../../db/lease.ts';
import { UnsuitableDatabaseError } from '../../db/migration-files.ts';
import { beginCarryOver, endCarryOver } from '../../db/postgres/carry-over.ts';
import { foldAll } from '../../db/postgres/fold.ts';
import { SECRET_KEY_FILE } from '../../db/shared/secrets/secret-box.ts';
import { withoutTriggers } from '../../db/sqlite/carry-over.ts';
import type { ApiConfig } from '../config.ts';
import { CommandFailed, type OfflineCommand, print, readArguments, UsageError } from './command.ts';

const TO_SQLITE = 'sqlite';

export const migrateTo: OfflineCommand = {
  name: 'migrate-to',
  usage: `migrate-to postgres://USER:PASSWORD@HOST/NAME | sqlite
  copies the stopped service's database into an empty one of the other kind, and compares the two; stopped in between, it
  goes on where it was. To PostgreSQL from DATA_DIR; with DATABASE_URL set, "sqlite" writes a new voice.db in DATA_DIR.
  Recordings and documents stay where they are`,
  async runOffline(args, config) {
    const [to, ...more] = readArguments(args, {}).positionals;
    if (to === undefined || more.length > 0) throw new UsageError('the target is missing');
    if (to !== TO_SQLITE && !isPostgres(to)) throw new UsageError(`"${to}" is neither postgres://… nor sqlite`);
    if (isPostgres(config.database) === isPostgres(to)) {
      throw new UsageError(
        isPostgres(to)
          ? 'DATABASE_URL is set, so the service is on PostgreSQL: unset it to carry over the SQLite file of DATA_DIR'
          : 'DATABASE_URL is not set: it names the PostgreSQL database to carry over',
      );
    }
    await migrateDatabase(config.directDatabase);
    const locks = await lockAll(config);
    try {
      if (to === TO_SQLITE) await toSqlite(config);
      else await toPostgres(config, to);
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      throw new CommandFailed(`could not carry over: ${messageOf(error)}`);
    } finally {
      for (const lock of locks) await lock.release();
    }
  },
};

/** Nobody may write meanwhile: the processes hold these leases while they run, one or the other of several. */
async function lockAll({ directDatabase: database, dataDir }: ApiConfig): Promise<Lease[]> {
  const locks: Lease[] = [];
  for (const name of [isPostgres(database) ? 'coordinator' : 'engine', 'webhook-dispatcher', 'billing', 'sweep']) {
    const lock = await tryLease({ database, dataDir }, name);
    if (lock === null) {
      for (const taken of locks) await taken.release();
      throw new CommandFailed('the service is running: stop it first');
    }
    locks.push(lock);
  }
  return locks;
}

async function toPostgres(config: ApiConfig, url: string): Promise<void> {
  try {
    await beginCarryOver(url);
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError) throw new CommandFailed(error.message);
    throw error;
  }
  const rows = await copyAndCompare(config.database, url, () => endCarryOver(url));
  const secret = (name: string): string => join(config.dataDir, name);
  print(`${rows} rows carried over and compared. Start the service with
  DATABASE_URL=${withoutPassword(url)}
  SEALING_KEY, the text of ${config.sealingKey === null ? secret(SECRET_KEY_FILE) : 'today'}
  JWT_SECRET, ${config.jwtSecret === null ? 'at least 32 bytes: openssl rand -base64 48' : 'as today'}
${config.database} is as it was.`);
}

async function toSqlite(config: ApiConfig): Promise<void> {
  const path = join(config.dataDir, 'voice.db');
  if (existsSync(path)) throw new CommandFailed(`${path} already exists: move it away first`);
  const draft = `${path}.part`;
  for (const end of ['', '-wal', '-shm']) await rm(draft + end, { force: true });
  await foldTotals(config.database);
  await migrateDatabase(draft);
  const restore = withoutTriggers(draft);
  const rows = await copyAndCompare(config.database, draft, async () => restore());
  await rename(draft, path);
  const key = join(config.dataDir, SECRET_KEY_FILE);
  print(`${rows} rows carried over to ${path} and compared. Unset DATABASE_URL.
${existsSync(key) ? `${key} must have the text of SEALING_KEY` : `Keep SEALING_KEY set, or write its text to ${key}`}.`);
}

/** The log of changes is PostgreSQL's own: only what it was folded into is carried over. */
async function foldTotals(database: string): Promise<void> {
  const db = openDatabase(database);
  try {
    await foldAll(db);
  } finally {
    await db.destroy();
  }
}

async function copyAndCompare(from: string, to: string, restore: () => Promise<void>): Promise<number> {
  const [source, target] = [openDatabase(from, { readonly: true }), openDatabase(to)];
  try {
    await shown('copying', (onProgress) => carryOver(source, target, onProgress));
    await restore();
    return await shown('comparing', (onProgress) => compareDatabases(source, target, onProgress));
  } catch (error) {
    if (error instanceof CarryOverError) throw new CommandFailed(`${error.message}: empty the target and begin again`);
    throw error;
  } finally {
    await source.destroy();
    await target.destroy();
  }
}

/** A bar a table, on a terminal only. */
async function shown<R>(what: string, work: (onProgress: (progress: CarryOverProgress) => void) => Promise<R>) {
  const bar = new SingleBar({
    format: `${what} {table} {bar} {value}/{total}`,
    hideCursor: true,
    clearOnComplete: true,
  });
  let current = '';
  try {
    return await work(({ table, rows, total }) => {
      if (!process.stderr.isTTY || total === 0) return;
      if (table !== current) {
        if (current !== '') bar.stop();
        current = table;
        bar.start(total, rows, { table });
      } else bar.update(rows);
    });
  } finally {
    if (current !== '') bar.stop();
  }
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  return url.href;
}
