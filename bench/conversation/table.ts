// The scores of many takes as tables: a line a scenario, and the figures that have targets, for each half of the seeds.
import { type Report, type Row, rowOf, summarise, table } from '../rig/measure/statistics.ts';
import type { Score } from './score.ts';
import type { Engines } from './service.ts';

/** Settings are tuned on takes of even seeds and judged by those of odd ones. */
export const HALVES = ['tuning', 'held-out'] as const;
export type Half = (typeof HALVES)[number];

export const halfOf = (seed: number): Half => (seed % 2 === 0 ? 'tuning' : 'held-out');

const GAP_TARGETS: Record<Engines, string> = {
  typical: 'p50 <= 450',
  openai: 'p50 <= 450',
  deepgram: 'p50 <= 450',
  'built-in': 'p50 <= 650',
};

const sum = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((total, score) => total + of(score), 0);

const share = (part: number, of: number): string => (of === 0 ? '–' : `${part} / ${of}`);

const percent = (part: number, of: number): string => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);

export interface Run {
  scores: Score[];
  /** Lateness of the callers' own packets at p99: a busy machine adds it to every figure. */
  callerLateMs: number;
  /** Calls that the service had no room for; their callers called again. */
  refusals?: number;
  /** Requests to a recogniser of whole sentences; null for others. */
  recogniserRequests?: number | null;
}

/** How often a recogniser of whole sentences was asked. */
export const requestsLine = (requests: number, turns: number): string =>
  `The recogniser was asked ${requests} times in ${turns} turns, and what was no turn.`;

/** How often a caller had to call again. */
export const refusalsLine = (refusals: number): string =>
  `${refusals} calls found no room (503), and their callers called again.`;

export function reportOf(runs: ReadonlyMap<Engines, Run>, halves: readonly Half[]): Report {
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  const lines: string[] = [];
  for (const [engines, { scores: all, callerLateMs, refusals = 0, recogniserRequests = null }] of runs) {
    lines.push('', `Callers with ${engines} engines were late by ${callerLateMs} ms at p99.`);
    if (refusals > 0) lines.push('', refusalsLine(refusals));
    const turns = sum(all, (score) => score.turns);
    if (recogniserRequests !== null) lines.push('', requestsLine(recogniserRequests, turns));
    for (const half of halves) {
      const some = all.filter(({ seed }) => halfOf(seed) === half);
      const gaps = some.flatMap(({ gapsMs }) => gapsMs);
      const yields = some.flatMap(({ yieldsMs }) => yieldsMs);
      const name = `${engines} engines, ${half}`;
      samples[`gap, ${name}`] = gaps;
      rows.push(rowOf(`response gap, ${name}`, gaps, GAP_TARGETS[engines]));
      rows.push(rowOf(`yield, ${name}`, yields, 'p50 <= 80, p95 <= 120'));
      const silences = some.flatMap(({ silencesMs }) => silencesMs);
      rows.push(rowOf(`silent after an interruption, ${name}`, silences, 'p50 <= 450, p95 <= 600'));
      const afterWord = some.flatMap(({ afterWordMs }) => afterWordMs);
      if (afterWord.length > 0) rows.push(rowOf(`– after the first word came, ${name}`, afterWord, 'p50 <= 40'));
      lines.push('', `## ${name}`, '', ...totals(some), '', ...scenarioTable(some));
    }
  }
  return { title: 'Conversation', rows, samples, lines: lines.slice(1), data: { runs: Object.fromEntries(runs) } };
}

