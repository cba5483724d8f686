// `npm start` on a fresh data folder, a hundred times beside a busy core: engine and API make one database at the same
// time, and no start may fail for it. Prints the time to the ready line, and the output of each start that failed.
//
//   node supervise.mjs run test/nightly/fresh-starts.ts [--times N] [--idle]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { summarise } from '../../bench/rig/measure/statistics.ts';
import { readOptions } from '../../bench/rig/options.ts';
import { startService } from '../../bench/rig/service/service.ts';

const USAGE = `usage: node supervise.mjs run test/nightly/fresh-starts.ts [--times N] [--idle]

  --times N   starts, each on a data folder of its own (100)
  --idle      without the busy core, for comparison

Exits with 1 if a start failed.`;

const { times, idle } = readOptions(USAGE, { times: 100, idle: false }, process.argv.slice(2));
const burner = idle ? null : new Worker('for (let n = 0; ; n++) if (n > 1e9) n = 0;', { eval: true });
const readyMs: number[] = [];
let failed = 0;
for (let run = 1; run <= times; run++) {
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-fresh-'));
  try {
    const service = await startService({}, dataDir);
    readyMs.push(service.readyMs);
    await service.stop();
  } catch (error) {
    failed++;
    process.stdout.write(`start ${run} failed: ${error instanceof Error ? error.message : error}\n`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
await burner?.terminate();
const { p50, p95, max } = summarise(readyMs);
process.stdout.write(
  `${readyMs.length} of ${times} starts were ready; p50 ${p50} ms, p95 ${p95} ms, max ${max} ms, ${failed} failed, ` +
    `load ${loadavg()[0]?.toFixed(1)}\n`,
);
process.exit(failed === 0 ? 0 : 1);
