// Whether a figure has been lost between two versions that were measured in turns. A loss is a median that is worse by
// more than either version's own runs are apart, and by more than a few per cent. Of two versions that are the same,
// three runs of each call one figure in thirty a loss, four one in 150. Machines that are busy make ranges wide, and
// hide losses rather than invent them.

export interface Figure {
  name: string;
  unit: string;
  /** Which way is worse. */
  worse: 'higher' | 'lower';
  /** One value a run, in the order of the runs. */
  before: readonly number[];
  now: readonly number[];
}

type Verdict = 'lost' | 'gained' | 'within the noise';

interface Judged {
  figure: Figure;
  before: Spread;
  now: Spread;
  /** Of the median of the version before; positive is worse. */
  worseBy: number;
  /** The share of that median that a difference must exceed. */
  noise: number;
  verdict: Verdict;
}

interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Less than this share is not worth a look, however close the runs are. */
const FLOOR = 0.03;

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [upper = Number.NaN, lower = Number.NaN] = [sorted[middle], sorted[middle - 1]];
  const median = sorted.length % 2 === 0 ? (lower + upper) / 2 : upper;
  return { median, low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN };
}

/** @throws Error where a side has no run: nothing could be said of it */
export function judge(figure: Figure): Judged {
  if (figure.before.length === 0 || figure.now.length === 0) throw new Error(`${figure.name} was not measured`);
  const [before, now] = [spreadOf(figure.before), spreadOf(figure.now)];
  const change = (now.median - before.median) / before.median;
  const worseBy = figure.worse === 'higher' ? change : -change;
  const widest = Math.max(before.high - before.low, now.high - now.low) / before.median;
  const noise = Math.max(FLOOR, widest);
  return { figure, before, now, worseBy, noise, verdict: verdictOf(worseBy, noise) };
}

function verdictOf(worseBy: number, noise: number): Verdict {
  if (worseBy > noise) return 'lost';
  return worseBy < -noise ? 'gained' : 'within the noise';
}

/** Cells of a row: figure, before, now, change, noise, verdict. */
export function cellsOf({ figure, before, now, worseBy, noise, verdict }: Judged): string[] {
  const change = figure.worse === 'higher' ? worseBy : -worseBy;
  const percent = (share: number, sign = ''): string => `${sign}${(share * 100).toFixed(0)} %`;
  return [
    `${figure.name}, ${figure.unit}`,
    textOf(before),
    textOf(now),
    percent(change, change > 0 ? '+' : ''),
    percent(noise),
    verdict === 'lost' ? '**lost**' : verdict,
  ];
}

/** Three digits that count. */
const rounded = (value: number): string =>
  value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString('en');

const textOf = ({ median, low, high }: Spread): string => `${rounded(median)} (${rounded(low)}-${rounded(high)})`;
