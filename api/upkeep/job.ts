// Runs the jobs of the API. A job never runs twice at the same time in a process, and a run that
// fails is logged and tried again at the next time.
import { backgroundTimer, every, type Timer } from '../../db/shared/every.ts';
import type { ApiContext } from '../context.ts';
import { FINISHED, type JobLease, type JobRun } from '../frame/job.ts';
import { Leader } from '../peers/leader.ts';

export interface Job {
  name: string;
  /** The first run comes after it too, but for a job that begins `atOnce`. */
  everyMs: number;
  lease?: JobLease;
  atOnce?: boolean;
  /**
   * Makes what the runs need; null where the installation has no such work. The API is not ready before it resolves.
   */
  begin(context: ApiContext): JobRun | null | Promise<JobRun | null>;
}

export interface BackgroundWork {
  stop(): Promise<void>;
  /**
   * Ports opened by this work, by variable (METRICS_PORT): reported to the supervisor, so that port 0 keeps its number
   * after a restart.
   */
  ports?: Record<string, string>;
}

/** Starts the jobs in their order; those of one lease share its leader. */
export async function startJobs(
  jobs: readonly Job[],
  context: ApiContext,
  timer: Timer = backgroundTimer,
): Promise<BackgroundWork> {
  const leaders = new Map<string, Promise<Leader>>();
  const leaderOf = ({ name, onTaken }: JobLease): Promise<Leader> => {
    const known = leaders.get(name) ?? startLeader(context, name, onTaken);
    leaders.set(name, known);
    return known;
  };
  const begin = async (job: Job): Promise<BackgroundWork | null> => {
    const work = await job.begin(context);
    if (work === null) return null;
    const leader = job.lease === undefined ? null : await leaderOf(job.lease);
    return repeat(job, work, context, timer, () => leader === null || leader.leads);
  };
  const begun = (await Promise.all(jobs.map(begin))).filter((each) => each !== null);
  return {
    async stop() {
      await Promise.all(begun.map((each) => each.stop()));
      await Promise.all([...leaders.values()].map(async (leader) => (await leader).stop()));
    },
  };
}

async function startLeader(context: ApiContext, name: string, onTaken?: JobLease['onTaken']): Promise<Leader> {
  const leader = new Leader(context, name, async () => onTaken?.(context));
  await leader.start();
  return leader;
}

function repeat(
  { name, everyMs, atOnce = false }: Job,
  work: JobRun,
  context: ApiContext,
  timer: Timer,
  mayRun: () => boolean,
): BackgroundWork {
  let running: Promise<void> | null = null;
  let cancel = (): void => {};
  const run = async (): Promise<void> => {
    try {
      if ((await work.run()) === FINISHED) cancel();
    } catch (error) {
      if (!context.outage.explains(error)) context.log.error({ err: error, work: name }, 'background work failed');
    }
  };
  const begin = (): void => {
    if (!mayRun()) return;
    running ??= run().finally(() => {
      running = null;
    });
  };
  if (atOnce) begin();
  cancel = every(timer, everyMs, begin);
  return {
    async stop() {
      cancel();
      await work.stop?.();
      await running;
    },
  };
}
