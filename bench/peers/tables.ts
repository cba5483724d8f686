// The figures of all contenders side by side: one line a figure, one column a contender.
import type { Score } from '../conversation/score.ts';
import { summarise, table } from '../rig/measure/statistics.ts';

export interface Figure {
  figure: string;
  column: string;
  values: readonly number[];
}

const NOTHING = '–';

const sum = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((total, score) => total + of(score), 0);

const share = (part: number, of: number): string => (of === 0 ? NOTHING : `${part} / ${of}`);

/** `p50 / p95`. */
function times(values: readonly number[]): string {
  const { count, p50, p95 } = summarise(values);
  return count === 0 ? NOTHING : `${Math.round(p50)} / ${Math.round(p95)}`;
}

/** Each figure as p50 / p95 in ms, and how often it was measured. */
export function figureTable(figures: readonly Figure[]): string[] {
  const names = [...new Set(figures.map(({ figure }) => figure))];
  const columns = [...new Set(figures.map(({ column }) => column))];
  const cell = (figure: string, column: string): string => {
    const found = figures.find((each) => each.figure === figure && each.column === column);
    return found === undefined ? NOTHING : `${times(found.values)} (${found.values.length})`;
  };
  const rows = names.map((figure) => [figure, ...columns.map((column) => cell(figure, column))]);
  return table(['p50 / p95, ms (n)', ...columns], rows);
}

type Total = readonly [figure: string, of: (scores: readonly Score[]) => string];

const TOTALS: readonly Total[] = [
  ['response gap p50 / p95, ms', (scores) => times(scores.flatMap(({ gapsMs }) => gapsMs))],
  ['cut-offs of unfinished turns', (scores) => counts(scores, 'cutOffs', 'unfinished')],
  ['false yields', (scores) => counts(scores, 'falseYields', 'asides')],
  ['– of which the rest was never said', (scores) => `${sum(scores, ({ falseStops }) => falseStops)}`],
  ['yield to an interruption p50 / p95, ms', (scores) => times(scores.flatMap(({ yieldsMs }) => yieldsMs))],
  [
    'interruptions without a yield',
    (scores) => {
      const interruptions = sum(scores, (score) => score.interruptions);
      return share(interruptions - sum(scores, ({ yieldsMs }) => yieldsMs.length), interruptions);
    },
  ],
  ["the agent's words lost", (scores) => counts(scores, 'agentWordsLost', 'agentWords')],
  ["the caller's words lost", (scores) => counts(scores, 'callerWordsLost', 'callerWords')],
  ['stale frames', (scores) => `${sum(scores, ({ staleFrames }) => staleFrames)}`],
  ['turns unanswered', (scores) => counts(scores, 'unanswered', 'turns')],
  ['requests a turn', (scores) => ratio(scores, 'requests', 'turns')],
  ['takes broken off', (scores) => share(scores.filter(({ failure }) => failure !== null).length, scores.length)],
];

type Count = {
  [Name in keyof Score]: Score[Name] extends number ? Name : never;
}[keyof Score];

function counts(scores: readonly Score[], part: Count, of: Count): string {
  return share(
    sum(scores, (score) => score[part]),
    sum(scores, (score) => score[of]),
  );
}

function ratio(scores: readonly Score[], part: Count, of: Count): string {
  const whole = sum(scores, (score) => score[of]);
  return whole === 0 ? NOTHING : (sum(scores, (score) => score[part]) / whole).toFixed(1);
}

/** The totals of all scenarios, and each scenario: gap p50, cut-offs, false yields. */
export function conversationTables(columns: ReadonlyMap<string, readonly Score[]>): string[] {
  const names = [...columns.keys()];
  const all = [...columns.values()];
  const scenarios = [...new Set(all.flat().map(({ scenario }) => scenario))].sort();
  const cell = (scores: readonly Score[]): string => {
    const gaps = summarise(scores.flatMap(({ gapsMs }) => gapsMs));
    const gap = gaps.count === 0 ? NOTHING : `${Math.round(gaps.p50)}`;
    return [gap, counts(scores, 'cutOffs', 'unfinished'), counts(scores, 'falseYields', 'asides')].join(', ');
  };
  return [
    ...table(
      ['', ...names],
      TOTALS.map(([figure, of]) => [figure, ...all.map(of)]),
    ),
    '',
    ...table(
      ['gap p50, cut-offs, false yields', ...names],
      scenarios.map((name) => [name, ...all.map((scores) => cell(scores.filter(({ scenario }) => scenario === name)))]),
    ),
  ];
}
