// Steps the system clock, like a late NTP sync or an operator: libfaketime changes the wall clock of both processes, as
// a file tells it. The monotonic clock continues, as on a real machine.
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../db/database.ts';
import { pause } from '../conversation/scenario.ts';
import type { Fault } from './fault.ts';
import type { Scene } from './fault-run.ts';

const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
/** Interval at which libfaketime reads its file. */
const CACHE_SECONDS = 1;
const STEP_TIMEOUT_MS = 15_000;
/** A heartbeat is a second old. */
const SLACK_SECONDS = 5;

/** The environment of a process whose wall clock follows the file: `+3600` is an hour ahead. */
export const fakedClock = (file: string): Record<string, string> => ({
  LD_PRELOAD: LIBRARY ?? '',
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: String(CACHE_SECONDS),
  DONT_FAKE_MONOTONIC: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** Null, or why there is none. */
export const missingFakedClock = (): { reason: string; isPackage: true } | null =>
  LIBRARY === undefined ? { reason: 'libfaketime is not installed (apt-get install faketime)', isPackage: true } : null;

/** Steps without calls, and by the same amount again during calls. */
function clockFault(name: string, offsetSeconds: number): Fault {
  return {
    name,
    shortMs: 3_000,
    longMs: 15_000,
    obstacle: missingFakedClock,
    prepare(folder) {
      const file = join(folder, 'clock');
      const step = async (scene: Scene, seconds: number): Promise<void> => {
        writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
        await clocksAreOff(scene, seconds);
      };
      writeFileSync(file, '+0\n');
      return {
        environment: fakedClock(file),
        calm: (scene) => step(scene, offsetSeconds),
        async strike(scene, forMs) {
          await step(scene, 2 * offsetSeconds);
          await pause(forMs);
        },
      };
    },
  };
}

/** Resolves once the clocks of both processes have stepped. @throws Error if one of them does not */
async function clocksAreOff({ apiUrl, dataDir }: Scene, offsetSeconds: number): Promise<void> {
  const db = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  const until = performance.now() + STEP_TIMEOUT_MS;
  try {
    for (;;) {
      const { headers } = await fetch(`${apiUrl}/healthz`);
      const engine = await db
        .selectFrom('engines')
        .select('heartbeatAt')
        .orderBy('startedAt', 'desc')
        .executeTakeFirst();
      const clocksMs = [Date.parse(headers.get('date') ?? ''), engine?.heartbeatAt ?? 0];
      const offsets = clocksMs.map((clockMs) => (clockMs - Date.now()) / 1_000);
      if (offsets.every((seconds) => Math.abs(seconds - offsetSeconds) < SLACK_SECONDS)) return;
      if (performance.now() > until) throw new Error(`the clocks of API and engine are off by ${offsets.join(', ')} s`);
      await pause(100);
    }
  } finally {
    await db.destroy();
  }
}

const DAY_SECONDS = 86_400;

export const CLOCK_FAULTS: readonly Fault[] = [
  clockFault('clock a day ahead, twice', DAY_SECONDS),
  clockFault('clock 10 min back, twice', -600),
];
