// The cost of test files: the time that each one took and the processor time of it and of everything that it started.
// The processes of the tests leave it in a folder, and the runner reads it for the tables at its end.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

export interface Cost {
  seconds: number;
  processorSeconds: number;
}

/** Names the folder to the processes of the tests; other programs do without. */
const FOLDER = 'TEST_COSTS';
const LONGEST = 10;
/** Fields 14 to 17 of /proc/self/stat count in hundredths of a second, on every architecture. */
const TICKS_A_SECOND = 100;

/** Of this process and of its children that have ended, s. Elsewhere than on Linux only its own. */
export function processorSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the command stands in brackets and may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return ownProcessorSeconds();
  }
}

export function ownProcessorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Keeps what the file has cost, where a runner asks for it. */
export function noteCost(file: string, cost: Cost): void {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ file, ...cost })}\n`);
}

/** Begins to collect the costs of the files that this process runs. */
export function collectCosts(): { byFile(): Map<string, Cost>; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'test-costs-'));
  process.env[FOLDER] = folder;
  return { byFile: () => readCosts(folder), end: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A file that ran twice has cost both. */
function readCosts(folder: string): Map<string, Cost> {
  const costs = new Map<string, Cost>();
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')) {
      const { file, ...cost } = JSON.parse(line) as Cost & { file: string };
      const path = relative(process.cwd(), file);
      const before = costs.get(path) ?? { seconds: 0, processorSeconds: 0 };
      costs.set(path, {
        seconds: before.seconds + cost.seconds,
        processorSeconds: before.processorSeconds + cost.processorSeconds,
      });
    }
  }
  return costs;
}

const columns = (name: string, seconds: string, processor: string): string =>
  `${name.padEnd(56)} ${seconds.padStart(7)} ${processor.padStart(12)}\n`;

const row = (name: string, { seconds, processorSeconds: processor }: Cost): string =>
  columns(name, seconds.toFixed(0), processor.toFixed(0));

/** How long each kind took, where several ran. */
export function tableOfKinds(costs: ReadonlyMap<string, Cost>): string {
  const took = [...costs].filter(([, { seconds }]) => seconds >= 1);
  if (took.length < 2) return '';
  return `${columns('kind', 's', 'processor s')}${took.map(([kind, cost]) => row(kind, cost)).join('')}\n`;
}

/** The files that took longest, where several ran. */
export function tableOfFiles(costs: ReadonlyMap<string, Cost>): string {
  if (costs.size < 2) return '';
  const longest = [...costs].toSorted(([, a], [, b]) => b.seconds - a.seconds).slice(0, LONGEST);
  return `${columns('longest files', 's', 'processor s')}${longest.map(([file, cost]) => row(file, cost)).join('')}\n`;
}
