// The currency of a business's prices if it has not set one: the currency of its country, known from its telephone
// number or its time zone.
import { countryOf } from './numbers/phone.ts';

const EURO = 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'.split(' ');

const CURRENCIES: Record<string, string> = {
  ...Object.fromEntries(EURO.map((country) => [country, 'EUR'])),
  ...{ GB: 'GBP', CH: 'CHF', LI: 'CHF', DK: 'DKK', SE: 'SEK', NO: 'NOK', IS: 'ISK', PL: 'PLN', CZ: 'CZK', HU: 'HUF' },
  ...{ RO: 'RON', RS: 'RSD', AL: 'ALL', MK: 'MKD', BA: 'BAM', MD: 'MDL', UA: 'UAH', TR: 'TRY', GE: 'GEL', AM: 'AMD' },
  ...{ CA: 'CAD', MX: 'MXN', BR: 'BRL', AR: 'ARS', CL: 'CLP', CO: 'COP', PE: 'PEN', UY: 'UYU', PY: 'PYG', BO: 'BOB' },
  ...{ CR: 'CRC', DO: 'DOP', GT: 'GTQ', HN: 'HNL', NI: 'NIO', JM: 'JMD', TT: 'TTD', BS: 'BSD', BB: 'BBD' },
  ...{ AU: 'AUD', NZ: 'NZD', JP: 'JPY', KR: 'KRW', CN: 'CNY', HK: 'HKD', TW: 'TWD', SG: 'SGD', MY: 'MYR', TH: 'THB' },
  ...{ ID: 'IDR', PH: 'PHP', VN: 'VND', IN: 'INR', PK: 'PKR', BD: 'BDT', LK: 'LKR', NP: 'NPR', KZ: 'KZT', UZ: 'UZS' },
  ...{ AE: 'AED', SA: 'SAR', QA: 'QAR', KW: 'KWD', BH: 'BHD', OM: 'OMR', IL: 'ILS', JO: 'JOD', IQ: 'IQD', RU: 'RUB' },
  ...{ EG: 'EGP', MA: 'MAD', TN: 'TND', DZ: 'DZD', AO: 'AOA', MZ: 'MZN', ZA: 'ZAR', NG: 'NGN', GH: 'GHS', KE: 'KES' },
  ...{ TZ: 'TZS', UG: 'UGX', ET: 'ETB', SN: 'XOF', CI: 'XOF', ML: 'XOF', BJ: 'XOF', TG: 'XOF', CM: 'XAF', GA: 'XAF' },
};

/** The zones of countries with another currency than the dollar, by country; those of Australia by their first part. */
const ZONES: Record<string, string> = {
  GB: 'Europe/London Europe/Belfast GB Europe/Jersey Europe/Guernsey Europe/Isle_of_Man',
  DE: 'Europe/Berlin Europe/Busingen Europe/Vienna Europe/Paris Europe/Madrid Atlantic/Canary Europe/Rome Europe/Amsterdam',
  IE: 'Europe/Dublin Europe/Brussels Europe/Luxembourg Europe/Lisbon Atlantic/Madeira Europe/Athens Europe/Helsinki',
  EE: 'Europe/Tallinn Europe/Riga Europe/Vilnius Europe/Ljubljana Europe/Bratislava Europe/Zagreb Europe/Sofia',
  MT: 'Europe/Malta Asia/Nicosia Europe/Monaco Europe/Andorra Europe/San_Marino Europe/Vatican Europe/Podgorica',
  CH: 'Europe/Zurich Europe/Vaduz',
  DK: 'Europe/Copenhagen',
  SE: 'Europe/Stockholm',
  NO: 'Europe/Oslo',
  IS: 'Atlantic/Reykjavik',
  PL: 'Europe/Warsaw',
  CZ: 'Europe/Prague',
  HU: 'Europe/Budapest',
  RO: 'Europe/Bucharest',
  RS: 'Europe/Belgrade',
  UA: 'Europe/Kyiv Europe/Kiev',
  TR: 'Europe/Istanbul',
  CA: 'America/Toronto America/Vancouver America/Montreal America/Edmonton America/Winnipeg America/Halifax America/Regina America/St_Johns',
  MX: 'America/Mexico_City America/Monterrey America/Cancun America/Tijuana America/Merida America/Hermosillo',
  BR: 'America/Sao_Paulo America/Bahia America/Fortaleza America/Manaus America/Recife America/Belem America/Cuiaba',
  AR: 'America/Argentina/Buenos_Aires America/Buenos_Aires America/Argentina/Cordoba',
  CL: 'America/Santiago',
  CO: 'America/Bogota',
  PE: 'America/Lima',
  UY: 'America/Montevideo',
  NZ: 'Pacific/Auckland',
  JP: 'Asia/Tokyo',
  KR: 'Asia/Seoul',
  CN: 'Asia/Shanghai',
  HK: 'Asia/Hong_Kong',
  TW: 'Asia/Taipei',
  SG: 'Asia/Singapore',
  MY: 'Asia/Kuala_Lumpur',
  TH: 'Asia/Bangkok',
  ID: 'Asia/Jakarta',
  PH: 'Asia/Manila',
  VN: 'Asia/Ho_Chi_Minh',
  IN: 'Asia/Kolkata Asia/Calcutta',
  PK: 'Asia/Karachi',
  AE: 'Asia/Dubai',
  SA: 'Asia/Riyadh',
  IL: 'Asia/Jerusalem',
  EG: 'Africa/Cairo',
  MA: 'Africa/Casablanca',
  ZA: 'Africa/Johannesburg',
  NG: 'Africa/Lagos',
  KE: 'Africa/Nairobi',
};

const COUNTRY_OF_ZONE = new Map(
  Object.entries(ZONES).flatMap(([country, zones]) => zones.split(' ').map((zone) => [zone, country] as const)),
);

/** ISO 4217: the business's own, else its country's, else USD. */
export function currencyOf(business: { currency: string | null; phone: string | null; timezone: string }): string {
  if (business.currency !== null) return business.currency;
  const country = business.phone ? countryOf(business.phone) : null;
  return CURRENCIES[country ?? countryOfZone(business.timezone)] ?? 'USD';
}

function countryOfZone(zone: string): string {
  return COUNTRY_OF_ZONE.get(zone) ?? (zone.startsWith('Australia/') ? 'AU' : 'US');
}

/** A code of ISO 4217 that this Node knows. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);
