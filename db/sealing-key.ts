// Checks that the key in DATA_DIR sealed the values in its database. A copied database with another key works until the
// first sealed value is needed, so both processes check at their start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installationSecret, SECRET_KEY_FILE, unseal } from './shared/secret-box.ts';
import { openRaw } from './sqlite.ts';

/** A few of each kind are enough for the check. */
const SAMPLES_PER_KIND = 5;

/** The sealed columns, and the context of each box. A backup of an earlier release lacks the newer tables. */
const SEALED = [
  { table: 'trunks', context: 'id', box: 'password_sealed' },
  { table: 'sip_accounts', context: 'id', box: 'password_sealed' },
  { table: 'users', context: "'totp:' || id", box: 'totp_secret' },
  { table: 'mails', context: 'id', box: 'box' },
  { table: 'model_settings', context: "'model:' || kind", box: 'key_sealed' },
  { table: 'model_settings', context: "'model-fallback:' || kind", box: 'fallback_key_sealed' },
];

/**
 * The fault if the database has sealed values and the key opens none of them; else null. Call it before the first use
 * of the key, because a missing key would be generated.
 */
export function sealingKeyFault({ dataDir, databasePath }: { dataDir: string; databasePath: string }): string | null {
  const raw = openRaw(databasePath, { readonly: true });
  let samples: Array<{ context: string; box: string }>;
  try {
    const hasTable = raw.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
    samples = SEALED.filter(({ table }) => hasTable.get(table) !== undefined).flatMap(
      ({ table, context, box }) =>
        raw
          .prepare(`select ${context} as context, ${box} as box from ${table} where ${box} is not null limit ?`)
          .all(SAMPLES_PER_KIND) as Array<{ context: string; box: string }>,
    );
  } finally {
    raw.close();
  }
  if (samples.length === 0) return null;
  const path = join(dataDir, SECRET_KEY_FILE);
  const remedy = 'restore it from the backup that the database comes from';
  if (!existsSync(path)) return `${path} is missing, and voice.db needs it: ${remedy}`;
  const key = installationSecret(dataDir, SECRET_KEY_FILE);
  const isItsKey = samples.some(({ context, box }) => opens(key, context, box));
  return isItsKey ? null : `${path} is not the key of voice.db: ${remedy}`;
}

function opens(key: Buffer, context: string, box: string): boolean {
  try {
    unseal(key, context, box);
    return true;
  } catch {
    return false;
  }
}
