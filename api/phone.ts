// Phone numbers are validated as real ones, by libphonenumber's full metadata, not by pattern alone.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { invalid } from './errors.ts';

/** The number in E.164, or null where it is not a valid number. Only the international form (`+…`) is taken. */
export function asE164(value: string): string | null {
  if (!/^\+[1-9]\d{5,14}$/.test(value)) return null;
  const parsed = parsePhoneNumberFromString(value);
  return parsed?.isValid() ? parsed.number : null;
}

/** @throws {ApiError} 422 on `field` */
export function parseE164(value: string, field: string): string {
  const number = asE164(value);
  if (number === null) throw invalid([{ field, message: 'must be a valid phone number in E.164 form' }]);
  return number;
}

/** Country (ISO 3166 two letters) of a number in E.164, or null. */
export function countryOf(e164: string): string | null {
  return parsePhoneNumberFromString(e164)?.country ?? null;
}
