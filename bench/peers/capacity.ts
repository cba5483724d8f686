// Concurrent calls on one core, of the service and of the peer: a ramp that ends when answers take 25 % longer than in
// a single call, or more than 0.5 % of the calls fail.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { SENTENCES, takeTurns } from '../parts/turn-latency.ts';
import { type Caller, runTogether } from '../rig/scenario.ts';
import { linePlot, report, type Summary, summarise } from '../rig/statistics.ts';
import { type Contender, type Entry, markedClip, withContenders } from './contenders.ts';
import { THRESHOLD_MS } from './settings.ts';

const MORE_GAP = 1.25;
const FAILED_SHARE = 0.005;
/**
 * Our service must accept every call as well: a step's calls begin within a second, a rush that admission would refuse.
 */
const NO_ADMISSION = { MAX_CALLS: '1000', REFUSE_WHEN_LATE: '0' };
/** The fewest answers of a step, and of each of its calls. */
const STEP_TURNS = 24;
const CALL_TURNS = 4;

interface Step {
  calls: number;
  gaps: Summary;
  failed: number;
  /** Share of a core per call; null if unknown. */
  coreShare: number | null;
}

export interface CapacityOptions {
  ours: readonly number[];
  theirs: readonly number[];
}

/** Pins this process and its later children to one core. @returns whether this worked */
function pinTo(core: number): boolean {
  return spawnSync('taskset', ['-acp', `${core}`, `${process.pid}`], { stdio: 'ignore' }).status === 0;
}

export async function rampAll({ ours, theirs }: CapacityOptions): Promise<void> {
  const ramps: Array<[entry: Entry, calls: readonly number[]]> = [
    [{ kind: 'ours', name: `ours, fixed ${THRESHOLD_MS} ms`, thresholdMs: THRESHOLD_MS }, ours],
    [{ kind: 'peer', setting: 'fixed' }, theirs],
  ];
  const lines: string[] = [];
  const plot: Record<string, Array<{ x: number; y: number }>> = {};
  const results: Record<string, Step[]> = {};
  for (const [entry, calls] of ramps) {
    const isPinned = cpus().length > 1 && pinTo(0);
    await withContenders('typical', [entry], NO_ADMISSION, async ([contender], folder) => {
      if (isPinned) pinTo(1);
      if (contender === undefined) return;
      const clips = await Promise.all(SENTENCES.map((sentence, index) => markedClip(folder, sentence, index + 1)));
      const steps = await ramp(contender, calls, (caller, turns, gaps) => takeTurns(caller, turns, clips, gaps));
      results[contender.name] = steps;
      plot[contender.name] = steps.map(({ calls: x, gaps }) => ({ x, y: gaps.p50 }));
      lines.push(
        '',
        `## ${contender.name}${isPinned ? ', on one core' : ''}`,
        '',
        ...stepTable(steps),
        '',
        verdict(steps),
      );
    });
  }
  report('peers-capacity', 'Calls a core, beside a peer', [], {}, { lines, data: { results } });
  linePlot('peers-capacity', 'Response gap p50 (ms) by calls at a time', 'calls', plot);
}

async function ramp(
  contender: Contender,
  ladder: readonly number[],
  run: (caller: Caller, turns: number, gaps: number[]) => Promise<void>,
): Promise<Step[]> {
  const steps: Step[] = [];
  // The first call of a process is its slowest.
  await runTogether(1, contender.call, (caller) => run(caller, 1, []));
  for (const calls of ladder) {
    const gaps: number[] = [];
    const turns = Math.max(CALL_TURNS, Math.ceil(STEP_TURNS / calls));
    const [before, startedAtMs] = [contender.usage(), performance.now()];
    const failures = await runTogether(calls, contender.call, (caller) => run(caller, turns, gaps));
    const [after, tookMs] = [contender.usage(), performance.now() - startedAtMs];
    const coreShare = before && after ? (after.cpuMs - before.cpuMs) / tookMs / calls : null;
    const step = { calls, gaps: summarise(gaps), failed: failures.length, coreShare };
    steps.push(step);
    process.stderr.write(`${contender.name}: ${calls} calls, gap p50 ${step.gaps.p50} ms, ${step.failed} failed\n`);
    if (isOver(step, steps[0])) break;
  }
  return steps;
}

export function isOver({ gaps, failed, calls }: Step, first: Step | undefined): boolean {
  return failed > calls * FAILED_SHARE || (first !== undefined && gaps.p50 > first.gaps.p50 * MORE_GAP);
}

function stepTable(steps: readonly Step[]): string[] {
  const rows = steps.map(({ calls, gaps, failed, coreShare }) => [
    calls,
    gaps.p50,
    gaps.p95,
    failed,
    coreShare === null ? '–' : `${(100 * coreShare).toFixed(2)} %`,
  ]);
  return [
    '| calls | gap p50 (ms) | p95 | failed | of a core, each |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

function verdict(steps: readonly Step[]): string {
  const good = steps.findLast((step) => !isOver(step, steps[0]));
  const over = steps.find((step) => isOver(step, steps[0]));
  return over === undefined
    ? `At least ${good?.calls ?? 0} calls.`
    : `${good?.calls ?? 0} calls; at ${over.calls} it is over.`;
}
