// Percentiles, the machine's state with each figure, and the bench's output files: JSON, a Markdown table, SVG plots.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

export interface Summary {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** Nearest-rank percentiles of `values` (usually ms), rounded to 0.1. */
export function summarise(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => {
    const value = sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
    return Math.round(value * 10) / 10;
  };
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

interface Machine {
  cores: number;
  model: string;
  load1: number;
  node: string;
}

export function machine(): Machine {
  return {
    cores: cpus().length,
    model: cpus()[0]?.model.trim() ?? 'unknown',
    load1: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    node: process.versions.node,
  };
}

const RESULTS = new URL('../../results/', import.meta.url);

export interface Row {
  name: string;
  summary: Summary;
  target: string;
}

/** A figure in ms, of all its samples. */
export const rowOf = (name: string, valuesMs: readonly number[], target = ''): Row => ({
  name,
  summary: summarise(valuesMs),
  target,
});

/** Lines of a Markdown table. */
export function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string[] {
  const line = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}

/** A part's findings. */
export interface Report {
  title: string;
  /** Figures in ms. */
  rows?: readonly Row[];
  /** Samples of these, for the plot. */
  samples?: Record<string, readonly number[]>;
  /** Other results as lines of Markdown, and as data. */
  lines?: readonly string[];
  data?: Record<string, unknown>;
  /** Printed only. */
  notes?: readonly string[];
  /** A promise that was not kept: it is thrown in the end. */
  failure?: string | null;
}

/** Prints the report and writes `results/NAME.json`, `.md` and, if there are samples, `.svg`. */
export function report(
  name: string,
  { title, rows = [], samples = {}, lines: more = [], data = {}, notes = [], failure = null }: Report,
): void {
  const host = machine();
  const figures = rows.map(({ name: figure, summary, target }) => {
    const { count, p50, p95, p99, max } = summary;
    return [figure, count, p50, p95, p99, max, target];
  });
  const at = new Date().toISOString();
  const lines = [
    `# ${title}`,
    '',
    `${host.cores} cores (${host.model}), load ${host.load1}, Node ${host.node}, ${at}`,
    ...(rows.length === 0 ? [] : ['', ...table(['figure (ms)', 'n', 'p50', 'p95', 'p99', 'max', 'target'], figures)]),
    ...(more.length === 0 ? [] : ['', ...more]),
  ];
  process.stdout.write(`${[...lines.slice(2), ...notes].join('\n')}\n`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL(`${name}.md`, RESULTS), `${lines.join('\n')}\n`);
  writeFileSync(
    new URL(`${name}.json`, RESULTS),
    `${JSON.stringify({ title, machine: host, at, rows, ...data }, null, 2)}\n`,
  );
  if (Object.keys(samples).length > 0) writeFileSync(new URL(`${name}.svg`, RESULTS), cumulativePlot(title, samples));
  if (failure !== null) throw new Error(failure);
}

const COLOURS = ['#1f6feb', '#d1582b', '#2a9d63', '#8250df', '#bf8700'];

type Series = Record<string, ReadonlyArray<{ x: number; y: number }>>;

interface Axis {
  max: number;
  ticks: readonly number[];
  label(value: number): string;
}

const fifthsOf = (max: number, label: Axis['label'] = (value) => value.toFixed(0)): Axis => ({
  max,
  ticks: [0, 1, 2, 3, 4, 5].map((tick) => (max / 5) * tick),
  label,
});

/** Cumulative distribution of each series: share of samples (y) at or below a time in ms (x). */
function cumulativePlot(title: string, samples: Record<string, readonly number[]>): string {
  const max = Math.max(1, ...Object.values(samples).flat()) * 1.05;
  const curve = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b).map((x, rank) => ({ x, y: (rank + 1) / values.length }));
  return graph(
    title,
    'ms',
    Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, curve(values)])),
    fifthsOf(max, (value) => value.toFixed(value < 10 ? 1 : 0)),
    { max: 1, ticks: [0, 0.25, 0.5, 0.75, 0.95, 1], label: (share) => `${Math.round(share * 100)} %` },
  );
}

/** Writes `results/NAME.svg`: lines through points, one a series. */
export function linePlot(name: string, title: string, xLabel: string, series: Series): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, RESULTS), lineGraph(title, xLabel, series));
}

export function lineGraph(title: string, xLabel: string, series: Series): string {
  const all = Object.values(series).flat();
  const maxX = Math.max(1, ...all.map((point) => point.x));
  const maxY = Math.max(1, ...all.map((point) => point.y)) * 1.1;
  return graph(title, xLabel, series, fifthsOf(maxX), fifthsOf(maxY));
}

function graph(title: string, xLabel: string, series: Series, xAxis: Axis, yAxis: Axis): string {
  const [width, height, left, bottom] = [760, 360, 60, 50];
  const x = (value: number): number => left + (value / xAxis.max) * (width - left - 20);
  const y = (value: number): number => height - bottom - (value / yAxis.max) * (height - bottom - 40);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="white"/><text x="${left}" y="22" font-size="15">${title}</text>`,
  ];
  for (const at of yAxis.ticks) {
    parts.push(`<line x1="${left}" x2="${width - 20}" y1="${y(at)}" y2="${y(at)}" stroke="#ddd"/>`);
    parts.push(`<text x="${left - 8}" y="${y(at) + 4}" text-anchor="end">${yAxis.label(at)}</text>`);
  }
  for (const at of xAxis.ticks) {
    parts.push(`<text x="${x(at)}" y="${height - bottom + 18}" text-anchor="middle">${xAxis.label(at)}</text>`);
  }
  parts.push(`<text x="${(left + width) / 2}" y="${height - 10}" text-anchor="middle">${xLabel}</text>`);
  Object.entries(series).forEach(([name, points], index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '#000';
    const line = points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(' ');
    parts.push(`<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    parts.push(`<text x="${width - 24}" y="${60 + index * 18}" text-anchor="end" fill="${colour}">${name}</text>`);
  });
  return `${parts.join('\n')}\n</svg>\n`;
}
