// Words for the faults of a request, for a person: ours, never those of the validator.
import { byDistance } from '../../db/domain/nearest-name.ts';
import { calledElsewhere, writtenOtherwise } from './names-elsewhere.ts';
import { patternWords } from './patterns.ts';

/** A longer name is not a misspelt field. */
export const NAME_LENGTH_MAX = 64;

type Params = Record<string, unknown>;

/** The error text of each keyword of our schemas. */
const KEYWORDS: Record<string, (params: Params) => string> = {
  type: ({ type }) => `must be ${[type].flat().map(typeText).join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  pattern: ({ pattern }) => patternWords(String(pattern)),
  format: ({ format }) => `must be a valid ${FORMATS[String(format)] ?? format}`,
  minLength: ({ limit }) => atLeast(limit, 'character'),
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => atLeast(limit, 'item'),
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: ({ i, j }) => `must not name anything twice: items ${j} and ${i} are the same`,
  minProperties: ({ limit }) => atLeast(limit, 'field'),
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
};

/** The fault of a value that breaks this keyword. */
export const faultWords = (keyword: string, params: Params): string => KEYWORDS[keyword]?.(params) ?? 'is not valid';

const counted = (limit: unknown, thing: string): string => `${limit} ${thing}${limit === 1 ? '' : 's'}`;

const atLeast = (limit: unknown, thing: string): string =>
  limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, thing)}`;

const typeText = (type: unknown): string => TYPES[String(type)] ?? String(type);

const FORMATS: Record<string, string> = {
  'date-time': 'ISO-8601 time',
  date: 'date, e.g. 2026-11-30',
  uri: 'URL',
  email: 'e-mail address',
};
const TYPES: Record<string, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
};

/** A name that no schema knows, and the known one that was probably meant, or where such a field stands. */
export function unknownName(name: string, kind: 'field' | 'parameter', known: readonly string[]): string {
  const words = `is not a known ${kind}`;
  if (name.length > NAME_LENGTH_MAX) return words;
  const same = writtenOtherwise(name, known);
  if (same !== null) return `${words}; did you mean "${same}"?`;
  const elsewhere = kind === 'field' ? calledElsewhere(name, known) : null;
  if (elsewhere !== null && 'place' in elsewhere) return `${words}: ${elsewhere.place}`;
  const nearest = elsewhere?.name ?? nearestName(name, known);
  return nearest === null ? words : `${words}; did you mean "${nearest}"?`;
}

/** The known name with the fewest edits; null if none is near: a wrong guess misleads more than none. */
function nearestName(name: string, known: readonly string[]): string | null {
  const [best] = byDistance(name, known);
  return best !== undefined && best.distance <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : null;
}
