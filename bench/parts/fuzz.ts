// `npm run bench -- fuzz [--requests N] [--seed S]`: sends valid, changed and broken requests to every route of a
// running API (fuzz/fuzz-run.ts). Throws after a wrong answer.
import cliProgress from 'cli-progress';
import { runFuzz } from '../rig/fuzz/fuzz-run.ts';
import { readOptions } from '../rig/options.ts';
import { linePlot, report } from '../rig/statistics.ts';

const USAGE = `usage: npm run bench -- fuzz [--requests N] [--seed S]
  N requests (default 50,000) derived from the seed S (default: today's date) against every route of a running API`;

/** Most growth of a process after the first fifth, when heaps and caches have settled. */
const GROWTH_MAX_MIB = 80;

export default async function fuzz(args: string[]): Promise<void> {
  const today = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
  const { requests, seed } = readOptions(USAGE, { requests: 50_000, seed: today }, args);
  process.stdout.write(`seed ${seed}\n`);
  const bar = new cliProgress.SingleBar({ format: 'fuzz {bar} {value}/{total} requests' });
  bar.start(requests, 0);
  const startedAt = performance.now();
  const found = await runFuzz({ requests, seed, onProgress: (done) => bar.update(done) }).finally(() => bar.stop());
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const settled = found.memory.slice(Math.floor(found.memory.length / 5));
  const [first, last] = [settled[0]?.apiMiB ?? 0, settled.at(-1)?.apiMiB ?? 0];
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const rows: Array<[string, string]> = [
    ['requests, seed, routes', `${found.requests}, ${seed}, ${found.routes}; ${seconds} s`],
    ['answers by status', list(found.statuses)],
    ['changes', list(found.mutations)],
    ['API memory after the first fifth, at the end (MiB)', `${Math.round(first)}, ${Math.round(last)}`],
    ['wrong answers', String(found.problems.length)],
  ];
  const lines = ['', '| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)];
  report('fuzz', 'Fuzzed requests against a running API', [], {}, { lines, data: { seed, ...found } });
  linePlot('fuzz', 'Resident memory (MiB) over requests', 'requests', {
    api: found.memory.map(({ requests: x, apiMiB: y }) => ({ x, y })),
  });
  if (last - first > GROWTH_MAX_MIB) throw new Error(`the API grew by ${Math.round(last - first)} MiB`);
  if (found.problems.length > 0) throw new Error(`wrong answers:\n${found.problems.slice(0, 20).join('\n\n')}`);
}
