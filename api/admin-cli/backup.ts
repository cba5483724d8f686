// A consistent copy of the database while the service runs, made in steps so that no writer waits for it. Recordings and
// the generated secrets lie beside it in DATA_DIR and are copied as files.
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openRaw } from '../../db/sqlite.ts';
import { type Command, CommandFailed, print, readArguments, UsageError } from './command.ts';

/** 4 MiB a step at pages of 4 KiB: a step takes some milliseconds, and other writers come in between. */
const PAGES_A_STEP = 1_024;

export const backup: Command = {
  name: 'backup',
  usage: `backup FILE
  writes a consistent copy of the database to FILE, which must not exist yet`,
  async run(args, context) {
    const { positionals } = readArguments(args, {});
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError('one FILE is needed');
    const target = resolve(file);
    if (await exists(target)) throw new CommandFailed(`${target} exists already`);
    if (!(await exists(dirname(target)))) throw new UsageError(`${dirname(target)} does not exist`);
    // An incomplete copy never has the final name.
    const draft = `${target}.part`;
    const source = openRaw(context.config.databasePath, { readonly: true });
    try {
      const { totalPages } = await source.backup(draft, { progress: () => PAGES_A_STEP });
      verify(draft);
      await rename(draft, target);
      print(`${totalPages} pages written to ${target}`);
    } finally {
      source.close();
      // Looking at the copy left its shared memory and log beside it.
      for (const left of ['', '-shm', '-wal']) await rm(`${draft}${left}`, { force: true });
    }
  },
};

/** A copy that cannot be restored is worthless. */
function verify(path: string): void {
  const copy = openRaw(path, { readonly: true });
  try {
    const found = copy.pragma('quick_check', { simple: true });
    if (found !== 'ok') throw new Error(`the copy is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
