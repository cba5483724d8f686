// The tables of the callers' bench: a row a set.

import { wilson } from '../../db/domain/statistics.ts';
import { errorShare, wordErrors } from '../../db/domain/tests/word-errors.ts';
import { summarise, table } from '../rig/measure/statistics.ts';
import type { HeardTurn } from './converse.ts';
import type { AskedFor } from './counted-server.ts';
import { FRAMES_PER_S } from './recordings.ts';
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
    'of all cut off',
    'tools run before the last word',
    'our words over the caller p50, ms',
    'word errors of what the model was told',
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
  const tools = heard.flatMap(({ toolsBeforeEnd }) => toolsBeforeEnd ?? []);
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
    cut.length === 0 ? '–' : `${cut.filter(({ isWhole }) => isWhole).length} of ${cut.length}`,
    tools.length === 0 ? '–' : tools.reduce((sum, count) => sum + count, 0),
    over.length === 0 ? '–' : Math.round(summarise(over).p50),
    percent(errorShare(heard.map(({ turn, told }) => wordErrors(turn.text, told)))),
    heard.filter(({ wasCut, gapMs }) => !wasCut && gapMs === null).length,
  ];
}

/** A model of turn ends by itself, at no longer a mean gap. */
export function aloneTable(
  rows: ReadonlyArray<{ model: string; set: string; turns: number; best: AloneResult | null }>,
): string[] {
  return table(
    ['alone', 'set', 'turns', 'cut off', 'mean gap, s', 'silences'],
    rows.map(({ model, set, turns, best }) => [
      model,
      set,
      turns,
      best === null ? '–' : percent(best.cut),
      best === null ? '–' : best.meanS.toFixed(2),
      best === null ? 'none is so quick' : `over at ${best.limit}: ${best.shortS} s, else ${best.longS} s`,
    ]),
  );
}

/** A set's turns by a recogniser of whole utterances. */
export interface RecognisedSet {
  set: string;
  heard: readonly HeardTurn[];
  /** The words of one request for each turn, in the order of `heard`. */
  whole: readonly string[];
  asked: AskedFor;
}

/** From the first to the last word, pauses included. */
const spokenSeconds = (heard: readonly HeardTurn[]): number =>
  heard.reduce((sum, { turn }) => sum + (turn.endFrame - turn.startFrame) / FRAMES_PER_S, 0);

export function recognisedTable(sets: readonly RecognisedSet[]): string[] {
  return table(
    [
      'set',
      'turns',
      'word errors of what the model was told',
      'of one request for the whole turn',
      'of turns not cut: told / whole',
      'requests a turn (given up)',
      'seconds asked for / spoken',
    ],
    sets.map(({ set, heard, whole, asked }) => {
      const all = heard.map(({ turn, told, wasCut }, index) => ({
        wasCut,
        told: wordErrors(turn.text, told),
        whole: wordErrors(turn.text, whole[index] ?? ''),
      }));
      const uncut = all.filter(({ wasCut }) => !wasCut);
      return [
        set,
        heard.length,
        percent(errorShare(all.map(({ told }) => told))),
        percent(errorShare(all.map((each) => each.whole))),
        `${percent(errorShare(uncut.map(({ told }) => told)))} / ${percent(errorShare(uncut.map((each) => each.whole)))}`,
        `${(asked.requests / Math.max(1, heard.length)).toFixed(1)} (${asked.dropped})`,
        (asked.seconds / Math.max(1, spokenSeconds(heard))).toFixed(2),
      ];
    }),
  );
}
