// Checks the opening hours of a body: entries must not overlap.
import { overlap, type WeekdayHours } from '../../db/domain/hours/opening-hours.ts';

/** For each entry the index of the first earlier entry that it overlaps, or null. */
export const overlaps = (hours: readonly WeekdayHours[]): Array<number | null> =>
  hours.map((entry, i) => {
    const earlier = hours.slice(0, i).findIndex((other) => overlap(other, entry));
    return earlier < 0 ? null : earlier;
  });

/** The entries that overlap no earlier one: for hours from a web page. */
export const withoutOverlaps = <H extends WeekdayHours>(hours: readonly H[]): H[] => {
  const kept: H[] = [];
  for (const entry of hours) if (!kept.some((other) => overlap(other, entry))) kept.push(entry);
  return kept;
};
