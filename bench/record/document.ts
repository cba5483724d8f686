// Writes bench/RECORD.md and its plots from the kept runs and from the existing record.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import { lineGraph, machine, type Row } from '../rig/measure/statistics.ts';
import { type EarlierPart, earlierParts, QUICK_MARK } from './earlier.ts';
import { filesOf, type KeptRun } from './kept-runs.ts';
import { bodyOf, mergeReports } from './merge.ts';
import type { RecordPart } from './parts.ts';

const DOCUMENT = new URL('../RECORD.md', import.meta.url);
const PLOTS = new URL('../record-plots/', import.meta.url);
const GIB = 1024 ** 3;

export interface PartRuns {
  part: RecordPart;
  args: readonly string[];
  runs: ReadonlyArray<{ run: number; kept: KeptRun }>;
  /** Why figures are missing. */
  note: string | null;
}

/**
 * Parts without runs keep their text of this machine's record, unless `isFresh` or the record is a quick one. Returns
 * the record's address.
 */
export function writeRecord(parts: readonly PartRuns[], { isQuick, isFresh }: { isQuick: boolean; isFresh: boolean }) {
  mkdirSync(PLOTS, { recursive: true });
  const standing = isQuick || isFresh || !existsSync(DOCUMENT) ? '' : readFileSync(DOCUMENT, 'utf8');
  const all = parts.map(({ part }) => part);
  const earlier = earlierParts(standing, machineLine(), all);
  const entries = parts.flatMap((part) => entryOf(part, earlier.get(part.part.name)));
  const named = new Set(entries.map(({ name }) => name));
  const lines = [
    ...heading(isQuick),
    ...contents(entries.map(({ row }) => row)),
    ...leftOut(all.filter(({ name }) => !named.has(name))),
    ...entries.flatMap(({ section }) => ['', ...section]),
  ];
  const text = `${lines.join('\n')}\n`;
  writeFileSync(DOCUMENT, text);
  for (const plot of readdirSync(PLOTS)) if (!text.includes(`record-plots/${plot})`)) rmSync(new URL(plot, PLOTS));
  return DOCUMENT.pathname;
}

function entryOf(part: PartRuns, earlier: EarlierPart | undefined): Array<EarlierPart & { name: string }> {
  const { name } = part.part;
  if (part.runs.length === 0 && earlier !== undefined) return [{ name, ...earlier }];
  if (part.runs.length === 0 && part.note === null) return [];
  return [{ name, row: rowOf(part), section: sectionOf(part) }];
}

function machineLine(): string {
  const { cores, model, node } = machine();
  return `Machine: ${cores} cores (${model}), ${Math.round(totalmem() / GIB)} GiB, ${process.platform} ${process.arch}, Node ${node}.`;
}

function heading(isQuick: boolean): string[] {
  return [
    '# The record',
    '',
    'Written by `npm run bench -- record`. [docs/record.md](../docs/record.md) says what each figure means, how to repeat it, and',
    'what it does not show.',
    '',
    ...(isQuick ? [`${QUICK_MARK} runs this short show that the bench works, not how fast the service is.`, ''] : []),
    machineLine(),
    '',
    'Where a part ran more than once, a figure is the median of its runs, with the lowest and the highest in brackets.',
  ];
}

function contents(rows: readonly string[]): string[] {
  return [
    '',
    '| part | runs | command | load before and after each run | minutes | version |',
    '|---|---|---|---|---|---|',
    ...rows,
  ];
}

function rowOf({ part, args, runs, note }: PartRuns): string {
  const command = `\`npm run bench -- ${[part.bench, ...args].join(' ')}\``;
  const loads = runs.map(({ kept }) => `${kept.loadBefore}, ${kept.loadAfter}`).join('; ');
  const minutes = runs.reduce((sum, { kept }) => sum + kept.seconds, 0) / 60;
  const versions = [...new Set(runs.flatMap(({ kept }) => kept.version ?? []))].join(', ');
  const cells = [part.title, runs.length, command, runs.length > 0 ? loads : note, minutes.toFixed(1), versions];
  return `| ${cells.join(' | ')} |`;
}

function leftOut(parts: readonly RecordPart[]): string[] {
  if (parts.length === 0) return [];
  return ['', `Not measured here: ${parts.map(({ name }) => `\`${name}\``).join(', ')}.`];
}

function sectionOf({ part, runs, note }: PartRuns): string[] {
  const lines = [`## ${part.title}`];
  if (note !== null) lines.push('', `${note}.`);
  const [first] = runs;
  if (first === undefined) return lines;
  for (const report of filesOf(part.name, first.run, '.md')) {
    const name = basename(report.pathname);
    const reports = runs.flatMap(({ run }) => filesOf(part.name, run, name).map((file) => readFileSync(file, 'utf8')));
    const title = readFileSync(report, 'utf8').match(/^# (.*)/)?.[1];
    if (title !== undefined && title !== part.title) lines.push('', `### ${title.replace(/: \d.*$/, '')}`);
    lines.push('', ...mergeReports(reports.map(bodyOf)));
  }
  for (const [title, name] of plotsOf(part, runs)) lines.push('', `![${title}](record-plots/${name})`);
  return lines;
}

/** The plots of the last run, and latency by calls if there are rows for several numbers of calls. */
function plotsOf(part: RecordPart, runs: PartRuns['runs']): Array<[title: string, name: string]> {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const drawn = filesOf(part.name, last.run, '.svg').map((file): [string, string] => {
    const name = plotName(part, basename(file.pathname));
    copyFileSync(file, new URL(name, PLOTS));
    return [name.replace('.svg', ''), name];
  });
  const rows = runs.flatMap(({ run }) => filesOf(part.name, run, `${part.name}.json`).flatMap(rowsOf));
  const series = latencyByCalls(rows);
  if (Object.keys(series).length === 0) return drawn;
  const name = `${part.name}-by-calls.svg`;
  const title = `${part.title}: p50 and p99 (ms) by calls`;
  writeFileSync(new URL(name, PLOTS), lineGraph(title, 'calls', series));
  return [[title, name], ...drawn];
}

/** Parts that run the same bench in different ways draw plots of the same name. */
export const plotName = ({ name, bench }: Pick<RecordPart, 'name' | 'bench'>, file: string): string =>
  file.startsWith(name) ? file : file.replace(bench, name);

const rowsOf = (file: URL): Row[] => (JSON.parse(readFileSync(file, 'utf8')) as { rows?: Row[] }).rows ?? [];

/** Medians over the runs by figure and percentile, for figures measured at two or more numbers of calls. */
export function latencyByCalls(rows: readonly Row[]): Record<string, Array<{ x: number; y: number }>> {
  const found = new Map<string, Map<number, number[]>>();
  for (const { name, summary } of rows) {
    const match = /^(.*?),? (\d+) calls?\b/.exec(name);
    if (match === null) continue;
    for (const percentile of ['p50', 'p99'] as const) {
      const byCalls = found.get(`${match[1]} ${percentile}`) ?? new Map<number, number[]>();
      found.set(`${match[1]} ${percentile}`, byCalls);
      byCalls.set(Number(match[2]), [...(byCalls.get(Number(match[2])) ?? []), summary[percentile]]);
    }
  }
  const series: Record<string, Array<{ x: number; y: number }>> = {};
  for (const [name, byCalls] of found) {
    if (byCalls.size < 2) continue;
    const points = [...byCalls].map(([x, values]) => ({ x, y: middle(values) }));
    series[name] = points.sort((a, b) => a.x - b.x);
  }
  return series;
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
