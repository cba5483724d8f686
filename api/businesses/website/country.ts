// The country of a site, for telephone numbers without a country's code: from its address on the web, else from the
// region of its language, else from what stands on its pages, else from the time zone of who asks.
import { countryOf, readNumber } from '../../../db/domain/numbers/phone.ts';

/** Endings that belong to a country; `io`, `co` and their like are everybody's. */
const DOMAINS: Readonly<Record<string, string>> = {
  ...{ de: 'DE', at: 'AT', ch: 'CH', li: 'LI', fr: 'FR', be: 'BE', lu: 'LU', es: 'ES', it: 'IT', nl: 'NL', pt: 'PT' },
  ...{ uk: 'GB', ie: 'IE', br: 'BR', mx: 'MX', ar: 'AR', cl: 'CL', au: 'AU', nz: 'NZ', ca: 'CA', us: 'US' },
};

const US_ZONES =
  /^(US\/|America\/(New_York|Chicago|Denver|Los_Angeles|Phoenix|Detroit|Anchorage|Boise|Indiana\/|Kentucky\/))/;
const ZONES: Readonly<Record<string, string>> = {
  'Europe/London': 'GB',
  'Europe/Dublin': 'IE',
  'Europe/Berlin': 'DE',
  'Europe/Vienna': 'AT',
  'Europe/Zurich': 'CH',
  'Europe/Paris': 'FR',
  'Europe/Brussels': 'BE',
  'Europe/Madrid': 'ES',
  'Europe/Rome': 'IT',
  'Europe/Amsterdam': 'NL',
  'Europe/Lisbon': 'PT',
  'America/Sao_Paulo': 'BR',
  'America/Mexico_City': 'MX',
  'America/Toronto': 'CA',
  'America/Vancouver': 'CA',
  'Australia/Sydney': 'AU',
  'Australia/Melbourne': 'AU',
};
/** Most of these countries, and nearly all of their people, are in one zone. */
const ONE_ZONE = /^(GB|IE|DE|AT|CH|FR|BE|ES|IT|NL|PT)$/;

export const countryOfZone = (zone: string): string | undefined => (US_ZONES.test(zone) ? 'US' : ZONES[zone]);

export const countryOfHost = (host: string): string | undefined => DOMAINS[host.split('.').at(-1) ?? ''];

/** `de-AT` is of Austria. Builders of sites leave `en-US` on pages of any country. */
const regionOf = (language: string | undefined): string | undefined =>
  /^(?!en[-_]us$)[a-z]{2}[-_]([a-z]{2})$/i.exec(language?.trim() ?? '')?.[1]?.toUpperCase();

/** Written in one country only. */
const SIGNS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b/, 'GB'],
  [/£\s?\d/, 'GB'],
  [/\bR\$\s?\d|\b\d{5}-\d{3}\b/, 'BR'],
  [/\b\d{4}-\d{3}\s\p{Lu}/u, 'PT'],
  [/\b\d{4}\s[A-Z]{2}\s\p{Lu}/u, 'NL'],
  [/\bCHF\s?\d|\bCH-\d{4}\b/, 'CH'],
];

/**
 * English pages of any country are in `en-GB` too: what stands on them counts before it.
 * @param numbers of links to telephones
 */
export function countryOfPage(
  language: string | undefined,
  text: string,
  numbers: readonly string[],
): string | undefined {
  const region = regionOf(language);
  if (region !== undefined && !/^en/i.test(language ?? '')) return region;
  const called = new Set(
    numbers.flatMap((number) => {
      const known = readNumber(number);
      return known === null ? [] : [countryOf(known)];
    }),
  );
  const [dialled] = called;
  if (called.size === 1 && dialled) return dialled;
  const written = new Set(SIGNS.filter(([sign]) => sign.test(text)).map(([, country]) => country));
  return written.size === 1 ? [...written][0] : region;
}

/** Null for a country with several. */
export const zoneOfCountry = (country: string): string | null =>
  ONE_ZONE.test(country) ? (Object.keys(ZONES).find((zone) => ZONES[zone] === country) ?? null) : null;
