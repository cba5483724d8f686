// The allowed destinations of calls: the installation, a trunk and an account may each state a policy of countries,
// prefixes and kinds of number. Each stated policy must allow the number; without any, the default must.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { knownNumber } from './phone-plans.ts';

/** Kinds of number: libphonenumber's types, and the satellite networks. */
export const DESTINATION_TYPES = [
  'fixed_line',
  'mobile',
  'fixed_line_or_mobile',
  'toll_free',
  'voip',
  'uan',
  'pager',
  'voicemail',
  'premium_rate',
  'shared_cost',
  'personal_number',
  'satellite',
  'unknown',
] as const;
type DestinationType = (typeof DESTINATION_TYPES)[number];

/** Expensive kinds of number that earn their owner money: called only if a policy names them. */
const NEVER_BY_DEFAULT: readonly DestinationType[] = ['premium_rate', 'shared_cost', 'satellite', 'personal_number'];

/** ITU-T E.164 country codes that belong to no country. */
const SHARED_CODES: Readonly<Record<string, DestinationType>> = {
  808: 'shared_cost',
  870: 'satellite',
  878: 'personal_number',
  881: 'satellite',
  882: 'satellite',
  883: 'satellite',
  979: 'premium_rate',
};

/** Territories that share the numbers and prices of another country. */
const PART_OF: Readonly<Record<string, string>> = {
  AS: 'US',
  AX: 'FI',
  CC: 'AU',
  CX: 'AU',
  GG: 'GB',
  GU: 'US',
  IM: 'GB',
  JE: 'GB',
  MP: 'US',
  PR: 'US',
  SJ: 'NO',
  VA: 'IT',
  VI: 'US',
};

/** The policy of one of the three. An empty list states nothing. */
export interface DestinationPolicy {
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** Prefixes of numbers in E.164. The longest match decides, before countries and types. */
  prefixes: { allow: readonly string[]; deny: readonly string[] };
  types: readonly DestinationType[];
}

type PolicyOwner = 'installation' | 'trunk' | 'account';

export interface DestinationRules {
  policies: Readonly<Record<PolicyOwner, DestinationPolicy | null>>;
  /** Countries of the trunk, the account's numbers and the installation's: allowed if no policy states countries. */
  homeCountries: readonly string[];
}

interface Destination {
  country: string | null;
  type: DestinationType;
}

/** ITU-T E.164. Any other spelling would pass prefixes and lists, which compare letter by letter. */
const E164 = /^\+[1-9]\d{1,14}$/;

/** `unknown`, of no country, for anything but a number in E.164. */
export function destinationOf(e164: string): Destination {
  if (!E164.test(e164)) return { country: null, type: 'unknown' };
  const shared = SHARED_CODES[e164.slice(1, 4)];
  if (shared !== undefined) return { country: null, type: shared };
  const known = knownNumber(e164);
  if (known !== null) return known;
  const parsed = parsePhoneNumberFromString(e164);
  const type = (parsed?.getType() ?? 'UNKNOWN').toLowerCase() as DestinationType;
  return { country: parsed?.country ?? null, type };
}

const OWNERS: readonly PolicyOwner[] = ['installation', 'trunk', 'account'];

/** Countries whose entry in a list includes the destination: its own, and the one that it is a part of. */
export function countriesOf({ country }: Destination): string[] {
  const whole = PART_OF[country ?? ''];
  return country === null ? [] : whole === undefined ? [country] : [country, whole];
}

/**
 * Why a number may not be called and whose rule forbids it, in words for the client; null if it may be called.
 * `known`: the number's destination, where the caller has it.
 */
export function destinationFault(
  e164: string,
  { policies, homeCountries }: DestinationRules,
  known: Destination | null = null,
): string | null {
  if (!E164.test(e164)) return 'is no phone number in E.164 form';
  const stated = OWNERS.flatMap((owner) => {
    const policy = policies[owner];
    return policy === null ? [] : [{ owner, policy }];
  });
  let destination = known;
  let knowsCountry = false;
  let knowsType = false;
  for (const { owner, policy } of stated) {
    const byPrefix = prefixVerdict(e164, policy);
    if (byPrefix?.allowed === false) return `the ${owner}'s destinations deny ${byPrefix.prefix}`;
    if (byPrefix?.allowed) {
      knowsCountry = true;
      knowsType = true;
      continue;
    }
    destination ??= destinationOf(e164);
    if (policy.countries.length > 0 && !includesCountry(policy.countries, destination))
      return `the ${owner}'s destinations do not include ${placeOf(destination)}`;
    if (policy.types.length > 0 && !policy.types.includes(destination.type))
      return `the ${owner}'s destinations do not include ${wordsFor(destination.type)} numbers`;
    knowsCountry ||= policy.countries.length > 0;
    knowsType ||= policy.types.length > 0;
  }
  destination ??= destinationOf(e164);
  if (!knowsType && NEVER_BY_DEFAULT.includes(destination.type))
    return `${wordsFor(destination.type)} numbers are not called unless destinations name them`;
  if (!knowsCountry && homeCountries.length > 0 && !includesCountry(homeCountries, destination))
    return `without destinations only ${[...homeCountries].sort().join(', ')} may be called, not ${placeOf(destination)}`;
  return null;
}

function prefixVerdict(
  e164: string,
  { prefixes: { allow, deny } }: DestinationPolicy,
): { allowed: boolean; prefix: string } | null {
  const longest = (list: readonly string[]): string =>
    list.reduce((best, prefix) => (e164.startsWith(prefix) && prefix.length > best.length ? prefix : best), '');
  const [allowed, denied] = [longest(allow), longest(deny)];
  if (allowed === '' && denied === '') return null;
  return allowed.length > denied.length ? { allowed: true, prefix: allowed } : { allowed: false, prefix: denied };
}

const includesCountry = (countries: readonly string[], destination: Destination): boolean =>
  countriesOf(destination).some((country) => countries.includes(country));

const placeOf = ({ country, type }: Destination): string => country ?? `${wordsFor(type)} numbers`;

const wordsFor = (type: DestinationType): string => type.replaceAll('_', ' ');
