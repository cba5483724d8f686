// Recognises most valid numbers by libphonenumber's own patterns, compiled once. The library compiles about eight
// expressions for each number, which took a third of an import's time. It decides on numbers not recognised here.
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/max';

/** Fields of the library's numbering plan that its types lack. */
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

/** Null if there is no such code. */
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

/** Whether a number in E.164 is certainly valid. False: libphonenumber must decide. */
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
  // The library takes the first country with these leading digits or this number: no other country may match.
  return leadingDigits?.test(national) !== true || plans.every((own) => own === plan || !claims(own, national));
}

const claims = ({ leadingDigits }: Plan, national: string): boolean =>
  fromStart([leadingDigits])?.test(national) === true;

/** If several countries share a code, only the leading digits decide for a country that has them. */
const mayBeTaken = (plan: Plan, national: string): boolean => !plan.leadingDigits || claims(plan, national);

const isOfPlan = ({ national, types }: Plan, number: string): boolean =>
  national.test(number) &&
  types.some(({ pattern, lengths }) => (lengths === null || lengths.includes(number.length)) && pattern.test(number));