function totals(scores: readonly Score[]): string[] {
  const unfinished = sum(scores, (score) => score.unfinished);
  const asides = sum(scores, (score) => score.asides);
  const cutOffs = sum(scores, (score) => score.cutOffs);
  const falseYields = sum(scores, (score) => score.falseYields);
  const rows: Array<[figure: string, value: string, target: string]> = [
    ['cut-offs of unfinished turns', `${share(cutOffs, unfinished)} (${percent(cutOffs, unfinished)})`, '<= 2 %'],
    ['false yields', `${share(falseYields, asides)} (${percent(falseYields, asides)})`, '<= 5 %'],
    ['– of which the rest was never said', `${sum(scores, (score) => score.falseStops)}`, '0'],
    ['ducked over these, ms', `${sum(scores, (score) => score.duckedMs)}`, '<= 200 each'],
    ["the agent's words lost", lost(scores, 'agentWordsLost', 'agentWords'), '0'],
    ["the agent's words said again", `${sum(scores, (score) => score.agentWordsRepeated)}`, 'one a false yield'],
    ["the caller's words lost", lost(scores, 'callerWordsLost', 'callerWords'), '0'],
    ['stale frames', `${sum(scores, (score) => score.staleFrames)}`, '0'],
    [
      'turns unanswered',
      share(
        sum(scores, (score) => score.unanswered),
        sum(scores, (score) => score.turns),
      ),
      '0',
    ],
    [
      'interruptions without a yield',
      share(
        missedYields(scores),
        sum(scores, (score) => score.interruptions),
      ),
      '0',
    ],
    ['takes broken off', share(scores.filter(({ failure }) => failure).length, scores.length), '0'],
  ];
  return table(['figure', 'value', 'target'], rows);
}

const lost = (scores: readonly Score[], part: 'agentWordsLost' | 'callerWordsLost', of: 'agentWords' | 'callerWords') =>
  share(
    sum(scores, (score) => score[part]),
    sum(scores, (score) => score[of]),
  );

const missedYields = (scores: readonly Score[]): number =>
  sum(scores, (score) => score.interruptions - score.yieldsMs.length);

const COLUMNS = [
  'scenario',
  'takes',
  'gap p50',
  'cut off',
  'yield p50 / max',
  'silent p50 / max',
  'false yields',
  'agent words lost',
  'caller words lost',
  'unexpected',
  'unanswered',
  'stale',
  'requests a turn',
];

/** `turns 2, left 1`. */
function surprisesOf(scores: readonly Score[]): string {
  const all = scores.flatMap(({ unexpected, failure }) => (failure === null ? unexpected : [...unexpected, 'failed']));
  const names = [...new Set(all)];
  return names.map((name) => `${name} ${all.filter((each) => each === name).length}`).join(', ') || '–';
}

function scenarioTable(scores: readonly Score[]): string[] {
  const names = [...new Set(scores.map(({ scenario }) => scenario))].sort();
  const takesOf = (name: string): Score[] => scores.filter(({ scenario }) => scenario === name);
  return table(
    COLUMNS,
    names.map((name) => scenarioRow(name, takesOf(name))),
  );
}

function scenarioRow(name: string, scores: readonly Score[]): string[] {
  const gaps = summarise(scores.flatMap(({ gapsMs }) => gapsMs));
  const yields = summarise(scores.flatMap(({ yieldsMs }) => yieldsMs));
  const silences = summarise(scores.flatMap(({ silencesMs }) => silencesMs));
  const turns = sum(scores, (score) => score.turns);
  return [
    name,
    `${scores.length}`,
    gaps.count === 0 ? '–' : `${Math.round(gaps.p50)}`,
    share(
      sum(scores, (score) => score.cutOffs),
      sum(scores, (score) => score.unfinished),
    ),
    yields.count === 0 ? '–' : `${Math.round(yields.p50)} / ${Math.round(yields.max)}`,
    silences.count === 0 ? '–' : `${Math.round(silences.p50)} / ${Math.round(silences.max)}`,
    share(
      sum(scores, (score) => score.falseYields),
      sum(scores, (score) => score.asides),
    ),
    `${sum(scores, (score) => score.agentWordsLost)}`,
    lost(scores, 'callerWordsLost', 'callerWords'),
    surprisesOf(scores),
    share(
      sum(scores, (score) => score.unanswered),
      turns,
    ),
    `${sum(scores, (score) => score.staleFrames)}`,
    turns === 0 ? '–' : (sum(scores, (score) => score.requests) / turns).toFixed(1),
  ];
}
