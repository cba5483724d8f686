// Draws a plot: bars that stand on each other, or lines, over labels; while one points at a place, its values.
import { useEffect, useRef, useState } from 'preact/hooks';
import { labelled, ticksTo } from './plot-scale.ts';
import type { PlotSeries } from './plot-series.ts';

const HEIGHT_PX = 180;
/** The labels of the axis: at least so wide, and of as many characters as the longest has. */
const LEFT_PX_MIN = 40;
const CHARACTER_PX = 7;
const AXIS_GAP_PX = 8;
/** For the half of the last label. */
const RIGHT_PX = 12;
const TOP_PX = 10;
const BOTTOM_PX = 24;
const LABEL_PX = 64;
const BAR_SHARE = 0.64;
const BAR_PX_MAX = 36;
const PLOT_PX = HEIGHT_PX - TOP_PX - BOTTOM_PX;
const BASE_PX = TOP_PX + PLOT_PX;

interface DrawingProps {
  labels: readonly string[];
  series: readonly PlotSeries[];
  format: (value: number) => string;
  /** The smallest step of the axis. */
  least: number | undefined;
}

export function PlotDrawing({ labels, series, format, least }: DrawingProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  const bars = series.filter(({ kind }) => kind === 'bar');
  const sums = labels.map((_, index) => bars.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const lines = series.filter(({ kind }) => kind === 'line');
  const ticks = ticksTo(Math.max(...sums, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))), least);
  const longest = Math.max(...ticks.map((tick) => format(tick).length));
  const left = Math.max(LEFT_PX_MIN, longest * CHARACTER_PX + AXIS_GAP_PX);
  const room = Math.max(0, width - left - RIGHT_PX);
  const step = room / Math.max(1, labels.length);
  const middle = (index: number): number => left + (index + 0.5) * step;
  const most = ticks.at(-1) ?? 1;
  const y = (value: number): number => BASE_PX - (value / most) * PLOT_PX;
  const point = ({ clientX, currentTarget }: PointerEvent & { currentTarget: HTMLElement }) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / step);
    setPointed(index >= 0 && index < labels.length ? index : null);
  };
  return (
    <div
      ref={frame}
      class="plot-frame"
      aria-hidden="true"
      onPointerMove={point}
      onPointerLeave={() => setPointed(null)}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT_PX} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <path class="plot-grid" d={`M${left} ${y(tick)}H${width - RIGHT_PX}`} />
              <text x={left - AXIS_GAP_PX} y={y(tick)} dy="0.32em" text-anchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          {labelled(labels.length, Math.floor(room / LABEL_PX)).map((index) => (
            <text key={index} x={middle(index)} y={HEIGHT_PX - 6} text-anchor="middle">
              {labels[index]}
            </text>
          ))}
          {pointed !== null && (
            <rect class="plot-pointed" x={middle(pointed) - step / 2} y={TOP_PX} width={step} height={PLOT_PX} />
          )}
          <Bars
            bars={bars}
            count={labels.length}
            middle={middle}
            y={y}
            width={Math.min(BAR_PX_MAX, step * BAR_SHARE)}
          />
          {lines.map((line) => (
            <Line key={line.name} line={line} middle={middle} y={y} />
          ))}
        </svg>
      )}
      {pointed !== null && (
        <div
          class={`plot-values ${pointed * 2 > labels.length ? 'left' : ''}`}
          style={{ insetInlineStart: `${middle(pointed)}px` }}
        >
          <strong>{labels[pointed]}</strong>
          {series.map(({ name, token, values }) => (
            <span key={name} class="row">
              <span class="plot-key" style={{ background: `var(${token})` }} /> {name}
              <span class="number">{values[pointed] == null ? '–' : format(values[pointed] ?? 0)}</span>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

interface Scale {
  middle: (index: number) => number;
  y: (value: number) => number;
}

function Bars({
  bars,
  count,
  width,
  middle,
  y,
}: Scale & { bars: readonly PlotSeries[]; count: number; width: number }) {
  const below = new Array<number>(count).fill(0);
  return (
    <>
      {bars.map(({ name, token, values }) => (
        <g key={name} style={{ fill: `var(${token})` }}>
          {values.map((value, index) => {
            if (!value) return null;
            const from = below[index] ?? 0;
            below[index] = from + value;
            const height = Math.max(1, y(from) - y(from + value) - (from > 0 ? 1 : 0));
            return (
              <rect
                key={index}
                x={middle(index) - width / 2}
                y={y(from + value)}
                width={width}
                height={height}
                rx="2"
              />
            );
          })}
        </g>
      ))}
    </>
  );
}

/** Where there is no value, the line goes on to the next one. */
function Line({ line: { token, values }, middle, y }: Scale & { line: PlotSeries }) {
  const points = values.flatMap((value, index) => (value === null ? [] : [[middle(index), y(value)] as const]));
  return (
    <g class="plot-line" style={{ color: `var(${token})` }}>
      <path d={points.map(([x, at], index) => `${index === 0 ? 'M' : 'L'}${x} ${at}`).join('')} />
      {points.map(([x, at]) => (
        <circle key={x} cx={x} cy={at} r="3" />
      ))}
    </g>
  );
}
