// `npm test`: every test/**/*.test.ts in its own process, in parallel, with one summary line at the end.
// `npm test -- PART…` runs the files whose path contains one of the parts.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const USAGE = `usage: npm test [-- PART…]
  PART  runs only the files under test/ whose path contains it`;

const parts = process.argv.slice(2);
if (parts.includes('--help')) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const files = globSync('test/**/*.test.ts')
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test file matches ${parts.join(' ')}; ${USAGE}\n`);
  process.exit(2);
}

const SLOWEST = 30;
let passed = 0;
let failed = 0;
let skipped = 0;
/** Time of its tests, s. */
const tookSeconds = new Map<string, number>();
const isLeaf = (data: { details?: { type?: string | undefined } }) => data.details?.type !== 'suite';

function note({ file, nesting, details }: { file?: string; nesting: number; details: { duration_ms: number } }): void {
  if (file === undefined || nesting > 0) return;
  const name = relative(process.cwd(), file);
  tookSeconds.set(name, (tookSeconds.get(name) ?? 0) + details.duration_ms / 1_000);
}

/** The files that took longest, if there are many. */
function slowest(): string {
  if (files.length <= SLOWEST) return '';
  const sorted = [...tookSeconds].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  return `slowest files, s: ${sorted.map(([name, seconds]) => `${name} ${seconds.toFixed(0)}`).join(', ')}\n`;
}

/** Runs files in parallel; resolves when the last has ended. */
function runFiles(group: string[], concurrency: number): Promise<void> {
  if (group.length === 0) return Promise.resolve();
  const stream = run({
    files: group,
    concurrency,
    timeout: 300_000,
    execArgv: ['--no-warnings', '--import', new URL('./support/exit.ts', import.meta.url).href],
  });
  stream.on('test:pass', (data) => {
    note(data);
    if (!isLeaf(data)) return;
    if (data.skip !== undefined) skipped++;
    else passed++;
  });
  stream.on('test:fail', (data) => {
    note(data);
    if (isLeaf(data)) failed++;
  });
  const ended = new Promise<void>((resolve) => stream.on('end', resolve));
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  return ended;
}

// Whole services come last, the longest first, so that none of them ends alone. Where words must be recognised, apart
// from the others: these scenarios mostly wait for the wire, and speech is synthesised at the lowest priority, which a
// busy machine would starve. What breaks a service, or looks at it in a browser, minds less.
const LISTENING = [
  'transfer',
  'engines',
  'e2e/calls',
  'openai',
  'booking',
  'dashboard/calls',
  'outbound',
  'web',
  'recovery',
];
const OTHERS = ['faults/disk', 'dashboard/pages', 'faults/threads', 'faults/clock', 'faults/dark', 'kill', 'e2e/start'];
const isService = (file: string): boolean => file.includes('/e2e/') || file.includes('kill');
const isListening = (file: string): boolean => LISTENING.some((part) => file.includes(part));
const longestFirst = (order: readonly string[]) => {
  const rank = (file: string): number => {
    const found = order.findIndex((part) => file.includes(part));
    return found === -1 ? order.length : found;
  };
  return (a: string, b: string): number => rank(a) - rank(b);
};
const services = files.filter(isService);
await runFiles(
  files.filter((file) => !isService(file)),
  availableParallelism() + 1,
);
await runFiles(services.filter(isListening).sort(longestFirst(LISTENING)), 3);
await runFiles(services.filter((file) => !isListening(file)).sort(longestFirst(OTHERS)), 3);
await new Promise((resolve) => setTimeout(resolve, 100));
process.stdout.write(`\n${slowest()}${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
