// `npm run bench -- faults [--only PART] [--seed S]`: injects every fault under load, one after the other, and examines
// the promises after each (promises.ts). Throws if a promise was broken or a fault could not be injected.

import { FAULTS, LOCK_FAULT } from '../../rig/faults/catalogue.ts';
import type { Fault } from '../../rig/faults/fault.ts';
import type { Scene } from '../../rig/faults/fault-run.ts';
import { type HealthUnderFault, measureHealth } from '../../rig/faults/health.ts';
import { runOneFault } from '../../rig/faults/run-one.ts';
import { type Report, rowOf, table } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- faults [--only PART] [--seed S]
  --only PART  only the faults whose name contains it
  needs faketime and strace (Debian: apt-get install faketime strace), and root for mounts; a fault that cannot be
  injected here is skipped with its reason
${FAULTS.map(({ name, longMs }) => `  ${name.padEnd(28)} ${longMs / 1_000} s`).join('\n')}`;

interface Outcome {
  fault: Fault;
  calls: string;
  violations: string[];
  skipped: string | null;
}

interface Health {
  underLock: HealthUnderFault;
  /** The same load without the lock, for comparison. */
  afterwards: HealthUnderFault;
}

const HEALTH_P99_MAX_MS = 50;

export default part(USAGE, { only: null, seed: 1 }, async ({ only, seed }) => {
  const chosen = FAULTS.filter(({ name }) => only === null || name.includes(only));
  if (chosen.length === 0) throw new Error(`no fault is called "${only}"`);
  const outcomes: Outcome[] = [];
  let health: Health | null = null;
  for (const fault of chosen) {
    process.stdout.write(`${fault.name}, ${fault.longMs / 1_000} s\n`);
    const outcome = await runRow(fault, seed, (found) => {
      health = found;
    });
    outcomes.push(outcome);
    process.stdout.write(`${cellsOf(outcome).join(' | ')}\n`);
    for (const violation of outcome.violations.slice(0, 20)) process.stdout.write(`  ${violation}\n`);
  }
  return reportOf(outcomes, health);
});

async function measureTwice(scene: Scene, forMs: number): Promise<Health> {
  const underLock = await measureHealth(scene, forMs);
  return { underLock, afterwards: await measureHealth(scene, forMs) };
}

async function runRow(fault: Fault, seed: number, onHealth: (found: Health) => void): Promise<Outcome> {
  const skipped = fault.obstacle()?.reason ?? null;
  if (skipped !== null) return { fault, calls: '', violations: [], skipped };
  try {
    const { calls, violations } = await runOneFault(fault, {
      forMs: fault.longMs,
      seed,
      log: (line) => process.stdout.write(`  ${line}\n`),
      ...(fault.name === LOCK_FAULT
        ? { beside: async (scene) => onHealth(await measureTwice(scene, fault.longMs)) }
        : {}),
    });
    const counts = Object.entries(calls).map(([status, count]) => `${status} ${count}`);
    return { fault, calls: counts.join(', '), violations, skipped };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { fault, calls: '', violations: [`could not be run: ${message}`], skipped };
  }
}

const cellsOf = ({ fault, calls, violations, skipped }: Outcome): Array<string | number> => [
  fault.name,
  fault.longMs / 1_000,
  skipped ?? calls,
  skipped === null ? violations.length : '',
];

function reportOf(outcomes: readonly Outcome[], health: Health | null): Report {
  const { underLock, afterwards } = health ?? {};
  const writes = Object.entries(underLock?.writes ?? {}).map(([status, count]) => `${status}: ${count}`);
  const broken = outcomes.filter(({ violations }) => violations.length > 0);
  const measured =
    underLock === undefined || afterwards === undefined
      ? {}
      : {
          rows: [
            rowOf('/healthz while the write lock is held', underLock.latenciesMs, `p99 < ${HEALTH_P99_MAX_MS}`),
            rowOf('/healthz afterwards', afterwards.latenciesMs),
          ],
          samples: { 'under the lock': underLock.latenciesMs, afterwards: afterwards.latenciesMs },
        };
  return {
    title: 'Faults under load',
    ...measured,
    lines: [
      ...(writes.length > 0 ? [`writes posted meanwhile, by status: ${writes.join(', ')}`, ''] : []),
      ...table(['fault', 'for (s)', 'calls', 'invariants broken'], outcomes.map(cellsOf)),
    ],
    data: { outcomes: outcomes.map(({ fault, ...rest }) => ({ fault: fault.name, ...rest })) },
    failure: broken.length > 0 ? `broken promises after: ${broken.map(({ fault }) => fault.name).join(', ')}` : null,
  };
}
