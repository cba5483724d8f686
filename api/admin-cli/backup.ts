// Writes one archive with everything that a restore needs, while the service runs: a consistent copy of the database,
// made in steps so that no writer waits for it, the keys, and optionally the recordings.
import { copyFile, link, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { isPostgres } from '../../db/database.ts';
import { sealingKeyFault } from '../../db/sealing-key.ts';
import { SECRET_KEY_FILE } from '../../db/shared/secrets/secret-box.ts';
import { openRaw } from '../../db/sqlite/open.ts';
import type { ApiConfig } from '../config.ts';
import { dropLeftovers, stagingPrefix } from '../upkeep/leftovers.ts';
import { isCopied, verifyDatabase } from './archive.ts';
import { type Command, CommandFailed, print, readArguments, UsageError } from './command.ts';

/** 4 MiB a step at pages of 4 KiB: a step takes some milliseconds, and other writers run between steps. */
const PAGES_A_STEP = 1_024;

export const backup: Command = {
  name: 'backup',
  usage: `backup FILE [--recordings]
  writes one archive (tar; FILE.tar.gz is compressed) of database, keys, documents and unsent mails; FILE must not exist
  yet. --recordings adds the recordings. It contains every secret of the installation: protect it like a password`,
  async run(args, context) {
    const { values, positionals } = readArguments(args, { recordings: { type: 'boolean', default: false } });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('one FILE is needed');
    const target = resolve(file);
    if (isPostgres(context.config.database)) throw new CommandFailed(POSTGRES_BACKUP);
    if (await exists(target)) throw new CommandFailed(`${target} already exists`);
    if (!(await exists(dirname(target)))) throw new UsageError(`${dirname(target)} does not exist`);
    // In DATA_DIR, so that files can be linked: a file that the service deletes meanwhile stays in the backup.
    await dropLeftovers(context.config.dataDir);
    const staging = await mkdtemp(join(context.config.dataDir, stagingPrefix('backup')));
    // An incomplete archive never has the final name.
    const draft = `${target}.part`;
    try {
      await copyDatabase(context.config.database, join(staging, 'voice.db'));
      const files = 1 + (await copyFiles(context.config, staging, values.recordings === true));
      await checkKey(context.config, staging);
      const entries = (await readdir(staging)).sort();
      await create({ cwd: staging, file: draft, gzip: /\.t?gz$/.test(target), portable: true, mode: 0o600 }, entries);
      await rename(draft, target);
      print(`${files} files written to ${target}`);
      if (context.files.kind === 's3') print(STORE_BACKUP);
    } finally {
      await rm(staging, { recursive: true, force: true });
      await rm(draft, { force: true });
    }
  },
};

const POSTGRES_BACKUP =
  'the database is PostgreSQL: back it up by pg_dump, together with SEALING_KEY and the files of DATA_DIR';
const STORE_BACKUP = 'what is in the object store is not in it: back up the bucket by the tools of the store';

async function copyDatabase(from: string, to: string): Promise<void> {
  const source = openRaw(from, { readonly: true });
  try {
    await source.backup(to, { progress: () => PAGES_A_STEP });
  } finally {
    source.close();
  }
  // A backup must be restorable.
  verifyDatabase(to);
}

/**
 * Links the files beside the database, after its copy, so that all files named in the copy exist. Files and folders
 * that are links themselves, as mounted secrets are, are followed, each folder once. Returns their number.
 */
async function copyFiles({ dataDir }: ApiConfig, staging: string, withRecordings: boolean): Promise<number> {
  const followed = new Set<string>();
  let copied = 0;
  const copy = async (name: string): Promise<void> => {
    const path = join(dataDir, name);
    const found = await followedStat(path);
    if (found?.isFile()) {
      if (!isCopied(name, withRecordings)) return;
      await mkdir(dirname(join(staging, name)), { recursive: true, mode: 0o700 });
      if (await linkOrCopy(path, join(staging, name))) copied++;
    } else if (found?.isDirectory() && isCopied(join(name, 'any'), withRecordings)) {
      const folder = await realpath(path);
      if (followed.has(folder)) return;
      followed.add(folder);
      for (const each of await readdir(path)) await copy(join(name, each));
    }
  };
  for (const name of await readdir(dataDir)) await copy(name);
  return copied;
}

/** Null: it has been deleted in the meantime. @throws {CommandFailed} for a link to nothing */
async function followedStat(path: string) {
  const found = await stat(path).catch(() => null);
  if (found === null && (await lstat(path).catch(() => null))?.isSymbolicLink())
    throw new CommandFailed(`${path} is a link to nothing: nothing was backed up`);
  return found;
}

/** A backup whose sealed values nothing opens restores nobody's telephones. */
async function checkKey({ dataDir, sealingKey }: ApiConfig, staging: string): Promise<void> {
  if (sealingKey === null && !(await exists(join(staging, SECRET_KEY_FILE))))
    throw new CommandFailed(`${join(dataDir, SECRET_KEY_FILE)} is missing: nothing was backed up`);
  const fault = await sealingKeyFault({ dataDir: staging, database: join(staging, 'voice.db'), sealingKey });
  if (fault !== null) throw new CommandFailed(`nothing was backed up: ${fault.variable}: ${fault.message}`);
}

/** False for a file that has been deleted in the meantime. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    // Not every file system has hard links, and none of them leads to another one.
    await link(await realpath(from), to).catch(() => copyFile(from, to));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
