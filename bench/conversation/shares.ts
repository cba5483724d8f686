// The figures of generated takes as shares with Wilson intervals.

import { wilson } from '../../db/domain/statistics.ts';
import { table } from '../rig/measure/statistics.ts';
import type { GeneratedTake, Over } from './grammar.ts';
import type { Score } from './score.ts';

interface Judged {
  score: Score;
  take: Pick<GeneratedTake, 'over'>;
}

type Count = {
  [Name in keyof Score]: Score[Name] extends number ? Name : never;
}[keyof Score];

/** `3 / 41`, `7.3 %`, `2.5-19.4 %`. */
function share(figure: string, hits: number, of: number, target: string): string[] {
  const { low, high } = wilson(hits, of);
  const percent = (value: number): string => (100 * value).toFixed(1);
  if (of === 0) return [figure, '–', '–', '–', target];
  return [figure, `${hits} / ${of}`, `${percent(hits / of)} %`, `${percent(low)}-${percent(high)} %`, target];
}

export function sharesOf(judged: readonly Judged[]): string[] {
  const sum = (name: Count, over?: Over): number =>
    judged
      .filter(({ take }) => over === undefined || take.over === over)
      .reduce((all, { score }) => all + score[name], 0);
  const of = (figure: string, hits: Count, all: Count, target: string, over?: Over): string[] =>
    share(figure, sum(hits, over), sum(all, over), target);
  const missed = judged.reduce((all, { score }) => all + score.interruptions - score.silencesMs.length, 0);
  const failed = judged.filter(({ score }) => score.failure !== null).length;
  return table(
    ['figure', 'count', 'share', '95 %', 'target'],
    [
      of('cut-offs of unfinished turns', 'cutOffs', 'unfinished', '<= 2 %'),
      of('false yields', 'falseYields', 'asides', '<= 4 %'),
      of('– where the caller encourages', 'falseYields', 'asides', '', 'encouragement'),
      of('– where the caller hums', 'falseYields', 'asides', '', 'hum'),
      of('– where the caller coughs', 'falseYields', 'asides', '', 'cough'),
      of('– where somebody else speaks', 'falseYields', 'asides', '', 'other'),
      share('interruptions without silence', missed, sum('interruptions'), '0'),
      of("the agent's words lost", 'agentWordsLost', 'agentWords', '0'),
      of("the agent's words said again", 'agentWordsRepeated', 'agentWords', ''),
      of("the caller's words lost", 'callerWordsLost', 'callerWords', '0'),
      of('turns unanswered', 'unanswered', 'turns', '0'),
      share('takes broken off', failed, judged.length, '0'),
    ],
  );
}
