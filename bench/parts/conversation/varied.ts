// `npm run bench -- varied`: takes from a grammar of events, so that nobody tunes to the scenario files. Judged like
// these, as shares with their intervals, for each recogniser and number of calls at once.
import { writeFileSync } from 'node:fs';
import { type GeneratedTake, generateTake, halfOfSeed } from '../../conversation/grammar.ts';
import { playAll } from '../../conversation/run.ts';
import { type Score, scoreTake } from '../../conversation/score.ts';
import { ENGINES, type Engines } from '../../conversation/service.ts';
import { sharesOf } from '../../conversation/shares.ts';
import { HALVES, type Half, refusalsLine, requestsLine } from '../../conversation/table.ts';
import { type Row, rowOf } from '../../rig/measure/statistics.ts';
import { part, refuseOption } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- varied [--takes N] [--seed N] [--half tuning|held-out|both] [--engines NAME,…]
                                   [--calls N,…] [--timelines FILE]
  N generated takes (default 500) from this seed on, of one half or both (default held-out), with each of the engines
  (typical, openai, deepgram, built-in; default typical; the built-in recogniser hears English only), at each number of
  calls at once (default 1,4,20)`;

const DEFAULTS = {
  takes: 500,
  seed: 1,
  half: 'held-out',
  engines: 'typical',
  calls: [1, 4, 20],
  timelines: null,
} as const;

interface Run {
  judged: Judged[];
  refusals: number;
  /** Of each call, to a recogniser of whole sentences; null for others. */
  recogniserRequests: number | null;
}

interface Judged {
  score: Score;
  take: GeneratedTake;
}

/** The first `count` seeds of this half. */
function seedsOf(count: number, from: number, half: string): number[] {
  const seeds: number[] = [];
  for (let seed = from; seeds.length < count; seed++) {
    if (half === 'both' || halfOfSeed(seed) === half) seeds.push(seed);
  }
  return seeds;
}

async function play(engines: Engines, seeds: readonly number[], calls: number): Promise<Run> {
  const languages = engines === 'built-in' ? ['en-US'] : null;
  const takes = seeds.map((seed) => ({ seed, take: generateTake(seed, languages) }));
  const run: Run = { judged: [], refusals: 0, recogniserRequests: null };
  for (const language of new Set(takes.map(({ take }) => take.language))) {
    const own = takes.filter(({ take }) => take.language === language);
    const plans = own.map(({ seed, take }) => ({ seed, scenario: take.scenario }));
    const played = await playAll(engines, plans, calls, language);
    run.refusals += played.refusals;
    if (played.recogniserRequests !== null)
      run.recogniserRequests = (run.recogniserRequests ?? 0) + played.recogniserRequests;
    for (const each of played.takes) {
      const take = own.find(({ seed }) => seed === each.seed)?.take;
      if (take) run.judged.push({ take, score: scoreTake(each, played.evidence(each)) });
    }
  }
  return run;
}

export default part(USAGE, DEFAULTS, async ({ takes, seed, half, engines, calls, timelines }) => {
  const chosen = ENGINES.filter((name) => engines.split(',').includes(name));
  if (chosen.length === 0 || (half !== 'both' && !HALVES.includes(half as Half))) {
    refuseOption('there are no such engines, or no such half');
  }
  const seeds = seedsOf(takes, seed, half);
  const rows: Row[] = [];
  const lines: string[] = [];
  const samples: Record<string, number[]> = {};
  const printed: string[] = [];
  for (const name of chosen) {
    for (const count of calls) {
      const { judged, refusals, recogniserRequests } = await play(name, seeds, count);
      const what = `${name} engines, ${count} call${count === 1 ? '' : 's'}`;
      const silences = judged.flatMap(({ score }) => score.silencesMs);
      const gaps = judged.flatMap(({ score }) => score.gapsMs);
      samples[`silent, ${what}`] = silences;
      rows.push(rowOf(`silent after an interruption, ${what}`, silences, 'p50 <= 450, p95 <= 600'));
      const afterWord = judged.flatMap(({ score }) => score.afterWordMs);
      if (afterWord.length > 0) rows.push(rowOf(`– after the first word came, ${what}`, afterWord));
      rows.push(rowOf(`response gap, ${what}`, gaps));
      lines.push('', `## ${what}`, '', ...sharesOf(judged));
      if (refusals > 0) lines.push('', refusalsLine(refusals));
      if (recogniserRequests !== null) {
        const turns = judged.reduce((sum, { score }) => sum + score.turns, 0);
        lines.push('', requestsLine(recogniserRequests, turns));
      }
      printed.push(
        ...judged.flatMap(({ score, take }) => [`# ${what}: ${take.scenario.about}`, ...score.timeline, '']),
      );
    }
  }
  if (timelines !== null) writeFileSync(timelines, printed.join('\n'));
  return {
    title: 'Varied',
    rows,
    samples,
    lines: lines.slice(1),
    notes: [`${half} seeds from ${seeds[0]} to ${seeds.at(-1)}`],
  };
});
