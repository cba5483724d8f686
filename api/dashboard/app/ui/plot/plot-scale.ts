// The numbers of a plot's axis, and where its labels stand.

const STEPS = 4;
/** Of the digits of a step's multiples, those that are none of the rounding of binary fractions. */
const DIGITS = 12;

/**
 * A round number over `most`, and the steps to it: 0, 20, 40, 60.
 * @param least the smallest step: what is counted has no halves, money has
 */
export function ticksTo(most: number, least = 1): number[] {
  const end = Math.max(least, most) || 1;
  const rough = end / STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power);
  const count = Math.ceil(Number((end / step).toPrecision(DIGITS)));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(DIGITS)));
}

/** Indexes that get a label where so many have room; the last one always does. */
export function labelled(count: number, labelsMax: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(2, labelsMax)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}
