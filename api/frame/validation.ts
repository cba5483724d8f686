// Converts Ajv's errors into the API's: JSON paths, the nearest known name for an unknown field, one message per field.
// Query strings are converted here, by their schema and exactly (`1e1` is not an integer), because Ajv's coercion would
// also change JSON bodies.

import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { byDistance } from '../../db/domain/nearest-name.ts';
import type { FieldError } from './errors.ts';
import { INSTANT_PATTERN } from './instants.ts';

/** A request can have thousands of faults; only the first are reported. */
const FIELD_ERRORS_MAX = 50;
/** A longer name is not a misspelt field. */
const NAME_LENGTH_MAX = 64;

interface SchemaNode {
  type?: string | string[];
  properties?: Record<string, SchemaNode>;
  /** Of a query: names of which there are many, `output.NAME`. */
  patternProperties?: Record<string, SchemaNode>;
}

interface AjvError extends FastifySchemaValidationError {
  parentSchema?: SchemaNode;
  /** Set if the error concerns the name of a field, not its value. */
  propertyName?: string;
}

/** `/contacts/3/phoneNumber` → `contacts[3].phoneNumber`. */
export function jsonPath(pointer: string, last?: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (last !== undefined) parts.push(last);
  let path = '';
  for (const part of parts) path += /^\d+$/.test(part) ? `[${part}]` : path === '' ? part : `.${part}`;
  return path;
}

/** The `errors[]` of a 422. `where` names the part of the request when all of it is wrong. */
export function fieldErrors(errors: readonly FastifySchemaValidationError[], where: string): FieldError[] {
  const found = new Map<string, string>();
  for (const error of errors as readonly AjvError[]) {
    // The branches of a failed union, and the rule of a name, have their own errors.
    if (['anyOf', 'oneOf', 'if', 'propertyNames'].includes(error.keyword)) continue;
    const { field, message } = fieldError(error);
    const name = field === '' ? where : field;
    if (!found.has(name)) found.set(name, message);
    if (found.size >= FIELD_ERRORS_MAX) break;
  }
  if (found.size === 0) {
    const first = errors[0];
    found.set(jsonPath(first?.instancePath ?? '') || where, 'is not valid');
  }
  return [...found].map(([field, message]) => ({ field, message }));
}

function fieldError(error: AjvError): FieldError {
  const { keyword, instancePath, params } = error;
  if (error.propertyName !== undefined) {
    return {
      field: jsonPath(instancePath, error.propertyName),
      message: keyword === 'pattern' ? 'has a name with other than A-Z, a-z, 0-9 and _' : 'has a name that is too long',
    };
  }
  const field = jsonPath(instancePath);
  switch (keyword) {
    case 'required':
      return { field: jsonPath(instancePath, String(params.missingProperty)), message: 'is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      return { field: jsonPath(instancePath, name), message: unknownField(name, error.parentSchema) };
    }
    default:
      return { field, message: KEYWORDS[keyword]?.(params) ?? 'is not valid' };
  }
}

type Params = AjvError['params'];

