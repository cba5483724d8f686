// Reads written phone numbers by the service's own rule. Its tables are loaded for the first file.
import { formatCountry } from './format.ts';

export interface PhoneReader {
  /** Reads a number with or without its country's code; null if it is not valid. */
  toE164(text: string, country: string): string | null;
  countries: ReadonlyArray<{ value: string; text: string }>;
}

export async function loadPhoneReader(): Promise<PhoneReader> {
  const { callingCodes, readNumber } = await import('../../../db/domain/numbers/phone.ts');
  const countries = callingCodes()
    .map(({ country, code }) => ({ value: country, text: `${formatCountry(country)} (+${code})` }))
    .sort((a, b) => a.text.localeCompare(b.text));
  return { countries, toE164: readNumber };
}
