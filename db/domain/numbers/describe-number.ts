// Country, area code and kind of a number, from the numbering plan.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

interface DescribedNumber {
  /** ISO 3166-1 alpha-2; `001` for a number without a country. */
  country: string;
  areaCode: string | null;
  type: 'local' | 'mobile' | 'toll_free';
}

export function describeNumber(e164: string): DescribedNumber {
  const parsed = parsePhoneNumberFromString(e164);
  const kind = parsed?.getType();
  const type = kind === 'MOBILE' ? 'mobile' : kind === 'TOLL_FREE' ? 'toll_free' : 'local';
  // The first group after the country code is the area code, if the plan has one: +49 30 123456.
  const groups = parsed?.formatInternational().split(/[ -]/) ?? [];
  return { country: parsed?.country ?? '001', areaCode: groups.length > 2 ? (groups[1] ?? null) : null, type };
}
