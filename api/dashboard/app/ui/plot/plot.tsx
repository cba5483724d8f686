// Figures by day, as a plot and as a table.
import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../../theme.ts';
import { Table } from '../table.tsx';
import type { PlotSeries } from './plot-series.ts';

export function Plot({
  label,
  labels,
  series,
  columns = series,
  format,
}: {
  label: string;
  /** One a day. */
  labels: readonly string[];
  /** Drawn in this order, later ones over earlier ones. */
  series: readonly PlotSeries[];
  /** The table's columns, if bars are drawn over one another. */
  columns?: ReadonlyArray<Pick<PlotSeries, 'name' | 'values'>>;
  /** For the table. */
  format: (value: number) => string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const isDark = useDarkness();
  const shown = JSON.stringify([labels, series]);
  useEffect(() => {
    let isGone = false;
    let clear = () => {};
    void import('./plot-canvas.ts').then(({ drawPlot }) => {
      if (!isGone && frame.current !== null) clear = drawPlot(frame.current, { labels, series });
    });
    return () => {
      isGone = true;
      clear();
    };
  }, [shown, isDark]);
  return (
    <figure class="plot">
      <figcaption class="row small">
        {series.map(({ name, token }) => (
          <span class="row" key={name}>
            <span class="plot-key" style={{ background: `var(${token})` }} /> {name}
          </span>
        ))}
      </figcaption>
      <div ref={frame} class="plot-frame" aria-hidden="true" />
      <details>
        <summary>As a table</summary>
        <Table
          label={label}
          rows={labels.map((day, index) => ({ day, index }))}
          keyOf={({ day }) => day}
          columns={[
            { title: 'Day', cell: ({ day }) => day },
            ...columns.map(({ name, values }) => ({
              title: name,
              isNumber: true,
              cell: ({ index }: { index: number }) => {
                const value = values[index];
                return value === null || value === undefined ? '–' : format(value);
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
}

function useDarkness(): boolean {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const [isSystemDark, setSystemDark] = useState(scheme.matches);
  useEffect(() => {
    const onChange = () => setSystemDark(scheme.matches);
    scheme.addEventListener('change', onChange);
    return () => scheme.removeEventListener('change', onChange);
  }, []);
  return theme.value === 'system' ? isSystemDark : theme.value === 'dark';
}
