// Writes bench/RECORD.md and its plots from the runs that were kept.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import { lineGraph, machine, type Row } from '../statistics.ts';
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
  /** Why there are no figures, or fewer. */
  note: string | null;
}

/** Returns where it was written. */
export function writeRecord(parts: readonly PartRuns[], isQuick: boolean): string {
  rmSync(PLOTS, { recursive: true, force: true });
  mkdirSync(PLOTS, { recursive: true });
  const tried = parts.filter(({ runs, note }) => runs.length > 0 || note !== null);
  const lines = [
    ...heading(parts, isQuick),
    ...contents(tried),
    ...leftOut(parts.filter((part) => !tried.includes(part))),
    ...tried.flatMap(sectionOf),
  ];
  writeFileSync(DOCUMENT, `${lines.join('\n')}\n`);
  return DOCUMENT.pathname;
}

function heading(parts: readonly PartRuns[], isQuick: boolean): string[] {
  const versions = [...new Set(parts.flatMap(({ runs }) => runs.flatMap(({ kept }) => kept.version ?? [])))];
  const { cores, model, node } = machine();
  return [
    '# The record',
    '',
    'Written by `npm run bench -- record`. [docs/record.md](../docs/record.md) says what each figure means, how to repeat it, and',
    'what it does not show.',
    '',
    ...(isQuick
      ? ['**A quick record:** runs this short show that the bench works, not how fast the service is.', '']
      : []),
    `Machine: ${cores} cores (${model}), ${Math.round(totalmem() / GIB)} GiB, ${process.platform} ${process.arch}, Node ${node}.`,
    ...(versions.length === 0 ? [] : [`Version: ${versions.join(', ')}.`]),
    '',
    'Where a part ran more than once, a figure is the median of its runs, with the lowest and the highest in brackets.',
  ];
}

function contents(parts: readonly PartRuns[]): string[] {
  return [
    '',
    '| part | runs | command | load before and after each run | minutes |',
    '|---|---|---|---|---|',
    ...parts.map(({ part, args, runs, note }) => {
      const command = `\`npm run bench -- ${[part.bench, ...args].join(' ')}\``;
      const loads = runs.map(({ kept }) => `${kept.loadBefore}, ${kept.loadAfter}`).join('; ');
      const minutes = runs.reduce((sum, { kept }) => sum + kept.seconds, 0) / 60;
      return `| ${part.title} | ${runs.length} | ${command} | ${runs.length > 0 ? loads : (note ?? '')} | ${minutes.toFixed(1)} |`;
    }),
  ];
}

function leftOut(parts: readonly PartRuns[]): string[] {
  if (parts.length === 0) return [];
  return ['', `Not measured here: ${parts.map(({ part }) => `\`${part.name}\``).join(', ')}.`];
}

function sectionOf({ part, runs, note }: PartRuns): string[] {
  const lines = ['', `## ${part.title}`];
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

/** Those that the last run drew, and latency by calls where there are rows for several numbers of calls. */
function plotsOf(part: RecordPart, runs: PartRuns['runs']): Array<[title: string, name: string]> {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const drawn = filesOf(part.name, last.run, '.svg').map((file): [string, string] => {
    const name = basename(file.pathname);
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

const rowsOf = (file: URL): Row[] => (JSON.parse(readFileSync(file, 'utf8')) as { rows?: Row[] }).rows ?? [];

/** By figure and percentile: the medians over the runs, where a figure was taken at two numbers of calls at least. */
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
