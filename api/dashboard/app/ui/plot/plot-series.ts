// One series of a plot, for the plot and for what draws it.
export interface PlotSeries {
  name: string;
  /** One a day; null if there is none. */
  values: ReadonlyArray<number | null>;
  /** Of tokens.css. */
  token: string;
  kind: 'bar' | 'line';
}
