// How long the caller waited for an answer, beside its line; where the time went is shown while it is pointed at, or
// has the focus.
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { toneOfGap } from '../../calls/answers.ts';
import type { TurnTiming } from '../../calls/moments.ts';
import { t } from '../../words/words.ts';
import { formatMs, GapBar, gapText, partsOf } from './gap-parts.tsx';

/** The answer whose split is shown, and the chip that it stands at. */
export type ShownSplit = Signal<{ turn: TurnTiming; chip: HTMLElement } | null>;

export function GapChip({ turn, shown }: { turn: TurnTiming; shown: ShownSplit }) {
  const tone = toneOfGap(turn.gapMs);
  const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    shown.value = { turn, chip: currentTarget };
  };
  const hide = () => {
    shown.value = null;
  };
  return (
    <button
      type="button"
      class={`gap-chip number ${tone}`}
      aria-label={labelOf(turn)}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={show}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {formatMs(turn.gapMs)}
    </button>
  );
}

function labelOf(turn: TurnTiming): string {
  const values = { gap: formatMs(turn.gapMs), parts: gapText(turn) };
  switch (toneOfGap(turn.gapMs)) {
    case 'quick':
      return t('Answered after {gap}: {parts}', values);
    case 'slow':
      return t('Answered after {gap}, slow: {parts}', values);
    case 'late':
      return t('Answered after {gap}, very slow: {parts}', values);
  }
}

const MARGIN_PX = 8;

/** One for the whole transcript, above everything. */
export function GapSplit({ shown }: { shown: ShownSplit }) {
  const panel = useRef<HTMLDivElement>(null);
  const split = shown.value;
  useEffect(() => {
    const element = panel.current;
    if (element === null || split === null) return;
    element.showPopover();
    const chip = split.chip.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const isBelow = chip.bottom + MARGIN_PX + height < innerHeight;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(innerWidth - width - MARGIN_PX, chip.right - width))}px`;
    element.style.top = `${isBelow ? chip.bottom + MARGIN_PX : chip.top - height - MARGIN_PX}px`;
    return () => element.hidePopover();
  }, [split]);
  return (
    <div ref={panel} popover="manual" class="gap-split" aria-hidden="true">
      {split !== null && (
        <>
          <strong class="number">{formatMs(split.turn.gapMs)}</strong>
          <GapBar turn={split.turn} longestMs={split.turn.gapMs} />
          <ul>
            {partsOf(split.turn).map(({ stage, name, tookMs }) => (
              <li key={stage}>
                <span class={`stage-key ${stage}`} /> {name} <span class="number">{formatMs(tookMs)}</span>
              </li>
            ))}
          </ul>
          {split.turn.guessed && <p class="small soft">{t('Prepared before the turn’s end')}</p>}
        </>
      )}
    </div>
  );
}
