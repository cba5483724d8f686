// Calls at a time on one core, of the service and of the peer: a ramp that ends where answers take 25 % longer than
// those of a single call, or more than 0.5 % of the calls fail.
import { SENTENCES, takeTurns } from '../parts/turn-latency.ts';
import { type Caller, runTogether } from '../rig/conversation/scenario.ts';
import { CALLERS_CORE, ENGINE_CORE, pinTo } from '../rig/measure/cores.ts';
import { type Carried, climb, type Ramp } from '../rig/measure/ramp.ts';
import { linePlot, report, type Summary, summarise, table } from '../rig/measure/statistics.ts';
import { type Contender, type Entry, markedClip, withContenders } from './contenders.ts';
import { THRESHOLD_MS } from './settings.ts';

/** Ours takes every call too: a step's calls begin within a second, which admission would take for a rush. */
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

interface CapacityOptions {
  ours: readonly number[];
  theirs: readonly number[];
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
    const isPinned = pinTo(ENGINE_CORE);
    await withContenders('typical', [entry], NO_ADMISSION, async ([contender], folder) => {
      if (isPinned) pinTo(CALLERS_CORE);
      if (contender === undefined) return;
      const clips = await Promise.all(SENTENCES.map((sentence, index) => markedClip(folder, sentence, index + 1)));
      const ramp = await rampUp(contender, calls, (caller, turns, gaps) => takeTurns(caller, turns, clips, gaps));
      const { steps } = ramp;
      results[contender.name] = steps;
      plot[contender.name] = steps.map(({ calls: x, gaps }) => ({ x, y: gaps.p50 }));
      lines.push(
        `## ${contender.name}${isPinned ? ', on one core' : ''}`,
        '',
        ...stepTable(steps),
        '',
        verdict(ramp),
        '',
      );
    });
  }
  report('peers-capacity', { title: 'Calls a core, beside a peer', lines: lines.slice(0, -1), data: { results } });
  linePlot('peers-capacity', 'Response gap p50 (ms) by calls at a time', 'calls', plot);
}

const carriedBy = ({ gaps, failed, calls }: Step): Carried => ({ calls, failed, p50Ms: gaps.p50 });

async function rampUp(
  contender: Contender,
  ladder: readonly number[],
  run: (caller: Caller, turns: number, gaps: number[]) => Promise<void>,
): Promise<Ramp<Step>> {
  // The first call of a process is its slowest.
  await runTogether(1, contender.call, (caller) => run(caller, 1, []));
  return climb(ladder, carriedBy, async (calls) => {
    const gaps: number[] = [];
    const turns = Math.max(CALL_TURNS, Math.ceil(STEP_TURNS / calls));
    const [before, startedAtMs] = [contender.usage(), performance.now()];
    const failures = await runTogether(calls, contender.call, (caller) => run(caller, turns, gaps));
    const [after, tookMs] = [contender.usage(), performance.now() - startedAtMs];
    const coreShare = before && after ? (after.cpuMs - before.cpuMs) / tookMs / calls : null;
    const step = { calls, gaps: summarise(gaps), failed: failures.length, coreShare };
    process.stderr.write(`${contender.name}: ${calls} calls, gap p50 ${step.gaps.p50} ms, ${step.failed} failed\n`);
    return step;
  });
}

const stepTable = (steps: readonly Step[]): string[] =>
  table(
    ['calls', 'gap p50 (ms)', 'p95', 'failed', 'of a core, each'],
    steps.map(({ calls, gaps, failed, coreShare }) => [
      calls,
      gaps.p50,
      gaps.p95,
      failed,
      coreShare === null ? '–' : `${(100 * coreShare).toFixed(2)} %`,
    ]),
  );

const verdict = ({ good, over }: Ramp<Step>): string =>
  over === undefined
    ? `At least ${good?.calls ?? 0} calls.`
    : `${good?.calls ?? 0} calls; at ${over.calls} it is over.`;
