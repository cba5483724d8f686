// Bounds of a list by time, as clients write them: a time, or a date for that whole day.
import { Type } from 'typebox';
import { patterned } from './patterns.ts';

const HOUR_DIGITS = '([01]\\d|2[0-3])';
const DATE = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = `(${HOUR_DIGITS}:[0-5]\\d|24:00)(:[0-5]\\d([.,]\\d{1,9})?)?`;
/** A `+` that was not percent-encoded arrives as a blank. */
const ZONE = `([Zz]|[+ -]${HOUR_DIGITS}(:?[0-5]\\d)?)`;

/** Whether the month has that day is checked where it is read. */
export const INSTANT_PATTERN = patterned(`^${DATE}([Tt]${TIME}${ZONE}?)?$`, 'must be an ISO-8601 date or time');

/** `bound`: From, To; `field`: of the record. */
export const instant = (bound: string, field: string) =>
  Type.String({
    minLength: 10,
    maxLength: 40,
    pattern: INSTANT_PATTERN,
    description: `${bound}: an ISO-8601 time, or a date for that whole day in UTC; inclusive, on ${field}`,
  });
