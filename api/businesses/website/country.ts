// The country of a site, for telephone numbers without a country's code: from its address on the web, else from the
// region of its language, else from the time zone of who asks.

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
export const countryOfLanguage = (language: string | undefined): string | undefined =>
  /^(?!en)[a-z]{2}[-_]([A-Za-z]{2})$/.exec(language ?? '')?.[1]?.toUpperCase();

/** Null for a country with several. */
export const zoneOfCountry = (country: string): string | null =>
  ONE_ZONE.test(country) ? (Object.keys(ZONES).find((zone) => ZONES[zone] === country) ?? null) : null;
