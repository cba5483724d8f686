// One series of a plot, for the plot and for what draws it.
export interface PlotSeries {
  name: string;
  /** One for each label; null if there is none. */
  values: ReadonlyArray<number | null>;
  /** Of tokens.css. */
  token: string;
  /** Bars stand on each other in the order of the series. */
  kind: 'bar' | 'line';
}
