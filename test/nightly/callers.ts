// All recordings of people to the running service, with and without a model of turn ends: some 40 minutes.
//   node supervise.mjs run test/nightly/callers.ts [--speech FOLDER] [--models FOLDER] [--livekit FOLDER]
// Prints the tables of `npm run bench -- callers` (docs/callers.md). Ends with 1 where a stop-watch of the same mean
// gap cuts off fewer turns than the service does, or an answer that began too soon was not taken back.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

interface Turn {
  wasCut: boolean;
  isWhole: boolean;
  gapMs: number | null;
  goesOnAfterMs: number | null;
}

const FALSE_START_MS = 1_500;
/** Least share of the turns cut off in the first moments of an answer that are told as one. */
const LEAST_WHOLE = 0.9;

const { values } = parseArgs({
  options: { speech: { type: 'string' }, models: { type: 'string' }, livekit: { type: 'string' } },
});
const { speech = '../shared/speech', models, livekit } = values;

/** Plays all recordings; returns what was wrong. */
function play(more: readonly string[]): string[] {
  const command = [
    'supervise.mjs',
    'run',
    'bench/main.ts',
    'callers',
    '--share',
    '1',
    '--calls',
    '4',
    '--speech',
    speech,
  ];
  const { status } = spawnSync(process.execPath, [...command, ...more], { stdio: 'inherit' });
  if (status !== 0) return [`the bench ended with ${status}`];
  const { turns, stopWatch } = JSON.parse(readFileSync('bench/results/callers.json', 'utf8'));
  return Object.entries<Turn[]>(turns).flatMap(([set, all]) => faultsOf(set, all, stopWatch[set]));
}

function faultsOf(set: string, all: readonly Turn[], stopWatch: number): string[] {
  const cut = all.filter(({ wasCut }) => wasCut);
  const soon = cut.filter(({ goesOnAfterMs }) => (goesOnAfterMs ?? 0) <= FALSE_START_MS);
  const whole = soon.filter(({ isWhole }) => isWhole).length;
  const faults: string[] = [];
  if (cut.length / all.length > stopWatch) faults.push(`${set}: a stop-watch cuts off fewer turns`);
  if (whole < LEAST_WHOLE * soon.length) faults.push(`${set}: ${whole} of ${soon.length} told as one`);
  return faults;
}

const faults = [
  ...play(livekit === undefined ? [] : ['--livekit', livekit]),
  ...(models === undefined ? [] : play(['--models', models])),
];
process.stdout.write(faults.length === 0 ? 'as it should be\n' : `${faults.join('\n')}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
