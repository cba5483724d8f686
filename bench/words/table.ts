// The tables of the words bench: a row a word, and one for all words that the recogniser cannot know.

import { wilson } from '../../db/domain/statistics.ts';
import { isAnswer, isRefusal } from '../../engine/turn/spoken.ts';
import { turnWordsFor } from '../../engine/turn/words/languages.ts';
import { summarise, table } from '../rig/measure/statistics.ts';
import type { Told, Yielded } from './say-words.ts';

/** The words of the corpus that callers say to any business. */
const KNOWN = ['yes', 'no', 'stop', 'right', 'wow'];
const OTHERS = 'a word that it cannot know';
const SILENCE = 'silence of a room';

const EN = turnWordsFor('en');

type Verdict = 'right' | 'right but unclear' | 'exchanged' | 'another' | 'unclear' | 'own answer' | 'nothing';
const VERDICTS: readonly Verdict[] = [
  'right',
  'right but unclear',
  'exchanged',
  'another',
  'unclear',
  'own answer',
  'nothing',
];

const rowName = (text: string): string => (text === '' ? SILENCE : KNOWN.includes(text) ? text : OTHERS);

const meaningOf = (text: string): 'yes' | 'no' | null =>
  isRefusal(text, EN) ? 'no' : isAnswer(text, EN) ? 'yes' : null;

/** The fate of a word: "yes" told as "yep" is right, "yes" told as "no" is exchanged. */
export function verdictOf({ word, text, isUnclear, isOwnAnswer }: Told): Verdict {
  if (text === null) return isOwnAnswer ? 'own answer' : 'nothing';
  const said = word.text;
  const isSame = (said === 'yes' || said === 'no') && meaningOf(text) === said;
  const isRight = KNOWN.includes(said) && (isSame || text.split(' ').includes(said));
  if (isUnclear) return isRight ? 'right but unclear' : 'unclear';
  if (isRight) return 'right';
  const isAnswered = said === 'yes' || said === 'no';
  return isAnswered && meaningOf(text) !== null ? 'exchanged' : 'another';
}

function grouped<T extends { word: { text: string } }>(all: readonly T[]): Array<[string, T[]]> {
  const names = [...KNOWN, OTHERS, SILENCE];
  return names
    .map((name): [string, T[]] => [name, all.filter(({ word }) => rowName(word.text) === name)])
    .filter(([, of]) => of.length > 0);
}

export function toldTable(all: readonly Told[]): string[] {
  const head = ['said', 'n', ...VERDICTS.map((verdict) => (verdict === 'another' ? 'another word, sure' : verdict))];
  const rows = grouped(all).map(([name, of]) => [
    name,
    of.length,
    ...VERDICTS.map((verdict) => of.filter((told) => verdictOf(told) === verdict).length),
  ]);
  return table(head, rows);
}

/** How often each wrong text was told without doubt. */
export function mistaken(all: readonly Told[]): string {
  const wrong = all.filter((told) => ['another', 'exchanged'].includes(verdictOf(told)) && told.word.text !== '');
  const counts = new Map<string, number>();
  for (const { word, text } of wrong)
    counts.set(`${word.text} > ${text}`, (counts.get(`${word.text} > ${text}`) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([what, count]) => (count > 1 ? `${what} (${count})` : what)).join(', ');
}

export function yieldedTable(all: readonly Yielded[]): string[] {
  const head = ['said over the agent', 'n', 'silent (95 %)', 'p50, ms', 'p95, ms', 'told to the model'];
  const texts = [...new Set(all.map(({ word }) => word.text))];
  const rows = texts.map((text) => {
    const name = text === '' ? SILENCE : text;
    const of = all.filter(({ word }) => word.text === text);
    const silent = of.flatMap(({ silentMs }) => silentMs ?? []);
    const { low, high } = wilson(silent.length, of.length);
    const { p50, p95 } = summarise(silent);
    return [
      name,
      of.length,
      `${silent.length} (${Math.round(low * 100)} to ${Math.round(high * 100)} %)`,
      silent.length === 0 ? '' : p50,
      silent.length === 0 ? '' : p95,
      of.filter(({ told }) => told !== null).length,
    ];
  });
  return table(head, rows);
}
