// Where a voice may be broken off and taken up again: the gaps between its words, found by level in whole 20 ms frames.

/** A frame this much quieter than those around it is a gap, as a share of their amplitude. */
const GAP_SHARE = 0.2;
/** Words that run into each other: the deepest dip between them, as a share of the amplitude around it. */
const DIP_SHARE = 0.5;

/** Samples of `ahead` that come before its first gap; null if it has none. */
export function samplesToGap(ahead: Int16Array, frameSamples: number): number | null {
  const energies = energiesOf(ahead, frameSamples);
  const limit = meanOf(energies) * GAP_SHARE ** 2;
  const gap = energies.findIndex((energy) => energy <= limit);
  return gap < 0 ? null : gap * frameSamples;
}

/**
 * Samples at the end of `behind` that belong to a word that has begun: those after its last gap, else after its deepest
 * dip; 0 if the voice is even.
 */
export function samplesSinceGap(behind: Int16Array, frameSamples: number): number {
  // Frames count from the end, so that the newest is whole.
  const energies = energiesOf(behind.subarray(behind.length % frameSamples), frameSamples);
  const mean = meanOf(energies);
  const gap = energies.findLastIndex((energy) => energy <= mean * GAP_SHARE ** 2);
  const dip = gap < 0 ? energies.indexOf(Math.min(...energies)) : gap;
  if (dip < 0 || (energies[dip] ?? 0) > mean * DIP_SHARE ** 2) return 0;
  return (energies.length - 1 - dip) * frameSamples;
}

function energiesOf(samples: Int16Array, frameSamples: number): number[] {
  return Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, frame) => {
    const part = samples.subarray(frame * frameSamples, (frame + 1) * frameSamples);
    return part.reduce((sum, sample) => sum + sample * sample, 0);
  });
}

const meanOf = (energies: readonly number[]): number =>
  energies.reduce((sum, energy) => sum + energy, 0) / Math.max(1, energies.length);
