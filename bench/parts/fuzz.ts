// `npm run bench -- fuzz [--requests N] [--seed S]`: sends valid, changed and broken requests to every route of a
// running API (fuzz/fuzz-run.ts). Throws after a wrong answer.
import cliProgress from 'cli-progress';
import { runFuzz } from '../rig/fuzz/fuzz-run.ts';
import { linePlot, table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- fuzz [--requests N] [--seed S]
  N requests (default 50,000) derived from the seed S (default: today's date) against every route of a running API`;

/** Most growth of a process after the first fifth, when heaps and caches have settled. */
const GROWTH_MAX_MIB = 80;

const TODAY = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));

export default part(USAGE, { requests: 50_000, seed: TODAY }, async ({ requests, seed }) => {
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
  linePlot('fuzz', 'Resident memory (MiB) over requests', 'requests', {
    api: found.memory.map(({ requests: x, apiMiB: y }) => ({ x, y })),
  });
  const failure =
    last - first > GROWTH_MAX_MIB
      ? `the API grew by ${Math.round(last - first)} MiB`
      : found.problems.length > 0
        ? `wrong answers:\n${found.problems.slice(0, 20).join('\n\n')}`
        : null;
  const title = 'Fuzzed requests against a running API';
  return { title, lines: table(['', ''], rows), data: { seed, ...found }, failure };
});
