// The engines of docs/local-engines.md with real weights, once a week (`.ci/weekly`): some fifteen minutes.
//   node supervise.mjs run test/nightly/local-engines.ts --weights FOLDER [--server COMMAND] [--least N]
// Prints the table of `npm run bench -- local-engines`, whose --help describes FOLDER and COMMAND. Ends with 1 where an
// engine is not run, or answers fewer than N calls at once in time (default 1).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readOptions } from '../../bench/rig/options.ts';

const USAGE =
  'usage: node supervise.mjs run test/nightly/local-engines.ts --weights FOLDER [--server COMMAND] [--least N]';
const BOUND_MS = 1_500;
const VECTOR_BOUND_MS = 500;

interface Round {
  calls?: number;
  atOnce?: number;
  p95: number;
  failed?: number;
}

const { weights, server, least } = readOptions(USAGE, { weights: '', server: '', least: 1 }, process.argv.slice(2));
const given = ['--weights', weights, ...(server === '' ? [] : ['--server', server])];
const command = ['supervise.mjs', 'run', 'bench/main.ts', 'local-engines', '--bound', String(BOUND_MS), ...given];
const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
const faults = status === 0 ? faultsOf(readFileSync('bench/results/local-engines.json', 'utf8')) : ['the bench failed'];
process.stdout.write(faults.length === 0 ? 'as it should be\n' : `${faults.join('\n')}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function faultsOf(results: string): string[] {
  const { engines } = JSON.parse(results);
  return Object.entries<{ rounds: Round[] } | null>(engines).flatMap(([name, measured]) => {
    if (measured === null) return [`${name}: not run`];
    const atOnce = Math.max(0, ...measured.rounds.filter(isInTime).map(({ calls, atOnce = 0 }) => calls ?? atOnce));
    return atOnce < least ? [`${name}: ${atOnce} calls at once in time`] : [];
  });
}

function isInTime({ calls, p95, failed = 0 }: Round): boolean {
  return failed === 0 && p95 <= (calls === undefined ? VECTOR_BOUND_MS : BOUND_MS);
}
