// The numbers of a plot's axis, and where its labels stand.

/** A round number that is at most a fifth over `most`, and the steps to it: 0, 20, 40, 60. */
export function ticksTo(most: number, count = 4): number[] {
  const rough = Math.max(1, most) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step);
}

/** Indexes that get a label where so many have room; the last one always does. */
export function labelled(count: number, labelsMax: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(2, labelsMax)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}
