// Where the time of an answer went, as a bar of its stages and in words.
import { gapParts } from '../../../../../db/domain/calls/timeline.ts';
import { STAGES, type TurnTiming } from '../../calls/moments.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../words/words.ts';

const NAMES = new Map(STAGES);

export const formatMs = (value: number): string => `${formatNumber(Math.round(value))} ms`;

export const partsOf = (turn: TurnTiming) =>
  gapParts(turn).map(({ stage, fromMs, toMs }) => ({
    stage,
    name: t(NAMES.get(stage) ?? stage),
    tookMs: toMs - fromMs,
  }));

/** `longestMs`: that of the whole bar. */
export function GapBar({ turn, longestMs }: { turn: TurnTiming; longestMs: number }) {
  return (
    <div class="turn-bar" aria-hidden="true">
      {partsOf(turn).map(({ stage, name, tookMs }) => (
        <span
          key={stage}
          class={stage}
          style={{ width: `${(tookMs / longestMs) * 100}%` }}
          title={`${name}: ${formatMs(tookMs)}`}
        />
      ))}
    </div>
  );
}

export const gapText = (turn: TurnTiming): string =>
  partsOf(turn)
    .map(({ name, tookMs }) => `${name} ${formatMs(tookMs)}`)
    .join(' · ') + (turn.guessed ? ` · ${t('prepared before the turn’s end')}` : '');