/** The error text of each keyword of our schemas. */
const KEYWORDS: Record<string, (params: Params) => string> = {
  type: ({ type }) => `must be ${[type].flat().map(typeText).join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  pattern: ({ pattern }) => PATTERNS[String(pattern)] ?? `must match ${pattern}`,
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

/** In words. One that is not here is told as it is. */
const PATTERNS: Record<string, string> = {
  '\\S': 'must not be blank',
  '^([01]\\d|2[0-3]):[0-5]\\d$': 'must be a time of day as HH:MM, for example 09:30',
  '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$': 'must be a time of day as HH:MM, for example 17:30, or 24:00',
  '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': 'must be a language (BCP 47), for example de or en-US',
  '^[a-z]{2}$': 'must be a language of two letters (ISO 639-1), for example de',
  '^[A-Z]{3}$': 'must be a currency (ISO 4217), for example EUR',
  '^[A-Za-z]{2}$': 'must be a country of two letters (ISO 3166-1), for example DE',
  '^[A-Za-z][A-Za-z0-9_]{0,63}$': 'must begin with a letter, and have letters, digits and _ only, at most 64',
  '^[A-Za-z0-9][A-Za-z0-9_-]*$': 'must begin with a letter or a digit, and have letters, digits, _ and - only',
  '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\\.?$|^\\[?[0-9A-Fa-f:.]+\\]?$':
    'must be a host name or an IP address, without a port, for example sip.example.com',
  '^\\+[1-9][0-9]{0,14}$': 'must be the beginning of a number in E.164 form, for example +49',
  '^\\+[1-9]\\d{6,14}$': 'must be a number in E.164 form, for example +4930901820',
  '^(0|[1-9]\\d{0,5})(\\.\\d{1,6})?$': 'must be a decimal such as 0.0058, with at most six digits behind the point',
  '^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$': 'must be seconds such as 60/60 or 1/1',
  '^(\\+[1-9][0-9]{0,14})?$': 'must be the beginning of a number in E.164 form, for example +49, or empty',
  '^[0-9]{1,8}$': 'must be 1 to 8 digits',
  '^[0-9]$': 'must be one digit',
  '^[A-Za-z0-9_]{1,64}$': 'must have letters, digits and _ only, at most 64',
  '^[0-9*#A-Dw]{1,40}$': 'must be 1 to 40 keys: digits, *, #, A to D, and w for half a second',
  '^[0-9*#w]{1,32}$': 'must be 1 to 32 keys: digits, *, #, and w for half a second',
  '^[0-9*#+]{1,16}$': 'must be 1 to 16 digits, *, # or +',
  '^[^\\p{C}]+$': 'must have no line breaks and no characters that nobody sees',
  '^[^:\\p{C}]+$': 'must have no colon, no line breaks and no characters that nobody sees',
  '^[^\\u0000-\\u001f]*\\S[^\\u0000-\\u001f]*$': 'must not be blank, and must have no line breaks',
  [INSTANT_PATTERN]: 'must be an ISO-8601 date or time',
  '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]{5,15}(Z|[+-]\\d{2}:?\\d{2})?)?$':
    'must be a date or an ISO-8601 time, for example 2026-11-30',
  "^[A-Za-z0-9._~!%*+`'=$&?/@:-]+$": 'must be the user part of a SIP address, without blanks',
  '^(sips?:)?[A-Za-z0-9.\\[\\]:_-]+(;[A-Za-z0-9=_-]+)*$':
    'must be a host or a SIP address, for example sip:proxy.example.com;transport=tls',
  '^ *([Vv][Oo][Ii][Cc][Ee]|[Ss][Mm][Ss]) *(, *([Vv][Oo][Ii][Cc][Ee]|[Ss][Mm][Ss]) *)*$|^ *$':
    'must be a list of voice, sms',
  '^[!-~]+$': 'must have no blanks and only the letters, digits and marks of ASCII',
};

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

function unknownField(name: string, schema: SchemaNode | undefined): string {
  return unknownName(name, 'field', Object.keys(schema?.properties ?? {}));
}

function unknownName(name: string, kind: 'field' | 'parameter', known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? `is not a known ${kind}` : `is not a known ${kind}; did you mean "${nearest}"?`;
}

/** Parameters of the query that its schema does not know. */
export function unknownParameters(query: Record<string, unknown>, schema: SchemaNode): FieldError[] {
  const { properties = {} } = schema;
  return Object.keys(query)
    .filter((name) => !Object.hasOwn(properties, name) && !fitsPattern(name, schema))
    .slice(0, FIELD_ERRORS_MAX)
    .map((name) => ({
      field: name.slice(0, NAME_LENGTH_MAX),
      message: unknownName(name, 'parameter', Object.keys(properties)),
    }));
}

const fitsPattern = (name: string, { patternProperties = {} }: SchemaNode): boolean =>
  Object.keys(patternProperties).some((pattern) => new RegExp(pattern).test(name));

/** The known name with the fewest edits; null if none is near. */
function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > NAME_LENGTH_MAX) return null;
  const [best] = byDistance(name, known);
  return best !== undefined && best.distance <= Math.max(2, Math.ceil(best.name.length / 2)) ? best.name : null;
}

/** Converts the parameters that are numbers or booleans in the schema. */
export function convertQuery(query: Record<string, unknown>, schema: SchemaNode): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(query, name)) continue;
    const value = query[name];
    converted[name] = typeof value === 'string' ? convertValue(value, property) : value;
  }
  for (const [name, value] of Object.entries(query)) if (fitsPattern(name, schema)) converted[name] = value;
  return converted;
}

function convertValue(value: string, { type }: SchemaNode): unknown {
  if (type === 'integer' && /^-?\d{1,16}$/.test(value)) return Number(value);
  if (type === 'number' && /^-?\d{1,16}(\.\d{1,16})?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

const DEPTH_MAX = 64;
/** Fifty for each of 1,000 contacts. An object of a hundred thousand keys takes longer to create than to check. */
const KEYS_MAX = 50_000;

/**
 * The fault of a JSON text before it is parsed. `deep`: it nests deeper than any of our schemas, and recursive code
 * would run out of stack. `wide`: it has more keys than any legitimate body.
 */
export function faultOfShape(text: string): 'deep' | 'wide' | null {
  let depth = 0;
  let keys = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > DEPTH_MAX) return 'deep';
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x3a && ++keys > KEYS_MAX) return 'wide';
  }
  return null;
}
