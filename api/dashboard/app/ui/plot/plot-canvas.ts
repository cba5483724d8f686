// Draws a plot by days with uPlot; loaded with the first plot.
import uPlot from 'uplot';
import { formatNumber } from '../../format.ts';
import type { PlotSeries } from './plot-series.ts';

const HEIGHT_PX = 190;
const LABEL_PX = 70;
const BAR_SHARE = 0.7;
const BAR_PX_MAX = 48;

interface PlotInput {
  labels: readonly string[];
  series: readonly PlotSeries[];
}

/** @returns a function that removes the plot */
export function drawPlot(frame: HTMLElement, { labels, series }: PlotInput): () => void {
  // The browser resolves a custom property only in a property such as `color`.
  const color = (token: string): string => {
    frame.style.color = `var(${token})`;
    const resolved = getComputedStyle(frame).color;
    frame.style.color = '';
    return resolved;
  };
  const ink = color('--ink-soft');
  const line = color('--line');
  const font = `12px ${getComputedStyle(frame).fontFamily}`;
  const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_PX_MAX] });
  const plot = new uPlot(
    {
      width: frame.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: () => [-0.6, labels.length - 0.4] },
        y: { range: (_, __, max) => [0, Math.max(1, max) * 1.1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 26,
          splits: (self) => labelled(labels.length, Math.floor(self.width / LABEL_PX)),
          values: (_, splits) => splits.map((index) => labels[index] ?? ''),
        },
        {
          ...axis,
          size: 56,
          values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? formatNumber(value) : '')),
        },
      ],
      series: [
        {},
        ...series.map(({ kind, token }) => ({
          stroke: color(token),
          width: kind === 'bar' ? 0 : 2,
          spanGaps: true,
          points: { show: kind === 'line', size: 6, fill: color(token) },
          ...(kind === 'bar' ? { fill: color(token), ...(bars === undefined ? {} : { paths: bars }) } : {}),
        })),
      ],
    },
    [labels.map((_, index) => index), ...series.map(({ values }) => [...values])],
    frame,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height: HEIGHT_PX }));
  sizes.observe(frame);
  return () => {
    sizes.disconnect();
    plot.destroy();
  };
}

/** Indexes of the days that get a label; the last one always does. */
function labelled(count: number, labelsMax: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(2, labelsMax)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}
