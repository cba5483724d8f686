// `npm test`: the quick loop, and everything else by options. A file's folder decides its kind (kinds.ts); the
// kinds begin one after the other, with one summary line at the end.
import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { postgresPrograms, startPostgres } from '../bench/rig/database/postgres-server.ts';
import { roomiestFolder } from '../bench/rig/temporary-folder.ts';
import { type Cost, collectCosts, processorSeconds, tableOfFiles, tableOfKinds } from './costs.ts';
import { watchRoom } from './idle.ts';
import { inTurn, type Work } from './in-turn.ts';
import { beginsFirst, inOrder, isQuick, KINDS, type Kind, kindOf, shareOf } from './kinds.ts';
import { isLane, unfinished, writeLanes } from './lanes.ts';
import { type Counts, type PostgresRun, runOnPostgresAgain, runOnPostgresBeside } from './on-postgres.ts';
import { changedSince, reachedTests } from './reach.ts';

const USAGE = `usage: npm test                        the loop: ${KINDS[0].what}
       npm test -- --all               every test; with --without-loop those that npm test has not run
       npm test -- --postgres          the tests of the API, on a PostgreSQL server of their own; with --without-wide
                                       those of the loop alone, as --all has them but in the nightly run
       npm test -- PART…               the files, of any kind, whose path below test/ contains a PART
       npm test -- --since REVISION    the quick files that the change since then reaches; with --all of any kind

kinds, by folder of test/:
${KINDS.map(({ folders, what }) => `  ${(folders.join(', ') || '(others)').padEnd(18)} ${what}`).join('\n')}`;

/** Files of one kind, and on PostgreSQL, where all of them have only the time that others leave; more are a defect. */
const MOST_RUN_AGAIN = { kind: 6, onPostgres: 20 } as const;
/** Files that are run again, when nothing else runs. */
const AGAIN_AT_ONCE = 2;
/** Whether the machine has time for one file more is looked at so often. */
const LOOK_MS = 500;
/** Of a failure at the end of the output; the whole of it stands where the test ran. */
const MOST_LINES = 12;
const MOST_CHARACTERS = 1_200;
/** A file that has not ended by then hangs; a lane runs a quarter of all files, on a busy machine for minutes. */
const TIMEOUT_MS = { file: 500_000, lane: 1_800_000 } as const;
/**
 * As the launcher gives them to the service, and a large young generation: tests make much that dies soon. Collections
 * without helpers: as many processes as cores are busy all the time, and helpers would only wait for each other.
 */
