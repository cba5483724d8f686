// Phone numbers of a request: an invalid one is answered with 422 on its field.
import { asE164 } from '../../db/domain/numbers/phone.ts';
import { invalid } from './errors.ts';

/** The error text for any other text. */
export const NOT_E164 = 'must be a valid phone number in E.164 form';

/** A number in a query: a `+` that was not percent-encoded arrives as a blank. */
export const queriedNumber = (value: string): string => value.replace(/^ /, '+');

/** @throws {ApiError} 422 on `field` */
export function parseE164(value: string, field: string): string {
  const number = asE164(value);
  if (number === null) throw invalid([{ field, message: NOT_E164 }]);
  return number;
}
