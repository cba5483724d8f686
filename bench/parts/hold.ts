// Holds a core's usual number of calls for minutes or hours and shows whether latency, pacing, CPU time or memory
// drift. The engine has one core to itself, as in `capacity`.

import { INSTANT, pause } from '../rig/conversation/scenario.ts';
import { linePlot, summarise, table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { add, measure, type Step, stepTables, withPhones } from './capacity.ts';

const USAGE = `usage: npm run bench -- hold [--calls N] [--minutes N] [--renew N] [--warmup N]
  N calls (default 80), held for N minutes (default 10) after a warm-up of N seconds with 20 calls (default 30);
  after every N minutes (default 20) all hang up and call again
  needs: a C compiler, taskset and two cores`;

const GOODBYE_MS = 3_000;
/** Of a minute, the rest of which the step takes to settle. */
const MEASURED_SECONDS = 55;

export default part(USAGE, { calls: 80, minutes: 10, renew: 20, warmup: 30 }, async (options) => {
  const { calls, minutes, renew, warmup } = options;
  const environment = { MAX_CALLS: '4000', ...INSTANT };
  const [steps] = await withPhones(environment, { warmup }, async (phones, engine) => {
    await add(phones, 0, calls);
    const held: Step[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      // The demo's business ends a call after 30 minutes.
      if (minute > 0 && minute % renew === 0) {
        phones.end(calls);
        await pause(GOODBYE_MS);
        await add(phones, 0, calls);
      }
      held.push(await measure(phones, engine, { count: calls, seconds: MEASURED_SECONDS, turns: 0 }));
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
    `${calls} calls for ${minutes} minutes, a line for each.`,
    '',
    ...stepTables(steps),
    '',
    ...table(['', 'first third, median', 'last third, median'], drifts),
  ];
  const curve = (of: (step: Step) => number) => steps.map((step, minute) => ({ x: minute + 1, y: of(step) }));
  linePlot('hold', 'Latency of calls that are held (ms)', 'minutes', {
    'turn p50': curve(({ turns }) => turns.p50),
    'turn p95': curve(({ turns }) => turns.p95),
  });
  linePlot('hold-memory', 'Memory (RSS) of calls that are held (MiB)', 'minutes', {
    RSS: curve(({ rssMiB }) => rssMiB),
  });
  return { title: 'Calls held', lines, data: { calls, minutes, steps } };
});

const coreShare = ({ cpu }: Step): number => Object.values(cpu).reduce((sum, share) => sum + share, 0);

function drift(name: string, steps: readonly Step[], of: (step: Step) => number) {
  const third = Math.max(1, Math.floor(steps.length / 3));
  const [first, last] = [steps.slice(0, third), steps.slice(-third)].map((part) => summarise(part.map(of)).p50);
  return [name, first ?? '', last ?? ''];
}
