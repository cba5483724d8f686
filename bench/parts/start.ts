// `npm start` to the ready line, on an installed service: the first start of a fresh data folder, then later starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../rig/options.ts';
import { startService } from '../rig/service.ts';
import { report, summarise } from '../rig/statistics.ts';

const USAGE = `usage: npm run bench -- start [--runs N]
  N first and N later starts (default 5)`;

export default async function start(args: string[]): Promise<void> {
  const { runs } = readOptions(USAGE, { runs: 5 }, args);
  const first: number[] = [];
  const again: number[] = [];
  for (let run = 0; run < runs; run++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'voice-start-'));
    for (const times of [first, again]) {
      const service = await startService({}, dataDir);
      times.push(service.readyMs);
      await service.stop();
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
  report(
    'start',
    'Start: npm start to the ready line',
    [
      { name: 'first start (schema, admin, demo)', summary: summarise(first), target: '<= 3,000' },
      { name: 'later starts', summary: summarise(again), target: '<= 3,000' },
    ],
    { 'first start': first, 'later starts': again },
  );
}
