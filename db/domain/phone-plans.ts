// Numbers that libphonenumber would find valid, recognised by its own patterns compiled once. The library compiles some
// eight expressions for each number, which took a third of the time of an import. Whatever is not recognised here is
// left to it.
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/max';

/** Of the library's numbering plan, what its types leave out. */
interface NumberingPlan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  hasTypes(): boolean;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

interface Plan {
  national: RegExp;
  types: Array<{ pattern: RegExp; lengths: readonly number[] | null }>;
  /** Numbers with these digits are this country's. */
  leadingDigits: string | undefined;
  /** What would be taken for a prefix, and left out of the number. */
  prefix: string | undefined;
}

/** The countries with one calling code. */
interface CallingCode {
  /** The one that fitted last comes first: a list is mostly of one country. */
  plans: Plan[];
  /** Of any of them. */
  prefix: RegExp | null;
  leadingDigits: RegExp | null;
}

const TYPES = [
  'FIXED_LINE',
  'MOBILE',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];
const CALLING_CODE_DIGITS_MAX = 3;

const countries = Map.groupBy<string, CountryCode>(getCountries(), (country) => getCountryCallingCode(country));
const codes = new Map<string, CallingCode>();

const entirely = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
function fromStart(patterns: ReadonlyArray<string | undefined>): RegExp | null {
  const own = patterns.filter((pattern) => pattern);
  return own.length === 0 ? null : new RegExp(`^(?:${own.map((pattern) => `(?:${pattern})`).join('|')})`);
}

function planOf(country: CountryCode): Plan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const national = entirely(plan.nationalNumberPattern());
  const types = TYPES.flatMap((name) => {
    const type = plan.type(name);
    return type?.pattern() ? [{ pattern: entirely(type.pattern()), lengths: type.possibleLengths() ?? null }] : [];
  });
  return {
    national,
    types: plan.hasTypes() ? types : [{ pattern: national, lengths: null }],
    leadingDigits: plan.leadingDigits(),
    prefix: plan.nationalPrefixForParsing(),
  };
}

/** Null where there is no such code. */
function callingCode(digits: string): CallingCode | null {
  const known = codes.get(digits);
  if (known !== undefined) return known;
  const plans = countries.get(digits)?.map(planOf);
  if (plans === undefined) return null;
  const code: CallingCode = {
    plans,
    prefix: fromStart(plans.map(({ prefix }) => prefix)),
    leadingDigits: fromStart(plans.map(({ leadingDigits }) => leadingDigits)),
  };
  codes.set(digits, code);
  return code;
}

/** Whether a number in E.164 is certainly valid as it is. False: libphonenumber must say. */
export function isKnownValid(e164: string): boolean {
  for (let digits = 1; digits <= CALLING_CODE_DIGITS_MAX; digits++) {
    const code = callingCode(e164.slice(1, digits + 1));
    if (code !== null) return isValidIn(code, e164.slice(digits + 1));
  }
  return false;
}

function isValidIn({ plans, prefix, leadingDigits }: CallingCode, national: string): boolean {
  if (prefix?.test(national)) return false;
  const at = plans.findIndex((own) => isOfPlan(own, national) && (plans.length === 1 || mayBeTaken(own, national)));
  const plan = plans[at];
  if (plan === undefined) return false;
  if (at > 0) plans.unshift(...plans.splice(at, 1));
  // The library goes by the first country that has these leading digits, or the number: no other one may claim it.
  return leadingDigits?.test(national) !== true || plans.every((own) => own === plan || !claims(own, national));
}

const claims = ({ leadingDigits }: Plan, national: string): boolean =>
  fromStart([leadingDigits])?.test(national) === true;

/** Where several countries share a code, one with leading digits is taken by these alone. */
const mayBeTaken = (plan: Plan, national: string): boolean => !plan.leadingDigits || claims(plan, national);

const isOfPlan = ({ national, types }: Plan, number: string): boolean =>
  national.test(number) &&
  types.some(({ pattern, lengths }) => (lengths === null || lengths.includes(number.length)) && pattern.test(number));
