// The tables of the callers' bench: a row a set.
import { summarise, table, wilson } from '../rig/measure/statistics.ts';
import type { HeardTurn } from './converse.ts';
import type { AloneResult } from './smart-turn-alone.ts';
import { stopWatchCut } from './stop-watch.ts';

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
/** The agent began too soon if the caller goes on within this time, ms. */
const FALSE_START_MS = 1_500;

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

/** Articles, prepositions, conjunctions and verbs after which an English sentence goes on. */
const UNFINISHED =
  /(?:^| )(?:a|an|the|to|of|in|on|at|for|from|with|by|and|or|but|so|because|that|if|my|your|our|their|his|her|is|are|was|were|be|am|i|i'd|i'm|would|like|want|need|uh|um)$/;

export const isUnfinished = (text: string): boolean => UNFINISHED.test(text.toLowerCase());

/** Of the turns that were not cut. */
export function meanGapS(heard: readonly HeardTurn[]): number {
  const gaps = heard.flatMap(({ gapMs }) => gapMs ?? []);
  return gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length) / 1_000;
}

/** Share of the turns that a fixed silence of the same mean would have cut off. */
export const stopWatchOf = (heard: readonly HeardTurn[]): number =>
  stopWatchCut(
    heard.map(({ turn }) => turn),
    meanGapS(heard),
  );

export function callersTable(heard: ReadonlyMap<string, readonly HeardTurn[]>): string[] {
  const head = [
    'set',
    'turns',
    'cut off (95 %)',
    'of these after words unfinished / finished',
    'a stop-watch of the same mean',
    'gap p50, s',
    'p95',
    'mean',
    'told as one, of who went on within 1.5 s',
    'our words over the caller p50, ms',
    'unanswered',
  ];
  return table(
    head,
    [...heard].map(([set, turns]) => rowOf(set, turns)),
  );
}

function rowOf(set: string, heard: readonly HeardTurn[]): Array<string | number> {
  const cut = heard.filter(({ wasCut }) => wasCut);
  const { p50, p95 } = summarise(heard.flatMap(({ gapMs }) => gapMs ?? []));
  const { low, high } = wilson(cut.length, heard.length);
  const unfinished = cut.filter(({ cutIn, turn }) => {
    if (cutIn === null) return false;
    const said = turn.words.filter(({ to }) => to <= cutIn.to).map(({ text }) => text);
    return isUnfinished(said.join(' '));
  }).length;
  const soon = cut.filter(({ goesOnAfterMs }) => (goesOnAfterMs ?? 0) <= FALSE_START_MS);
  const over = cut.flatMap(({ overMs }) => overMs ?? []);
  const meanS = meanGapS(heard);
  return [
    set,
    heard.length,
    `${percent(cut.length / Math.max(1, heard.length))} (${percent(low)} to ${percent(high)})`,
    `${unfinished} / ${cut.length - unfinished}`,
    percent(stopWatchOf(heard)),
    seconds(p50),
    seconds(p95),
    meanS.toFixed(2),
    soon.length === 0 ? '–' : `${soon.filter(({ isWhole }) => isWhole).length} of ${soon.length}`,
    over.length === 0 ? '–' : Math.round(summarise(over).p50),
    heard.filter(({ wasCut, gapMs }) => !wasCut && gapMs === null).length,
  ];
}

/** A model of turn ends by itself, at no longer a mean gap. */
export function aloneTable(rows: ReadonlyArray<{ set: string; turns: number; best: AloneResult | null }>): string[] {
  return table(
    ['Smart Turn alone', 'turns', 'cut off', 'mean gap, s', 'silences'],
    rows.map(({ set, turns, best }) => [
      set,
      turns,
      best === null ? '–' : percent(best.cut),
      best === null ? '–' : best.meanS.toFixed(2),
      best === null ? 'none is so quick' : `over at ${best.limit}: ${best.shortS} s, else ${best.longS} s`,
    ]),
  );
}
