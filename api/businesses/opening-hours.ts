// Opening hours of a body, entry by entry: no moment may belong to two.
import { overlap, type WeekdayHours } from '../../db/domain/opening-hours.ts';

/** For each entry the index of the first one before it that it overlaps, or null. */
export const overlaps = (hours: readonly WeekdayHours[]): Array<number | null> =>
  hours.map((entry, i) => {
    const earlier = hours.slice(0, i).findIndex((other) => overlap(other, entry));
    return earlier < 0 ? null : earlier;
  });

/** The entries that overlap none before them: for hours that were read from a page. */
export const withoutOverlaps = <H extends WeekdayHours>(hours: readonly H[]): H[] => {
  const kept: H[] = [];
  for (const entry of hours) if (!kept.some((other) => overlap(other, entry))) kept.push(entry);
  return kept;
};
