// Recognises most valid numbers, their country and type by libphonenumber's own patterns, compiled once. The library
// compiles about eight expressions for each number, which took a third of an import's time. It decides on numbers not
// recognised here.
import { type CountryCode, Metadata, type NumberType } from 'libphonenumber-js/max';

/** Fields of the library's numbering plan that its types lack. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  hasTypes(): boolean;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

interface KnownNumber {
  /** ISO 3166-1 alpha-2. */
  country: string;
  type: Lowercase<NonNullable<NumberType>> | 'unknown';
}

/** A type of numbers in a plan. */
interface TypePattern {
  type: KnownNumber['type'];
  pattern: RegExp;
  lengths: readonly number[] | null;
}

interface Plan {
  country: string;
  /** Of several countries that a number may belong to, the library takes the first. */
  order: number;
  national: RegExp;
  /** Empty: all numbers are of an unknown type. */
  types: readonly TypePattern[];
  /** Mobile numbers look like those of fixed lines. */
  mobileIsFixed: boolean;
  /** Numbers with these digits are this country's. */
  leadingDigits: RegExp | null;
  /** Digits that the library would remove as a prefix of the number. */
  prefix: string | undefined;
}

/** The countries with one calling code. */
interface CallingCode {
  /** The last matching plan comes first: most numbers of a list are from one country. */
  plans: Plan[];
  /** A prefix of any of the plans. */
  prefix: RegExp | null;
  leadingDigits: RegExp | null;
}

/** The first that matches is a number's type. */
const TYPES = [
  'fixed_line',
  'mobile',
  'premium_rate',
  'toll_free',
  'shared_cost',
  'voip',
  'personal_number',
  'pager',
  'uan',
  'voicemail',
] as const;
const CALLING_CODE_DIGITS_MAX = 3;

/** Fields of the library's metadata that its types lack. */
interface CallingCodes {
  /** In the library's order of precedence. */
  getCountryCodesForCallingCode(digits: string): CountryCode[] | undefined;
}

const countries = new Metadata() as unknown as CallingCodes;
const codes = new Map<string, CallingCode>();

const entirely = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
function fromStart(patterns: ReadonlyArray<string | undefined>): RegExp | null {
  const own = patterns.filter((pattern) => pattern);
  return own.length === 0 ? null : new RegExp(`^(?:${own.map((pattern) => `(?:${pattern})`).join('|')})`);
}

function planOf(country: CountryCode, order: number): Plan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name.toUpperCase());
    const pattern = type?.pattern();
    return pattern ? [{ type: name, pattern: entirely(pattern), lengths: type?.possibleLengths() ?? null }] : [];
  });
  return {
    country,
    order,
    national: entirely(plan.nationalNumberPattern()),
    types: plan.hasTypes() ? types : [],
    mobileIsFixed: !plan.type('MOBILE')?.pattern(),
    leadingDigits: fromStart([plan.leadingDigits()]),
    prefix: plan.nationalPrefixForParsing(),
  };
}

/** Null if there is no such code. */
function callingCode(digits: string): CallingCode | null {
  const known = codes.get(digits);
  if (known !== undefined) return known;
  const plans = countries.getCountryCodesForCallingCode(digits)?.map(planOf);
  if (plans === undefined) return null;
  const code: CallingCode = {
    plans,
    prefix: fromStart(plans.map(({ prefix }) => prefix)),
    leadingDigits: fromStart(plans.map(({ leadingDigits }) => leadingDigits?.source)),
  };
  codes.set(digits, code);
  return code;
}

/** Country and type of a number in E.164 that is certainly valid. Null: libphonenumber must decide. */
export function knownNumber(e164: string): KnownNumber | null {
  for (let digits = 1; digits <= CALLING_CODE_DIGITS_MAX; digits++) {
    const code = callingCode(e164.slice(1, digits + 1));
    if (code !== null) return knownIn(code, e164.slice(digits + 1));
  }
  return null;
}

function knownIn({ plans, prefix, leadingDigits }: CallingCode, national: string): KnownNumber | null {
  if (prefix?.test(national)) return null;
  let type: KnownNumber['type'] | null = null;
  const at = plans.findIndex((own) => {
    if (plans.length > 1 && !mayBeTaken(own, national)) return false;
    type = typeIn(own, national);
    return type !== null;
  });
  const plan = plans[at];
  if (plan === undefined || type === null) return null;
  if (at > 0) plans.unshift(...plans.splice(at, 1));
  // The library takes the first country with these leading digits or this number: no other country may match.
  if (leadingDigits?.test(national) && plans.some((own) => own !== plan && claims(own, national))) return null;
  const isFirst = plan.order === 0 || plans.every((own) => own.order >= plan.order || !takesFirst(own, national));
  return isFirst ? { country: plan.country, type } : null;
}

const claims = ({ leadingDigits }: Plan, national: string): boolean => leadingDigits?.test(national) === true;

/** If several countries share a code, only the leading digits decide for a country that has them. */
const mayBeTaken = (plan: Plan, national: string): boolean => plan.leadingDigits === null || claims(plan, national);

const takesFirst = (plan: Plan, national: string): boolean =>
  plan.leadingDigits === null && typeIn(plan, national) !== null;

const isOfType = ({ pattern, lengths }: TypePattern, number: string): boolean =>
  (lengths === null || lengths.includes(number.length)) && pattern.test(number);

/** The type of a number of this plan; null if it is none. */
function typeIn({ national, types, mobileIsFixed }: Plan, number: string): KnownNumber['type'] | null {
  if (!national.test(number)) return null;
  if (types.length === 0) return 'unknown';
  const found = types.find((type) => isOfType(type, number));
  if (found === undefined) return null;
  if (found.type !== 'fixed_line') return found.type;
  const isMobile = mobileIsFixed || types.some((type) => type.type === 'mobile' && isOfType(type, number));
  return isMobile ? 'fixed_line_or_mobile' : 'fixed_line';
}
