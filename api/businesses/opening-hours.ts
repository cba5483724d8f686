// Checks the hours of a body: an entry must last, and none may overlap another.
import { isEmptySpan, overlap, type WeekdayHours } from '../../db/domain/hours/opening-hours.ts';
import type { FieldError } from '../frame/errors.ts';

export function hoursFaults(field: string, hours: readonly WeekdayHours[]): FieldError[] {
  const faults: FieldError[] = [];
  for (const [i, span] of hours.entries())
    if (isEmptySpan(span)) faults.push({ field: `${field}[${i}].close`, message: 'must differ from open' });
  for (const [i, earlier] of overlaps(hours).entries())
    if (earlier !== null) faults.push({ field: `${field}[${i}]`, message: `overlaps ${field}[${earlier}]` });
  return faults;
}

/** For each entry the index of the first earlier entry that it overlaps, or null. */
const overlaps = (hours: readonly WeekdayHours[]): Array<number | null> =>
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
