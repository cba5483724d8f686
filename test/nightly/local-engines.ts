// The engines of docs/local-engines.md with real weights, once a week (`.ci/weekly`): some fifteen minutes.
//   node supervise.mjs run test/nightly/local-engines.ts --weights FOLDER [--server COMMAND] [--least N] [--spare WORD]
// Prints the table of `npm run bench -- local-engines`, whose --help describes FOLDER and COMMAND. Ends with 1 where an
// engine is not run, or answers fewer than N calls at once in time (default 1). One that was too slow is measured once
// more when the machine has come to rest: the bounds are of the engine, not of what others compute beside it. An engine
// that needs more cores than there are is told with its figure, and is no fault; nor is one that is not there
// and has WORD in its name.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { readOptions } from '../../bench/rig/options.ts';

const USAGE =
  'usage: node supervise.mjs run test/nightly/local-engines.ts --weights FOLDER [--server COMMAND] [--least N] ' +
  '[--spare WORD]';
const BOUND_MS = 1_500;
const VECTOR_BOUND_MS = 500;

interface Round {
  calls?: number;
  atOnce?: number;
  p95: number;
  failed?: number;
  stoodIn?: number;
}

const DEFAULTS = { weights: '', server: '', least: 1, spare: '' };
const { weights, server, least, spare } = readOptions(USAGE, DEFAULTS, process.argv.slice(2));
/** The load of the last minute under which an engine has a core to itself. */
const REST_LOAD = availableParallelism() / 2;
const REST_WITHIN_MS = 10 * 60_000;
const LOOK_EVERY_MS = 5_000;

interface Measured {
  /** Why it was not run. */
  lack?: string;
  rounds: Round[];
  leastCores?: number;
}

interface Fault {
  engine: string;
  what: string;
  isSlow: boolean;
  /** Cores that it needs beyond those of this machine; 0: none. */
  lacksCores: number;
}

const given = ['--weights', weights, ...(server === '' ? [] : ['--server', server])];

function measure(engines: readonly string[]): Fault[] {
  const command = ['supervise.mjs', 'run', 'bench/main.ts', 'local-engines', '--bound', String(BOUND_MS), ...given];
  if (engines.length > 0) command.push('--engines', engines.join(','));
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) return [{ engine: 'all', what: 'the bench failed', isSlow: false, lacksCores: 0 }];
  return faultsOf(readFileSync('bench/results/local-engines.json', 'utf8'));
}

async function rest(): Promise<void> {
  for (const untilMs = Date.now() + REST_WITHIN_MS; Date.now() < untilMs; ) {
    if ((loadavg()[0] ?? 0) < REST_LOAD) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

const found = measure([]);
const slow = found.filter(({ isSlow, lacksCores }) => isSlow && lacksCores === 0).map(({ engine }) => engine);
if (slow.length > 0) {
  process.stdout.write(`too slow: ${slow.join(', ')}; once more when the machine rests\n`);
  await rest();
}
const again = slow.length > 0 ? measure(slow) : [];
const told = [...found.filter(({ engine }) => !slow.includes(engine)), ...again];
const faults = told.filter(({ lacksCores }) => lacksCores === 0);
const load = loadavg()[0]?.toFixed(1);
for (const { engine, what, isSlow, lacksCores } of told) {
  const cores = lacksCores === 0 ? '' : `, no fault: it lacks ${lacksCores} cores`;
  process.stdout.write(`${engine}: ${what}${isSlow ? `, load ${load}` : ''}${cores}\n`);
}
if (faults.length === 0) process.stdout.write('as it should be\n');
process.exitCode = faults.length === 0 ? 0 : 1;

function faultsOf(results: string): Fault[] {
  const { engines } = JSON.parse(results);
  return Object.entries<Measured>(engines).flatMap(([engine, measured]): Fault[] => {
    if (measured.lack !== undefined) {
      if (spare !== '' && engine.includes(spare)) return [];
      return [{ engine, what: `not run: ${measured.lack}`, isSlow: false, lacksCores: 0 }];
    }
    const atOnce = Math.max(0, ...measured.rounds.filter(isInTime).map(({ calls, atOnce = 0 }) => calls ?? atOnce));
    if (atOnce >= least) return [];
    const p95 = measured.rounds[0]?.p95.toFixed(0) ?? '?';
    const lacksCores = Math.max(0, (measured.leastCores ?? 1) - availableParallelism());
    return [{ engine, what: `${atOnce} calls at once in time, one with a p95 of ${p95} ms`, isSlow: true, lacksCores }];
  });
}

function isInTime({ calls, p95, failed = 0, stoodIn = 0 }: Round): boolean {
  return failed === 0 && stoodIn === 0 && p95 <= (calls === undefined ? VECTOR_BOUND_MS : BOUND_MS);
}
