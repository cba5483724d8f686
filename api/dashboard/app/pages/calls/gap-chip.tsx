// How long the caller waited for an answer, beside its line; where the time went is shown while it is pointed at, or
// has the focus.
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { toneOfGap } from '../../calls/answers.ts';
import type { TurnTiming } from '../../calls/moments.ts';
import { formatMs, GapBar, gapText, partsOf } from './gap-parts.tsx';

/** The answer whose split is shown, and the chip that it stands at. */
export type ShownSplit = Signal<{ turn: TurnTiming; chip: HTMLElement } | null>;

const WORDS = { quick: '', slow: ', slow', late: ', very slow' };

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
      aria-label={`Answered after ${formatMs(turn.gapMs)}${WORDS[tone]}: ${gapText(turn)}`}
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
          {split.turn.guessed && <p class="small soft">Prepared before the turn’s end</p>}
        </>
      )}
    </div>
  );
}
