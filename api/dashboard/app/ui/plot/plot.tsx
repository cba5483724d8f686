// Figures by day or hour, as a plot and as a table.
import { t } from '../../words/words.ts';
import { Table } from '../table.tsx';
import { PlotDrawing } from './plot-drawing.tsx';
import type { PlotSeries } from './plot-series.ts';

export function Plot({
  label,
  labels,
  series,
  format,
  of = t('Day'),
  least,
}: {
  label: string;
  labels: readonly string[];
  series: readonly PlotSeries[];
  format: (value: number) => string;
  /** The labels' kind. */
  of?: string;
  /** The smallest step of the axis: 1, unless it is another. */
  least?: number;
}) {
  return (
    <figure class="plot">
      <figcaption class="row small">
        {series.map(({ name, token }) => (
          <span class="row" key={name}>
            <span class="plot-key" style={{ background: `var(${token})` }} /> {name}
          </span>
        ))}
      </figcaption>
      <PlotDrawing labels={labels} series={series} format={format} least={least} />
      <details>
        <summary>{t('As a table')}</summary>
        <Table
          label={label}
          rows={labels.map((name, index) => ({ name, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { title: of, cell: ({ name }) => name },
            ...series.map(({ name, values }) => ({
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
