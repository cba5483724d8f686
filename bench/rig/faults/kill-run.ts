// Kills the engine, the API or both with -9 at seeded moments under load, then checks the results against the promises
// (promises.ts).

import { pause } from '../conversation/scenario.ts';
import { type FaultReport, runFault, type Scene } from './fault-run.ts';

interface KillOptions {
  kills: number;
  seed: number;
  /** Longest wait of a kill for the recovery of the previous victim. */
  patienceMs: number;
  log(line: string): void;
}

type KillCounts = Record<'engine' | 'api' | 'both', number>;
type KillReport = FaultReport & { kills: KillCounts };

/** A call whose BYE arrived while the process was down ends at the restart. */
const LATENESS_SECONDS = 20;

export async function runKills(options: KillOptions): Promise<KillReport> {
  const { seed, log } = options;
  let kills: KillCounts = { engine: 0, api: 0, both: 0 };
  const disturb = async (scene: Scene): Promise<void> => {
    kills = await killAtRandom(scene, options);
  };
  const report = await runFault({ seed, log, latenessSeconds: LATENESS_SECONDS, disturb });
  return { ...report, kills };
}

async function killAtRandom(
  { engine, api, random }: Scene,
  { kills, patienceMs, log }: KillOptions,
): Promise<KillCounts> {
  const counts: KillCounts = { engine: 0, api: 0, both: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const draw = random();
    const victim = draw < 0.45 ? 'engine' : draw < 0.8 ? 'api' : 'both';
    // Mostly while it is running, occasionally while it starts.
    const ready = Promise.all([engine.ready(), api.ready()]);
    if (random() < 0.8) await Promise.race([ready, pause(patienceMs)]);
    ready.catch(() => undefined);
    await pause(random() * 2_500);
    counts[victim]++;
    if (victim !== 'api') engine.kill();
    if (victim !== 'engine') api.kill();
    if ((kill + 1) % 10 === 0) log(`${kill + 1} of ${kills} kills`);
    await pause(20);
  }
  return counts;
}
