// `npm start` to the ready line, on an installed service: the first start of a fresh data folder, then later starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { startService } from '../rig/service/service.ts';

const USAGE = `usage: npm run bench -- start [--runs N]
  N first and N later starts (default 5)`;

export default part(USAGE, { runs: 5 }, async ({ runs }) => {
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
  return {
    title: 'Start: npm start to the ready line',
    rows: [rowOf('first start (schema, admin, demo)', first, '<= 3,000'), rowOf('later starts', again, '<= 3,000')],
    samples: { 'first start': first, 'later starts': again },
  };
});
