// Restores a backup into an empty DATA_DIR. No file gets its final name before the whole archive is read and checked.
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { extract } from 'tar';
import { messageOf } from '../../db/domain/unexpected.ts';
import { sealingKeyFault } from '../../db/sealing-key.ts';
import type { ApiConfig } from '../config.ts';
import { dropLeftovers, stagingPrefix } from '../upkeep/leftovers.ts';
import { isCopied, verifyDatabase } from './archive.ts';
import { CommandFailed, type OfflineCommand, print, readArguments, UsageError } from './command.ts';

export const restore: OfflineCommand = {
  name: 'restore',
  usage: `restore FILE
  restores a backup into DATA_DIR, which must be empty; the service of the backup must not run`,
  async runOffline(args, { dataDir, store, sealingKey }) {
    const { positionals } = readArguments(args, {});
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('one FILE is needed');
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await dropLeftovers(dataDir);
    await refuseUsed(dataDir);
    const staging = await mkdtemp(join(dataDir, stagingPrefix('restore')));
    try {
      const files = await unpack(resolve(file), staging, sealingKey);
      await moveInto(staging, dataDir);
      print(`${files} files restored to ${dataDir}`);
      if (store !== null) print('recordings that its rows have in the object store are read from there: files verify');
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  },
};

/** @throws {CommandFailed} if DATA_DIR contains anything but empty folders */
async function refuseUsed(dataDir: ApiConfig['dataDir']): Promise<void> {
  const found = (await readdir(dataDir, { recursive: true, withFileTypes: true })).find(
    (entry) => !entry.isDirectory(),
  );
  if (found === undefined) return;
  const name = join(found.parentPath, found.name);
  throw new CommandFailed(
    `DATA_DIR is not empty, nothing was changed: ${name} is there. Name a new folder in DATA_DIR`,
  );
}

async function unpack(file: string, staging: string, sealingKey: Buffer | null): Promise<number> {
  if (!(await stat(file).catch(() => null))?.isFile()) throw new CommandFailed(`${file} is not a file`);
  let files = 0;
  try {
    await extract({
      file,
      cwd: staging,
      strict: true,
      // An archive from another source may contain other entries: they are not written.
      filter: (path, entry) => {
        const isFile = 'type' in entry && (entry.type === 'File' || entry.type === 'OldFile');
        const isWanted = isFile && (path === 'voice.db' || isCopied(path, true));
        if (isWanted) files++;
        return isWanted;
      },
    });
    const database = join(staging, 'voice.db');
    if ((await stat(database).catch(() => null)) === null) throw new Error('it has no voice.db');
    verifyDatabase(database);
    const keyFault = await sealingKeyFault({ dataDir: staging, database, sealingKey });
    if (keyFault !== null) throw new Error(keyFault.message);
  } catch (error) {
    throw new CommandFailed(`cannot restore ${file}: ${messageOf(error)}`);
  }
  return files;
}

async function moveInto(staging: string, dataDir: string): Promise<void> {
  for (const name of await readdir(staging)) {
    const target = join(dataDir, name);
    // Empty folders of DATA_DIR would prevent the rename.
    await rmdir(target).catch(() => undefined);
    await rename(join(staging, name), target);
  }
}
