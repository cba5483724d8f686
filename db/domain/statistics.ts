// How sure a figure of few calls is: intervals in which the true value lies with 95 % confidence.

const Z = 1.96;

interface Interval {
  low: number;
  high: number;
}

/** Of a share, after Wilson (1927); holds for few and for rare cases too. */
export function wilson(hits: number, of: number): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const share = hits / of;
  const middle = share + Z ** 2 / (2 * of);
  const half = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}

/**
 * The median of values and its interval by their ranks, whatever their distribution (Conover, Practical Nonparametric
 * Statistics, 3.2). Null without values; of few the interval is their whole range.
 */
export function median(values: readonly number[]): ({ median: number } & Interval) | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (rank: number): number => sorted[Math.max(0, Math.min(sorted.length - 1, rank))] ?? Number.NaN;
  if (sorted.length === 0) return null;
  const [half, spread] = [sorted.length / 2, (Z * Math.sqrt(sorted.length)) / 2];
  return {
    median: at(Math.ceil(half) - 1),
    low: at(Math.floor(half - spread) - 1),
    high: at(Math.ceil(half + spread)),
  };
}
