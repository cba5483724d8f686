// Both channels of a recording, the caller above the line and the agent below it. A press or the arrow keys seek.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatNumber, formatPosition } from '../format.ts';
import { theme } from '../theme.ts';
import { t } from '../words/words.ts';
import { toneOfGap } from './answers.ts';
import type { Peaks } from './peaks.ts';

const ARROW_SECONDS = 5;
const UNHEARD_ALPHA = 0.4;

export function Waveform({
  peaks,
  atSeconds,
  durationSeconds,
  holes,
  gaps = [],
  onSeek,
}: {
  peaks: Peaks | null;
  atSeconds: number;
  durationSeconds: number;
  /** Where the line was gone, in seconds from the start. */
  holes: ReadonlyArray<{ from: number; to: number }>;
  /** How long the caller waited for each answer. */
  gaps?: readonly Gap[];
  onSeek: (seconds: number) => void;
}) {
  // The same element as before is not looked at again: it is drawn at each frame of the player.
  const marks = useMemo(() => <Gaps gaps={gaps} durationSeconds={durationSeconds} />, [gaps, durationSeconds]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const share = durationSeconds > 0 ? Math.min(1, atSeconds / durationSeconds) : 0;
  const chosen = theme.value;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const redraw = () => draw(element, peaks, share);
    redraw();
    const sizes = new ResizeObserver(redraw);
    sizes.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    return () => {
      sizes.disconnect();
      scheme.removeEventListener('change', redraw);
    };
  }, [peaks, share, chosen]);

  const seekTo = (event: PointerEvent) => {
    const element = canvas.current;
    if (element === null || (event.type === 'pointermove' && event.buttons !== 1)) return;
    const { left, width } = element.getBoundingClientRect();
    onSeek(Math.max(0, Math.min(1, (event.clientX - left) / width)) * durationSeconds);
  };
  const onKey = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, atSeconds, durationSeconds);
    if (target === null) return;
    event.preventDefault();
    onSeek(target);
  };
  return (
    <>
      <div
        class="waveform"
        role="slider"
        tabIndex={0}
        aria-label={t('Place in the recording')}
        aria-valuemin={0}
        aria-valuemax={Math.round(durationSeconds)}
        aria-valuenow={Math.round(atSeconds)}
        aria-valuetext={t('{at} of {duration}', {
          at: formatPosition(atSeconds * 1_000),
          duration: formatPosition(durationSeconds * 1_000),
        })}
        onPointerDown={seekTo}
        onPointerMove={seekTo}
        onKeyDown={onKey}
      >
        <canvas ref={canvas} />
        {durationSeconds > 0 &&
          holes.map(({ from, to }) => (
            <span
              key={from}
              class="waveform-hole"
              title={t('No line for {seconds} s', { seconds: (to - from).toFixed(1) })}
              style={{
                left: `${(from / durationSeconds) * 100}%`,
                width: `${(Math.max(0, Math.min(durationSeconds, to) - from) / durationSeconds) * 100}%`,
              }}
            />
          ))}
        <span class="waveform-caller small">{t('Caller')}</span>
        <span class="waveform-agent small">{t('Agent')}</span>
      </div>
      {marks}
    </>
  );
}

export interface Gap {
  /** Of the caller's last sound, in seconds from the start. */
  atSeconds: number;
  gapMs: number;
}

/** Of the width: labels that are closer lie over each other. */
const LABEL_SHARE = 0.075;

/** A lane below the outline: each wait as long as it was, with its ms where there is room. The transcript has all. */
function Gaps({ gaps, durationSeconds }: { gaps: readonly Gap[]; durationSeconds: number }) {
  if (gaps.length === 0 || durationSeconds === 0) return null;
  let labelledTo = 0;
  return (
    <div class="waveform-gaps" aria-hidden="true">
      {gaps.map(({ atSeconds, gapMs }) => {
        const share = atSeconds / durationSeconds;
        const isLabelled = share >= labelledTo && share <= 1 - LABEL_SHARE / 2;
        if (isLabelled) labelledTo = share + LABEL_SHARE;
        return (
          <span
            key={atSeconds}
            class={toneOfGap(gapMs)}
            title={t('Answered after {gapMs} ms', { gapMs: formatNumber(gapMs) })}
            style={{ left: `${share * 100}%`, width: `${gapMs / 10 / durationSeconds}%` }}
          >
            {isLabelled && <span class="number">{formatNumber(gapMs)}</span>}
          </span>
        );
      })}
    </div>
  );
}

function keyTarget(key: string, atSeconds: number, durationSeconds: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(durationSeconds, atSeconds + ARROW_SECONDS);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, atSeconds - ARROW_SECONDS);
    case 'Home':
      return 0;
    case 'End':
      return durationSeconds;
    default:
      return null;
  }
}

function draw(canvas: HTMLCanvasElement, peaks: Peaks | null, share: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (context === null || width === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const color = (token: string): string => {
    // The browser resolves a custom property only in a property such as `color`.
    canvas.style.color = `var(${token})`;
    return getComputedStyle(canvas).color;
  };
  const middle = height / 2;
  context.fillStyle = color('--line');
  context.fillRect(0, middle - 0.5, width, 1);
  if (peaks !== null) {
    const room = middle - 2;
    const step = width / peaks.caller.length;
    const bars = (levels: Float32Array, up: boolean) => {
      for (const [index, level] of levels.entries()) {
        // The square root makes a quiet voice visible.
        const size = Math.sqrt(level) * room;
        if (size < 0.5) continue;
        context.globalAlpha = index / levels.length <= share ? 1 : UNHEARD_ALPHA;
        context.fillRect(index * step, up ? middle - size : middle, Math.max(1, step * 0.8), size);
      }
    };
    context.fillStyle = color('--caller');
    bars(peaks.caller, true);
    context.fillStyle = color('--agent');
    bars(peaks.agent, false);
    context.globalAlpha = 1;
  }
  context.fillStyle = color('--ink');
  context.fillRect(Math.min(width - 1.5, share * width), 0, 1.5, height);
}
