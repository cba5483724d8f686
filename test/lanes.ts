// Many test files in few processes: most of a short file's time is the start of a process and the loading of the
// product. Each process, a lane, takes the next file that nobody has taken when its last one has ended, so that all
// lanes end at about the same time. One half of the lanes takes from the front of the list and the other half from its
// back: neighbours need the same part of the product, and most lanes never load the whole of it.
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { noteCost, ownProcessorSeconds } from './costs.ts';

const LIST = 'files.json';
const LANE = '.lane.test.mjs';

/**
 * A file that waits for what will not come would hold its lane, and the run, until all lanes' time is up. Its process
 * ends in its place: it is told as unfinished, and other lanes take what is left.
 */
const FILE_MOST_MS = 500_000;

/** Sockets that still close when the last file has ended are closed by then. */
const CLOSED_BY_MS = 2_000;

/** Some lists of files, each in order; a list begins when all files before it are taken. */
type Lists = readonly (readonly string[])[];

/** Writes the lanes to `folder`; @returns the files to run, one a lane */
export function writeLanes(lists: Lists, count: number, folder: string): string[] {
  const lanes = Math.min(count, lists.flat().length);
  writeFileSync(join(folder, LIST), JSON.stringify(lists));
  return Array.from({ length: lanes }, (_, index) => {
    const path = join(folder, `${index}${LANE}`);
    const end = index % 2 === 0 ? 'front' : 'back';
    writeFileSync(
      path,
      `import { runLane } from ${JSON.stringify(import.meta.url)};\nawait runLane(${JSON.stringify(folder)}, '${end}');\n`,
    );
    return path;
  });
}

/** Whether a result is of a lane itself: it says nothing of any test but where the lane has died. */
export const isLane = (file: string | undefined): boolean => file?.endsWith(LANE) ?? false;

/** The files that no lane has run to their end: a process may end in the middle, and as if all were well. */
export const unfinished = (lists: Lists, folder: string): string[] =>
  lists.flat().filter((_, index) => !existsSync(mark(folder, 'ended', index)));

/** Runs, one after the other, the files that this lane takes. */
export async function runLane(folder: string, end: 'front' | 'back'): Promise<void> {
  const lists = JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as Lists;
  const numbers = new Map(lists.flat().map((file, index) => [file, index]));
  /** By kind of resource, the files after which more of it were open than before. */
  const openedBy = new Map<string, string[]>();
  for (const list of lists) {
    for (const file of end === 'front' ? list : list.toReversed()) {
      const number = numbers.get(file) ?? 0;
      if (!make(mark(folder, 'taken', number))) continue;
      const [beganAtMs, before, opened] = [performance.now(), ownProcessorSeconds(), openResources()];
      const watchdog = setTimeout(() => {
        process.stderr.write(`${file} has not ended after ${FILE_MOST_MS / 1_000} s\n`);
        process.exit(1);
      }, FILE_MOST_MS);
      await runGroup(file);
      clearTimeout(watchdog);
      for (const [kind, count] of openResources()) {
        if (count > (opened.get(kind) ?? 0)) openedBy.set(kind, [...(openedBy.get(kind) ?? []), file]);
      }
      make(mark(folder, 'ended', number));
      noteCost(file, {
        seconds: (performance.now() - beganAtMs) / 1_000,
        processorSeconds: ownProcessorSeconds() - before,
      });
    }
  }
  setTimeout(() => {
    for (const [kind, files] of openedBy) {
      if (!openResources().has(kind)) continue;
      process.stderr.write(`a lane waits for what a test has left open: ${kind}, of one of ${files.join(', ')}\n`);
    }
  }, CLOSED_BY_MS).unref();
}

/** The resources that keep this process alive, by kind, such as UDPWrap, but for its own output. */
function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind !== 'PipeWrap' && kind !== 'Timeout') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/**
 * Each file is a group of its own, so that its hooks apply only to it. It resolves just before the group ends: where no
 * group is left, node:test takes the process to be at its end, and no file could follow.
 */
function runGroup(file: string): Promise<void> {
  return new Promise((resolve) => {
    const ended = describe(file, async () => {
      try {
        await import(pathToFileURL(file).href);
      } finally {
        // The last hook of the file; the next group begins meanwhile.
        after(async () => {
          resolve();
          await setImmediate();
        });
      }
    });
    void ended.then(resolve);
  });
}

const mark = (folder: string, what: 'taken' | 'ended', index: number): string => join(folder, `${what}-${index}`);

/** Whether this lane is the first to make the file: the file system decides between two. */
function make(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
