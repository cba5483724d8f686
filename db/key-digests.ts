// Finds keys that differ between the machines of one database, at the start: sessions of one API would be invalid at
// the others, and values that one seals would open for nobody else. The database has digests that are keyed by the
// secrets, never the secrets. While another process runs, a different key is refused; when all have ended, a new one
// may begin.
import { createHmac } from 'node:crypto';
import { type DatabaseTarget, isPostgres, openDatabase } from './database.ts';
import { PROCESS_ALIVE_MS } from './domain/heartbeat.ts';
import { someEngineRuns } from './queries/engine/engines.ts';
import { livingProcesses } from './queries/engine/processes.ts';
import { readSetting, writeSetting } from './queries/settings/settings.ts';
import type { Db } from './schema.ts';

export interface NamedKey {
  variable: 'SEALING_KEY' | 'JWT_SECRET';
  secret: Buffer | string;
  /** Keys that need not agree, such as those of two environments, have different ones. */
  of?: string;
}

type Stored = Record<string, { digest: string; atMs: number }>;

const digestOf = ({ variable, secret }: NamedKey): string =>
  createHmac('sha256', secret).update(`voice ${variable}`).digest('base64url');

/** The first key that differs from that of the processes that run; else null, and the keys are noted. */
export async function differingKey(db: Db, keys: readonly NamedKey[], nowMs: number): Promise<NamedKey | null> {
  return db.transaction().execute(async (trx) => {
    const stored = JSON.parse((await readSetting(trx, 'keyDigests')) ?? '{}') as Stored;
    const next = { ...stored };
    for (const key of keys) {
      const name = `${key.variable} ${key.of ?? ''}`.trim();
      const digest = digestOf(key);
      const before = stored[name];
      if (before?.digest === digest) continue;
      if (before !== undefined && (nowMs - before.atMs < PROCESS_ALIVE_MS || (await someRun(trx, nowMs)))) return key;
      next[name] = { digest, atMs: nowMs };
    }
    if (JSON.stringify(next) !== JSON.stringify(stored)) await writeSetting(trx, 'keyDigests', JSON.stringify(next));
    return null;
  });
}

async function someRun(db: Db, nowMs: number): Promise<boolean> {
  const sinceMs = nowMs - PROCESS_ALIVE_MS;
  return (await livingProcesses(db, sinceMs)).length > 0 || (await someEngineRuns(db, sinceMs));
}

/** The fault of a key that the other machines do not have. One machine has its keys in DATA_DIR, and nobody to ask. */
export async function keyDigestFault(
  database: DatabaseTarget,
  keys: readonly NamedKey[],
  nowMs: number,
): Promise<{ variable: string; message: string } | null> {
  if (!isPostgres(database)) return null;
  const db = openDatabase(database);
  try {
    const key = await differingKey(db, keys, nowMs);
    if (key === null) return null;
    const remedy = 'set theirs, or stop all of them before the key is changed';
    return { variable: key.variable, message: `is not the one of the processes that run on this database: ${remedy}` };
  } finally {
    await db.destroy();
  }
}
