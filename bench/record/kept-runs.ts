// Runs one part of the bench in a separate process and keeps its output, so that an interrupted record continues where
// it stopped. A run counts only for its own arguments.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const RESULTS = new URL('../results/', import.meta.url);
const KEPT = new URL('./record/', RESULTS);
/** A part that takes this many times its usual duration, and at least ten minutes, hangs. */
const LIMIT_FACTOR = 5;
const LIMIT_MIN_MS = 10 * 60_000;
/** Most characters of a failed part's output in the record. */
const MESSAGE_LENGTH = 200;

export interface KeptRun {
  args: readonly string[];
  at: string;
  /** Version of the measured code; null: unknown. */
  version: string | null;
  seconds: number;
  loadBefore: number;
  loadAfter: number;
  /** Null: it succeeded. */
  failure: string | null;
}

const folderOf = (part: string, run: number): URL => new URL(`./${part}/${run}/`, KEPT);

/** The run, if it has these arguments and succeeded. */
export function keptRun(part: string, run: number, args: readonly string[]): KeptRun | null {
  try {
    const kept = JSON.parse(readFileSync(new URL('run.json', folderOf(part, run)), 'utf8')) as KeptRun;
    return kept.failure === null && kept.args.join(' ') === args.join(' ') ? kept : null;
  } catch {
    return null;
  }
}

export function forgetRuns(): void {
  rmSync(KEPT, { recursive: true, force: true });
}

/** Files of a run by their ending: `.md`, `.json`, `.svg`. */
export function filesOf(part: string, run: number, ending: string): URL[] {
  try {
    const folder = folderOf(part, run);
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending) && name !== 'run.json')
      .sort()
      .map((name) => new URL(name, folder));
  } catch {
    return [];
  }
}

/** The record itself is not part of the code: the first written part changes it. */
const NOT_CODE = [':(top,exclude)bench/RECORD.md', ':(top,exclude)bench/record-plots'];

function versionOfCode(): string | null {
  const options = { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8', stdio: 'pipe' } as const;
  const git = (...args: string[]): string => execFileSync('git', args, options).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':(top)', ...NOT_CODE) !== '';
    return git('describe', '--always') + (isChanged ? '-dirty' : '');
  } catch {
    return null;
  }
}

const load1 = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

export async function makeRun(
  part: { name: string; bench: string; seconds: number },
  run: number,
  args: readonly string[],
): Promise<KeptRun> {
  const folder = folderOf(part.name, run);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const startedMs = Date.now();
  const loadBefore = load1();
  const { code, output } = await runBench(part, args);
  const kept: KeptRun = {
    args,
    at: new Date(startedMs).toISOString(),
    version: versionOfCode(),
    seconds: Math.round((Date.now() - startedMs) / 1_000),
    loadBefore,
    loadAfter: load1(),
    failure: code === 0 ? null : `ended with ${code}: ${lastLine(output)}`,
  };
  writeFileSync(new URL('output.txt', folder), output);
  for (const name of readdirSync(RESULTS)) {
    const file = new URL(name, RESULTS);
    const { mtimeMs } = statSync(file);
    if (/\.(md|json|svg)$/.test(name) && mtimeMs >= startedMs) copyFileSync(file, new URL(name, folder));
  }
  writeFileSync(new URL('run.json', folder), `${JSON.stringify(kept, null, 2)}\n`);
  return kept;
}

function runBench(
  { bench, seconds }: { bench: string; seconds: number },
  args: readonly string[],
): Promise<{ code: number | string; output: string }> {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, bench, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (data: Buffer): void => {
    output += data.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const interrupt = (): void => {
    child.kill('SIGTERM');
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  const limit = setTimeout(() => child.kill('SIGKILL'), Math.max(LIMIT_MIN_MS, LIMIT_FACTOR * seconds * 1_000));
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      process.off('SIGINT', interrupt);
      resolve({ code: code ?? signal ?? 'no code', output });
    });
  });
}

/** The failure, from the last lines of the output. */
function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const error = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'no output';
  return error.trim().slice(0, MESSAGE_LENGTH);
}
