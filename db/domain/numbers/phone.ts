// Validates phone numbers by libphonenumber's full metadata, not by pattern alone. The service and the dashboard share
// this file, so that both accept the same numbers.
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { knownNumber } from './phone-plans.ts';

/** Whether it has the form of E.164. A peer may send anything where a number belongs, with a plus as its first sign. */
export const hasE164Form = (value: string): boolean => /^\+[1-9]\d{5,14}$/.test(value);

/** The number in E.164; null if it is not valid. Only the international form (`+…`) is accepted. */
export function asE164(value: string): string | null {
  if (!hasE164Form(value)) return null;
  if (knownNumber(value) !== null) return value;
  const parsed = parsePhoneNumberFromString(value);
  return parsed?.isValid() ? parsed.number : null;
}

/**
 * A written number, with its country's code or in the national form of `country`, as E.164; null if it is not valid.
 */
export function readNumber(text: string, country?: string): string | null {
  // Most of Europe dials 00 in place of +.
  const written = text.trim().replace(/^00(?=[1-9])/, '+');
  const parsed = parsePhoneNumberFromString(written, isCountry(country) ? country : undefined);
  return parsed?.isValid() ? parsed.number : null;
}

const isCountry = (code: string | undefined): code is CountryCode => code !== undefined && isSupportedCountry(code);

/** The countries that have numbers, with their calling codes. */
export const callingCodes = (): Array<{ country: string; code: string }> =>
  getCountries().map((country) => ({ country, code: getCountryCallingCode(country) }));

/** The fault of a country's code, in upper or lower case; null if ISO 3166-1 has it. */
export function countryFault(code: string): string | null {
  if (isSupportedCountry(code.toUpperCase())) return null;
  const hint = MISTAKEN_COUNTRIES[code.toUpperCase()];
  return `must be an ISO 3166-1 alpha-2 code${hint ? `: that of ${hint}` : ''}`;
}

/** Common mistakes in place of a code. */
const MISTAKEN_COUNTRIES: Record<string, string> = {
  UK: 'the United Kingdom is GB',
  EN: 'the United Kingdom is GB',
  EL: 'Greece is GR',
  SP: 'Spain is ES',
  SW: 'Sweden is SE',
  JA: 'Japan is JP',
  KO: 'South Korea is KR',
};

/** Businesses have few numbers, and each call asks: parsing one takes 0.7 ms. */
const COUNTRIES_MAX = 1_000;
const countries = new Map<string, string | null>();

/** Country (ISO 3166 two letters) of a number in E.164, or null. */
export function countryOf(e164: string): string | null {
  const known = countries.get(e164);
  if (known !== undefined) return known;
  const country = parsePhoneNumberFromString(e164)?.country ?? null;
  if (countries.size >= COUNTRIES_MAX) countries.clear();
  countries.set(e164, country);
  return country;
}
