// Reads phone numbers as people write them. Its tables are loaded when a file is first looked at; the service, which
// has the full ones, has the last word.
import { formatCountry } from '../../format.ts';

export interface PhoneReader {
  /** A number with or without its country's code; null where it is none. */
  toE164(text: string, country: string): string | null;
  countries: ReadonlyArray<{ value: string; text: string }>;
}

export async function loadPhoneReader(): Promise<PhoneReader> {
  const library = await import('libphonenumber-js/min');
  const countries = library
    .getCountries()
    .map((value) => ({
      value: value as string,
      text: `${formatCountry(value)} (+${library.getCountryCallingCode(value)})`,
    }))
    .sort((a, b) => a.text.localeCompare(b.text));
  return {
    countries,
    toE164(text, country) {
      // 00 is what most of Europe dials in place of +.
      const wanted = text.trim().replace(/^00(?=[1-9])/, '+');
      const supported = library.isSupportedCountry(country) ? country : undefined;
      const parsed = library.parsePhoneNumberFromString(wanted, supported);
      return parsed?.isValid() ? parsed.number : null;
    },
  };
}

/** The country of the browser's language. */
export const ownCountry = (): string => new Intl.Locale(navigator.language).maximize().region ?? 'US';