const NODE_FLAGS = [
  '--no-warnings',
  '--single-threaded-gc',
  '--network-family-autoselection-attempt-timeout=2500',
  '--min-semi-space-size=16',
  '--max-semi-space-size=64',
];
/** The first one takes the packages of many files from the service's cache, each as one file. */
const PRELOADED = ['../start-cache.mjs', './support/stripped.mjs', './support/exit.ts'];

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}\n`);
  process.exit(2);
}

interface Selection {
  files: string[];
  /** Files may share processes. */
  shared: boolean;
}

function select(args: readonly string[]): Selection {
  const files = globSync('test/**/*.test.ts').sort();
  const all = args.includes('--all');
  const at = args.indexOf('--since');
  const revision = at < 0 ? null : (args[at + 1] ?? fail('--since needs a revision, such as HEAD~1'));
  const parts = args.filter(
    (arg, index) =>
      !['--all', '--without-loop', '--postgres', '--without-wide'].includes(arg) &&
      (at < 0 || (index !== at && index !== at + 1)),
  );
  const unknown = parts.find((part) => part.startsWith('-'));
  if (unknown !== undefined) fail(`there is no option ${unknown}`);
  const ofLoop = (file: string): boolean => all || kindOf(file) === KINDS[0];
  const ofQuick = (file: string): boolean => all || isQuick(kindOf(file));
  if (parts.length > 0) {
    return {
      files: files.filter((file) => parts.some((part) => file.slice('test/'.length).includes(part))),
      shared: false,
    };
  }
  if (revision === null) return { files: files.filter(args.includes('--postgres') ? ofQuick : ofLoop), shared: true };
  const reached = new Set(reachedTests(changed(revision)));
  return { files: files.filter((file) => reached.has(file) && ofQuick(file)), shared: true };
}

function changed(revision: string): string[] {
  try {
    return changedSince(revision);
  } catch (error) {
    return fail(`git does not know what changed since ${revision}: ${error instanceof Error ? error.message : error}`);
  }
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const selection = select(args);
if (selection.files.length === 0) {
  if (args.includes('--since')) {
    process.stdout.write('no test file is reached by the change\n\n0 passed, 0 failed\n');
    process.exit(0);
  }
  fail(`no test file matches ${args.join(' ')}`);
}

const countsOf = new Map<string, Counts>();
/** By file, what its failed tests say, for the end of a long output. */
const failuresOf = new Map<string, string[]>();
const ON_POSTGRES = 'on PostgreSQL';
/** Files that failed beside others and are run again at the end, and those of them that passed. */
const toRunAgain: string[] = [];
const passedAgain: string[] = [];

const totalOf = (count: 'passed' | 'failed' | 'skipped'): number =>
  [...countsOf.values()].reduce((sum, counts) => sum + counts[count], 0);

function countsFor(name: string): Counts {
  const counts = countsOf.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
  countsOf.set(name, counts);
  return counts;
}

/** A failure's words, without the rest of a long comparison. */
function inShort(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MOST_LINES).join('\n    ').slice(0, MOST_CHARACTERS);
}

/** The figures with which node:test closes each run; those of all runs close this one. */
const CLOSING = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** Runs files in parallel; resolves when the last has ended. A file that runs by itself is printed as a whole. */
async function runFiles(files: string[], concurrency: number): Promise<void> {
  const stream = run({
    files,
    concurrency,
    timeout: TIMEOUT_MS[isLane(files[0]) ? 'lane' : 'file'],
    execArgv: [...NODE_FLAGS, ...PRELOADED.flatMap((file) => ['--import', new URL(file, import.meta.url).href])],
  });
  /** A test that a file beside its own defines is told as of that one, so a file that runs alone is asked for. */
  const fileOf = ({ file = '' }: { file?: string }): string =>
    files.length === 1 && !isLane(files[0]) ? (files[0] ?? '') : relative(process.cwd(), file);
  // Of a group only its tests count, which are told one by one.
  stream.on('test:pass', (data) => {
    if (data.details.type === 'suite' || isLane(data.file)) return;
    const counts = countsFor(fileOf(data));
    counts[data.skip === undefined ? 'passed' : 'skipped']++;
  });
  stream.on('test:fail', (data) => {
    const { failureType, cause } = data.details.error as { failureType?: string; cause?: unknown };
    // A group itself fails if its file cannot be imported or one of its hooks throws.
    if (data.details.type === 'suite' && failureType === 'subtestsFailed') return;
    const file = fileOf(data);
    countsFor(file).failed++;
    failuresOf.set(file, [...(failuresOf.get(file) ?? []), `${data.name}: ${inShort(cause)}`]);
  });
  /** By place and name: where a process is ended for taking too long, they say where it stood. */
  const open = new Map<string, string>();
  const placeOf = ({ file, line, name }: { file?: string; line?: number; name: string }): [string, string] => {
    const place = `${file === undefined ? '' : relative(process.cwd(), file)}:${line}`;
    return [`${place} ${name}`, `${place} began and did not end: ${name}\n`];
  };
  stream.on('test:dequeue', (data) => {
    if (!isLane(data.file)) open.set(...placeOf(data));
  });
  stream.on('test:complete', (data) => open.delete(placeOf(data)[0]));
  const printed = stream.compose(new spec());
  if (files.length > 1) {
    printed.pipe(process.stdout, { end: false });
    await new Promise<void>((resolve) => stream.on('end', resolve));
  } else {
    const text: string = (await printed.toArray()).join('');
    const lines = text.split('\n').filter((line) => !CLOSING.test(line));
    process.stdout.write(lines.join('\n'));
  }
  for (const line of open.values()) process.stdout.write(line);
}

const isOnPostgres = (file: string): boolean =>
  file.startsWith('test/api/') || (file.startsWith('test/wide/api/') && !args.includes('--without-wide'));

/** The API's tests again, on a PostgreSQL server of their own. */
async function runOnPostgres(): Promise<void> {
  const files = selection.files.filter((file) => isOnPostgres(file));
  if (files.length === 0 || !hasPostgres()) return;
  const stop = watch('api on PostgreSQL');
  const server = await startPostgres({ durable: false });
  process.env.DATABASE_URL = server.url;
  try {
    await inLanes(KINDS[0], files);
  } finally {
    delete process.env.DATABASE_URL;
    await server.stop();
    stop();
  }
}

/** The same beside the tests in real time, told as a whole. */
async function runOnPostgresToo(): Promise<PostgresRun | null> {
  if (!hasPostgres()) return null;
  const run = await runOnPostgresBeside(fileURLToPath(import.meta.url));
  process.stdout.write(`\nthe tests of the API, on PostgreSQL\n${run.output}`);
  countsOf.set(ON_POSTGRES, run.counts);
  return run;
}

async function runOnPostgresOnceMore({ counts, failed }: PostgresRun): Promise<void> {
  if (!process.env.CI || counts.failed === 0 || failed.length === 0 || failed.length > MOST_RUN_AGAIN.onPostgres)
    return;
  process.stdout.write(`\nfailed on PostgreSQL, and run once more: ${failed.join(', ')}\n`);
  const again = await runOnPostgresAgain(fileURLToPath(import.meta.url), failed);
  process.stdout.write(again.output);
  const mended = counts.failed - again.counts.failed;
  countsOf.set(ON_POSTGRES, { ...counts, passed: counts.passed + mended, failed: again.counts.failed });
  if (again.counts.failed === 0) passedAgain.push(...failed.map((file) => `${file} (${ON_POSTGRES})`));
}

/** CI requires it. */
function hasPostgres(): boolean {
  if (postgresPrograms !== null) return true;
  if (process.env.CI) fail('PostgreSQL is not installed: apt install postgresql');
  process.stdout.write('PostgreSQL is not installed: the tests of the API ran on SQLite only\n');
  return false;
}

/**
 * Outside of the loop, tests speak, listen and wait in real time, and a machine that CI shares with others may stand
 * still for a moment. There a file that failed is run once more, at the end and beside one other, and named in the
 * summary; many of one kind are a defect.
 */
function keepFailed(files: readonly string[]): void {
  const failed = files.filter((file) => (countsOf.get(file)?.failed ?? 0) > 0);
  if (failed.length <= MOST_RUN_AGAIN.kind) toRunAgain.push(...failed);
}

async function runAgain(): Promise<void> {
  if (toRunAgain.length === 0) return;
  process.stdout.write(`\nfailed, and run once more: ${toRunAgain.join(', ')}\n`);
  const stop = watch('run again');
  // Failures of the first run stay listed: the second may fail by something else.
  for (const file of toRunAgain) countsOf.delete(file);
  const share = 1 / AGAIN_AT_ONCE;
  await inTurn(
    toRunAgain.map((file) => ({ file, share, sure: AGAIN_AT_ONCE })),
    ({ file }) => runFiles([file], 1),
    () => true,
    async () => {},
  );
  stop();
  passedAgain.push(...toRunAgain.filter((file) => countsOf.get(file)?.failed === 0));
}

/** By kind, what its files cost together. */
const costOf = new Map<string, Cost>();
const costs = collectCosts();

/** @returns ends the measurement */
function watch(kind: string): () => void {
  const beganAtMs = performance.now();
  const before = processorSeconds();
  return () =>
    costOf.set(kind, {
      seconds: (performance.now() - beganAtMs) / 1_000,
      processorSeconds: processorSeconds() - before,
    });
}

interface Planned extends Work {
  file: string;
  kind: Kind;
}

/** The files of all kinds, those of the loop first and in shared processes where they may. */
async function runKinds(kinds: readonly Kind[]): Promise<void> {
  const planned: Planned[] = [];
  for (const kind of kinds) {
    const files = inOrder(
      kind,
      selection.files.filter((file) => kindOf(file) === kind),
    );
    if (kind.shared && selection.shared) {
      const stop = watch(nameOf(kind));
      if (files.length > 0) await inLanes(kind, files);
      stop();
    } else {
      planned.push(...files.map((file) => ({ file, kind, share: shareOf(kind), sure: kind.concurrency })));
    }
  }
  /** When the first file of each kind began and the last one ended, ms. */
  const spans = new Map<Kind, { beganAtMs: number; endedAtMs: number }>();
  const runOne = async ({ file, kind }: Planned): Promise<void> => {
    const span = spans.get(kind) ?? { beganAtMs: performance.now(), endedAtMs: 0 };
    spans.set(kind, span);
    await runFiles([file], 1);
    span.endedAtMs = performance.now();
  };
  const beside = args.includes('--all') && selection.shared ? runOnPostgresToo() : null;
  await inTurn(planned, runOne, watchRoom(), () => sleep(LOOK_MS));
  const onPostgres = await beside;
  if (onPostgres) await runOnPostgresOnceMore(onPostgres);
  const byFile = costs.byFile();
  for (const [kind, { beganAtMs, endedAtMs }] of spans) {
    const files = planned.filter((one) => one.kind === kind).map(({ file }) => file);
    costOf.set(nameOf(kind), {
      seconds: (endedAtMs - beganAtMs) / 1_000,
      processorSeconds: files.reduce((sum, file) => sum + (byFile.get(file)?.processorSeconds ?? 0), 0),
    });
    if (process.env.CI) keepFailed(files);
  }
}

const nameOf = ({ folders }: Kind): string => folders.join('+') || 'loop';

async function inLanes(kind: Kind, files: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(roomiestFolder(), 'test-groups-'));
  const before = { ...process.env };
  // All temporary folders of the tests: their databases would wait for the disk at each commit.
  process.env.TMPDIR = folder;
  // The product's and its packages' code as Node has compiled it, which the launcher keeps for the service.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile');
  try {
    const lists = [files.filter((file) => beginsFirst(kind, file)), files.filter((file) => !beginsFirst(kind, file))];
    await runFiles(writeLanes(lists, kind.concurrency, folder), kind.concurrency);
    for (const file of unfinished(lists, folder)) {
      process.stdout.write(`${file} was not run to its end\n`);
      countsFor(file).failed++;
    }
  } finally {
    for (const name of ['TMPDIR', 'NODE_COMPILE_CACHE']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));
const MAKE_CACHE = join(root, 'start-cache-make.mjs');
if (selection.shared && globSync('node_modules/.cache/start/packages-*', { cwd: root }).length === 0) {
  spawnSync(process.execPath, [MAKE_CACHE, '--packages']);
}
// Beside the first tests: else each whole service of the next ones would begin to make the same, and end before it has.
if (args.includes('--all') && selection.shared) spawn(process.execPath, [MAKE_CACHE], { stdio: 'ignore' });
const isOnlyPostgres = args.includes('--postgres');
const kinds = isOnlyPostgres ? [] : args.includes('--without-loop') ? KINDS.slice(1) : KINDS;
await runKinds(kinds);
await runAgain();
if (isOnlyPostgres) await runOnPostgres();
await sleep(100);
const [passed, failed, skipped] = [totalOf('passed'), totalOf('failed'), totalOf('skipped')];
const again = passedAgain.length > 0 ? `failed beside others, passed again: ${passedAgain.join(', ')}\n` : '';
const failures = [...failuresOf].map(([file, said]) => `\n${file}\n  ${said.join('\n  ')}\n`).join('');
process.stdout.write(
  `\n${tableOfKinds(costOf)}${tableOfFiles(costs.byFile())}${failures && `\nwhat failed\n${failures}\n`}${again}${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
);
costs.end();
process.exit(failed === 0 && passed > 0 ? 0 : 1);
