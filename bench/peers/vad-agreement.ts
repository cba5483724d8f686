// Measures whether two speech detectors decide alike.

const THRESHOLD = 0.5;
/** The weight of the previous value in the exponential filter of @livekit/agents-plugin-silero. */
const SMOOTHING = 0.35;

/**
 * Share of our windows in which both detectors are above the threshold, or both below. One of their windows is as long
 * as `span` of ours.
 */
export function agreement(ours: readonly number[], theirs: readonly number[], span: number): number {
  const count = Math.min(ours.length, theirs.length * span);
  let equal = 0;
  for (let window = 0; window < count; window++) {
    const [mine, other] = [ours[window] ?? 0, theirs[Math.floor(window / span)] ?? 0];
    if (mine > THRESHOLD === other > THRESHOLD) equal++;
  }
  return count === 0 ? Number.NaN : equal / count;
}

/** The probabilities of its model before its filter. */
export function unsmoothed(filtered: readonly number[]): number[] {
  return filtered.map((value, index) => {
    const before = filtered[index - 1];
    return before === undefined ? value : (value - SMOOTHING * before) / (1 - SMOOTHING);
  });
}
