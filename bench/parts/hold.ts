// Holds a core's usual number of calls for minutes and shows whether latency, pacing, CPU time or memory drift. The
// engine has one core to itself, as in `capacity`.

import { withPinnedEngine } from '../rig/cores.ts';
import { readOptions } from '../rig/options.ts';
import { chooseSilenceThreshold, INSTANT } from '../rig/scenario.ts';
import { linePlot, report, summarise } from '../rig/statistics.ts';
import { add, measure, type Step, startPhones, table, warmUp } from './capacity.ts';

const USAGE = `usage: npm run bench -- hold [--calls N] [--minutes N] [--warmup N]
  N calls (default 80), held for N minutes (default 10) after a warm-up of N seconds with 20 calls (default 30)
  needs: a C compiler, taskset and two cores`;

const THRESHOLD_MS = 500;
/** Measured part of a minute; the step settles in the rest. */
const MEASURED_SECONDS = 55;

export default async function hold(args: string[]): Promise<void> {
  const { calls, minutes, warmup } = readOptions(USAGE, { calls: 80, minutes: 10, warmup: 30 }, args);
  const steps = await withPinnedEngine({ MAX_CALLS: '4000', ...INSTANT }, async (service, engine) => {
    await chooseSilenceThreshold(service, THRESHOLD_MS);
    await warmUp(service.sipAddress, warmup);
    const phones = await startPhones(service.sipAddress);
    const held: Step[] = [];
    try {
      await add(phones, 0, calls);
      for (let minute = 0; minute < minutes; minute++) {
        held.push(await measure(phones, engine, { count: calls, seconds: MEASURED_SECONDS, turns: 0 }));
      }
    } finally {
      await phones.stop();
    }
    return held;
  });
  const drifts = [
    drift('turn p50, ms', steps, ({ turns }) => turns.p50),
    drift('turn p95, ms', steps, ({ turns }) => turns.p95),
    drift('pacing p99, ms', steps, ({ pace }) => pace.p99),
    drift('of the core, %', steps, coreShare),
    drift('memory (RSS), MiB', steps, ({ rssMiB }) => rssMiB),
  ];
  const lines = [
    '',
    `${calls} calls for ${minutes} minutes, a line for each.`,
    '',
    ...table(steps),
    '',
    '| | first third, median | last third, median |',
    '|---|---|---|',
    ...drifts,
  ];
  report('hold', 'Calls held', [], {}, { lines, data: { calls, minutes, steps } });
  const curve = (of: (step: Step) => number) => steps.map((step, minute) => ({ x: minute + 1, y: of(step) }));
  linePlot('hold', 'Latency of calls that are held (ms)', 'minutes', {
    'turn p50': curve(({ turns }) => turns.p50),
    'turn p95': curve(({ turns }) => turns.p95),
  });
  linePlot('hold-memory', 'Memory (RSS) of calls that are held (MiB)', 'minutes', {
    RSS: curve(({ rssMiB }) => rssMiB),
  });
}

const coreShare = ({ cpu }: Step): number => Object.values(cpu).reduce((sum, share) => sum + share, 0);

function drift(name: string, steps: readonly Step[], of: (step: Step) => number): string {
  const third = Math.max(1, Math.floor(steps.length / 3));
  const [first, last] = [steps.slice(0, third), steps.slice(-third)].map((part) => summarise(part.map(of)).p50);
  return `| ${name} | ${first} | ${last} |`;
}
