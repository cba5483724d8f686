// Checks that the key in DATA_DIR sealed the values in its database. A copied database with another key works until the
// first sealed value is needed, so both processes check at their start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type DatabaseTarget, openDatabase } from './database.ts';
import { SECRET_KEY_FILE, sealingKeyOf, unseal } from './shared/secrets/secret-box.ts';

/** A few of each kind are enough for the check. */
const SAMPLES_PER_KIND = 5;

/** The sealed columns, and the context of each box. A backup of an earlier release lacks the newer tables. */
const SEALED = [
  { table: 'trunks', context: 'id', box: 'password_sealed' },
  { table: 'sip_accounts', context: 'id', box: 'password_sealed' },
  { table: 'users', context: "'totp:' || id", box: 'totp_secret' },
  { table: 'mails', context: 'id', box: 'box' },
  { table: 'carriers', context: "'carrier:' || id", box: 'key_sealed' },
  { table: 'carriers', context: "'carrier-trunk:' || id", box: 'trunk_secret' },
  { table: 'model_settings', context: "'model:' || kind", box: 'key_sealed' },
  { table: 'model_settings', context: "'model-fallback:' || kind", box: 'fallback_key_sealed' },
];

interface KeyFault {
  /** The variable that leads to the key. */
  variable: 'SEALING_KEY' | 'DATA_DIR';
  message: string;
}

/**
 * The fault if the database has sealed values and the key opens none of them; else null. Call it before the first use
 * of the key, because a missing key would be generated.
 */
export async function sealingKeyFault(config: {
  dataDir: string;
  database: DatabaseTarget;
  sealingKey: Buffer | null;
}): Promise<KeyFault | null> {
  const samples = await sealedSamples(config.database);
  if (samples.length === 0) return null;
  const opensOne = (): boolean => {
    const key = sealingKeyOf(config);
    return samples.some(({ context, box }) => opens(key, context, box));
  };
  if (config.sealingKey !== null) {
    const message = 'is not the key of the values that are sealed in the database: set the one that sealed them';
    return opensOne() ? null : { variable: 'SEALING_KEY', message };
  }
  const path = join(config.dataDir, SECRET_KEY_FILE);
  const remedy = 'restore it from the backup that the database comes from';
  if (!existsSync(path))
    return { variable: 'DATA_DIR', message: `${path} is missing, and voice.db needs it: ${remedy}` };
  return opensOne() ? null : { variable: 'DATA_DIR', message: `${path} is not the key of voice.db: ${remedy}` };
}

interface Sample {
  context: string;
  box: string;
}

async function sealedSamples(database: DatabaseTarget): Promise<Sample[]> {
  const db = openDatabase(database, { readonly: true });
  try {
    const tables = new Set((await db.introspection.getTables()).map(({ name }) => name));
    const samples: Sample[] = [];
    for (const { table, context, box } of SEALED.filter(({ table }) => tables.has(table))) {
      const { rows } = await sql<Sample>`select ${sql.raw(context)} as context, ${sql.raw(box)} as box
        from ${sql.raw(table)} where ${sql.raw(box)} is not null limit ${SAMPLES_PER_KIND}`.execute(db);
      samples.push(...rows);
    }
    return samples;
  } finally {
    await db.destroy();
  }
}

function opens(key: Buffer, context: string, box: string): boolean {
  try {
    unseal(key, context, box);
    return true;
  } catch {
    return false;
  }
}
