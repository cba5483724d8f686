// `npm run bench -- record`: runs the other parts one after another, several times, and writes bench/RECORD.md. Each
// run's result is kept: an interrupted record continues where it stopped.
import { SingleBar } from 'cli-progress';
import { type PartRuns, writeRecord } from '../record/document.ts';
import { forgetRuns, type KeptRun, keptRun, makeRun } from '../record/kept-runs.ts';
import { RECORD_PARTS, type RecordPart } from '../record/parts.ts';
import { part, refuseOption } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- record [--runs N] [--only PART,…] [--quick] [--fresh]
  each part of the bench N times (default 3; quick 1), then bench/RECORD.md with the median and spread of each figure;
  --only    makes the runs of these parts; of the others stays what was kept, or what this machine's record says
  --quick   short runs, in less than 12 minutes: shows that everything works, not how fast it is
  --fresh   begins anew; otherwise runs that were made before with the same arguments are kept, and parts of this machine's record
            for which there are none stay as they are
  parts: ${RECORD_PARTS.map(({ name }) => name).join(', ')}
  about ${Math.round(RECORD_PARTS.reduce((sum, { seconds, isOnce }) => sum + seconds * (isOnce ? 1 : 3), 0) / 3_600)} hours; nothing else should run on the machine`;

/** One run of a part. */
interface Step {
  part: RecordPart;
  args: readonly string[];
  run: number;
}

export default part(USAGE, { runs: 0, only: null, quick: false, fresh: false }, async (options) => {
  const names = options.only?.split(',') ?? null;
  const unknown = names?.find((name) => !RECORD_PARTS.some((part) => part.name === name));
  if (unknown !== undefined) refuseOption(`there is no part "${unknown}"`);
  if (options.fresh) forgetRuns();
  const runs = options.runs > 0 ? Math.ceil(options.runs) : options.quick ? 1 : 3;
  const steps = stepsOf(runs, options.quick);
  const wanted = steps.filter(({ part }) => names === null || names.includes(part.name));
  const failures = await makeAll(wanted, options.quick);
  const parts = RECORD_PARTS.map((part) => collect(part, steps, failures));
  process.stdout.write(`written: ${writeRecord(parts, { isQuick: options.quick, isFresh: options.fresh })}\n`);
  return undefined;
});

/** Round by round, so that slow changes of the machine affect all parts. */
function stepsOf(runs: number, isQuick: boolean): Step[] {
  const steps: Step[] = [];
  for (let run = 1; run <= runs; run++) {
    for (const part of RECORD_PARTS) {
      const args = isQuick ? part.quickArgs : part.args;
      if (args !== null && (run === 1 || part.isOnce !== true)) steps.push({ part, args, run });
    }
  }
  return steps;
}

async function makeAll(steps: readonly Step[], isQuick: boolean): Promise<Map<string, string>> {
  const failures = new Map<string, string>();
  const secondsOf = ({ part }: Step): number => (isQuick ? part.quickSeconds : part.seconds);
  const total = steps.reduce((sum, step) => sum + secondsOf(step), 0);
  const bar = new SingleBar({ format: 'record {bar} {percentage} %, about {left} min left: {name}', hideCursor: true });
  let done = 0;
  const show = (name: string): void => bar.update(done, { name, left: Math.ceil((total - done) / 60) });
  bar.start(total, 0, { name: '', left: Math.ceil(total / 60) });
  for (const step of steps) {
    const { part, args, run } = step;
    show(`${part.name}, run ${run}`);
    const missing = part.missing?.() ?? null;
    if (missing !== null) failures.set(part.name, `Skipped: ${missing}`);
    else if (keptRun(part.name, run, args) === null) {
      const startedMs = performance.now();
      const made = await makeRun(part, run, args);
      tell(step, made, performance.now() - startedMs);
      if (made.failure !== null) failures.set(part.name, `Run ${run} ${made.failure}`);
    }
    done += secondsOf(step);
  }
  show('done');
  bar.stop();
  return failures;
}

/** Prints a line a run, without a terminal for a bar. */
function tell({ part, run }: Step, { failure }: KeptRun, tookMs: number): void {
  if (process.stdout.isTTY && failure === null) return;
  const what = failure === null ? 'done' : failure;
  process.stdout.write(`${part.name}, run ${run}: ${what} (${Math.round(tookMs / 1_000)} s)\n`);
}

function collect(part: RecordPart, steps: readonly Step[], failures: ReadonlyMap<string, string>): PartRuns {
  const own = steps.filter((step) => step.part === part);
  const runs = own.flatMap(({ run, args }) => {
    const kept = keptRun(part.name, run, args);
    return kept === null ? [] : [{ run, kept }];
  });
  return { part, args: own[0]?.args ?? part.args, runs, note: failures.get(part.name) ?? null };
}
