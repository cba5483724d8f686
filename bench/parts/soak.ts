// Memory over many short calls: sipp calls the demo repeatedly, and the resident memory of both processes is measured.
// Growth after the warm-up is a leak.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import cliProgress from 'cli-progress';
import { openRaw } from '../../db/sqlite/open.ts';
import { linePlot, type Report, table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { processesOf, residentMiB } from '../rig/service/engine-threads.ts';
import { startService } from '../rig/service/service.ts';

const USAGE = `usage: npm run bench -- soak [--calls N] [--rate CALLS_PER_SECOND]
  N short calls (default 20,000) at a steady rate (default 40 a second), answered and hung up after 300 ms`;

interface Sample {
  calls: number;
  engineMiB: number;
  apiMiB: number;
}

export default part(USAGE, { calls: 20_000, rate: 40 }, async ({ calls: total, rate }) => {
  if (spawnSync('sipp', ['-v']).error) throw new Error('soak needs sipp (Debian: apt-get install sip-tester)');
  const service = await startService({ MAX_CALLS: '200', LOG_LEVEL: 'warn' });
  const samples: Sample[] = [];
  const bar = new cliProgress.SingleBar({ format: 'soak {bar} {value}/{total} calls, engine {engine} MiB' });
  try {
    const { engine, api } = processesOf(service.process.pid ?? 0);
    const raw = openRaw(join(service.dataDir, 'voice.db'), { readonly: true });
    const ended = raw.prepare('select count(*) from calls where ended_at is not null').pluck();
    const caller = spawn(
      'sipp',
      [service.sipAddress, '-sn', 'uac', '-s', 'demo', '-i', '127.0.0.1', '-nostdin', '-d', '300'].concat([
        '-r',
        String(rate),
        '-m',
        String(total),
        '-l',
        '150',
        '-recv_timeout',
        '20000',
      ]),
      { stdio: 'ignore' },
    );
    const left = new Promise<number | null>((resolve) => caller.on('close', resolve));
    bar.start(total, 0, { engine: '' });
    let isOver = false;
    void left.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const calls = ended.get() as number;
      samples.push({ calls, engineMiB: residentMiB(engine), apiMiB: residentMiB(api) });
      bar.update(calls, { engine: String(Math.round(samples.at(-1)?.engineMiB ?? 0)) });
    }
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    bar.stop();
    const open = raw.prepare('select count(*) from calls where ended_at is null').pluck().get() as number;
    const failed = raw.prepare(`select count(*) from calls where status <> 'COMPLETED'`).pluck().get() as number;
    const made = ended.get() as number;
    raw.close();
    return reportOf(samples, { made, open, failed, sippExit: await left });
  } finally {
    await service.stop();
  }
});

/** Growth is counted from the end of the first fifth, when caches and heaps have settled. */
function reportOf(
  samples: readonly Sample[],
  result: { made: number; open: number; failed: number; sippExit: number | null },
): Report {
  const settled = samples.slice(Math.floor(samples.length / 5));
  const first = settled[0];
  const last = settled.at(-1);
  const calls = (last?.calls ?? 0) - (first?.calls ?? 0);
  const rows = (['engineMiB', 'apiMiB'] as const).map((of) => {
    const [before, after] = [first?.[of] ?? 0, last?.[of] ?? 0];
    const growth = Math.round((after - before) * 10) / 10;
    const perThousand = Math.round((growth * 1024 * 1000) / Math.max(1, calls));
    return [of === 'engineMiB' ? 'engine' : 'api', Math.round(before), Math.round(after), growth, perThousand];
  });
  linePlot('soak', 'Resident memory (MiB) over calls', 'calls', {
    engine: samples.map(({ calls: x, engineMiB: y }) => ({ x, y })),
    api: samples.map(({ calls: x, apiMiB: y }) => ({ x, y })),
  });
  return {
    title: 'Soak: memory over many short calls',
    lines: [
      `${result.made} calls ended, ${result.open} open, ${result.failed} not COMPLETED, sipp exit ${result.sippExit}`,
      '',
      ...table(
        ['process', 'after the first fifth (MiB)', 'at the end (MiB)', 'growth (MiB)', 'per 1,000 calls (KiB)'],
        rows,
      ),
    ],
    data: { ...result, samples },
  };
}
