// Whether a value fits a JSON Schema, by interpretation: compiling a tenant's schema into code took a quarter of a
// second on threads that answer calls and requests. Only keywords that cost linear time are examined, within a budget
// of steps.
import { isObject } from './schema.ts';
import type { JsonSchema } from './tool.ts';

/** A value of 16 KiB against a schema of 16 KiB stays far below it; it takes some milliseconds. */
const MAX_STEPS = 200_000;

interface Fault {
  /** Names and indices from the root. */
  path: string[];
  message: string;
}

type Holder = Record<string, unknown> | unknown[];

interface Walk {
  faults: Fault[];
  maxDepth: number;
  steps: number;
}

class TooLong extends Error {}

/** All faults; a text becomes the number that is asked for, in place. Levels below `maxDepth` are not examined. */
export function faultsOf(schema: JsonSchema, value: Readonly<Record<string, unknown>>, maxDepth: number): Fault[] {
  const walk: Walk = { faults: [], maxDepth, steps: 0 };
  try {
    examine(schema, value, { path: [], walk });
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return [{ path: [], message: 'are too many to be examined' }];
  }
  return walk.faults;
}

interface Place {
  path: string[];
  walk: Walk;
  /** Where the value stands, for a value that becomes another. */
  parent?: { holder: Holder; key: string };
}

function examine(schema: JsonSchema, given: unknown, place: Place): void {
  const { path, walk } = place;
  step(walk);
  const value = typed(schema, given, place);
  const add = (isFault: boolean, message: string): void => {
    if (isFault) walk.faults.push({ path, message });
  };
  if (Array.isArray(schema.enum)) {
    step(walk, schema.enum.length);
    add(!schema.enum.some((each) => isSame(each, value)), 'must be equal to one of the allowed values');
  }
  if ('const' in schema) add(!isSame(schema.const, value), 'must be equal to constant');
  if (typeof value === 'number') examineNumber(schema, value, add);
  if (typeof value === 'string') {
    step(walk, value.length >> 6);
    examineSize(schema, [...value].length, { most: 'maxLength', least: 'minLength', of: 'characters' }, add);
  }
  if (Array.isArray(value)) {
    examineSize(schema, value.length, { most: 'maxItems', least: 'minItems', of: 'items' }, add);
    if (isSchema(schema.items)) examineItems(schema.items, value, place);
  } else if (isObject(value)) examineMembers(schema, value, place);
}

function examineItems(items: JsonSchema, value: unknown[], { path, walk }: Place): void {
  if (path.length >= walk.maxDepth) return;
  for (const [index, item] of value.entries()) {
    const key = String(index);
    examine(items, item, { path: [...path, key], walk, parent: { holder: value, key } });
  }
}

function examineMembers(schema: JsonSchema, value: Record<string, unknown>, { path, walk }: Place): void {
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    step(walk);
    const isThere = typeof name === 'string' && Object.hasOwn(value, name) && value[name] !== undefined;
    if (!isThere) walk.faults.push({ path, message: `must have required property '${name}'` });
  }
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, member] of Object.entries(value)) {
    step(walk);
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner === undefined && schema.additionalProperties === false)
      walk.faults.push({ path, message: 'must NOT have additional properties' });
    // A fixed argument may be anything: it is not the model's.
    if (!isSchema(inner) || 'const' in inner || member === undefined || path.length >= walk.maxDepth) continue;
    examine(inner, member, { path: [...path, name], walk, parent: { holder: value, key: name } });
  }
}

type Add = (isFault: boolean, message: string) => void;

function examineNumber(schema: JsonSchema, value: number, add: Add): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number') add(value < minimum, `must be >= ${minimum}`);
  if (typeof maximum === 'number') add(value > maximum, `must be <= ${maximum}`);
  if (typeof exclusiveMinimum === 'number') add(value <= exclusiveMinimum, `must be > ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number') add(value >= exclusiveMaximum, `must be < ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number') add(!Number.isInteger(value / multipleOf), `must be multiple of ${multipleOf}`);
}

function examineSize(
  schema: JsonSchema,
  size: number,
  { most, least, of }: Record<'most' | 'least' | 'of', string>,
  add: Add,
): void {
  const [max, min] = [schema[most], schema[least]];
  if (typeof max === 'number') add(size > max, `must NOT have more than ${max} ${of}`);
  if (typeof min === 'number') add(size < min, `must NOT have fewer than ${min} ${of}`);
}

/** The value, or the one that it becomes by its schema's types. */
function typed(schema: JsonSchema, value: unknown, { path, walk, parent }: Place): unknown {
  const types = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : [];
  if (types.length === 0 || types.some((type) => isOf(type, value))) return value;
  for (const type of parent === undefined ? [] : types) {
    const other = coerced(type, value);
    if (other === undefined) continue;
    Reflect.set(parent?.holder ?? {}, parent?.key ?? '', other);
    return other;
  }
  walk.faults.push({ path, message: `must be ${types.join(',')}` });
  return value;
}

function isOf(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** As models err: a number or a truth as a text, a text for a number. Undefined: it becomes nothing of the type. */
function coerced(type: unknown, value: unknown): unknown {
  const isPlain = value === null || typeof value === 'boolean';
  switch (type) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value === null ? '' : undefined;
    case 'number':
    case 'integer': {
      const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
      const other = isPlain || isNumber ? Number(value) : undefined;
      return type === 'integer' && !Number.isInteger(other) ? undefined : other;
    }
    case 'boolean':
      if (value === 'true' || value === 1) return true;
      return value === 'false' || value === 0 || value === null ? false : undefined;
    case 'null':
      return value === '' || value === 0 || value === false ? null : undefined;
    default:
      return undefined;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const areBoth = one !== null && other !== null && typeof one === 'object' && typeof other === 'object';
  return areBoth && JSON.stringify(one) === JSON.stringify(other);
}

function step(walk: Walk, count = 1): void {
  walk.steps += count;
  if (walk.steps > MAX_STEPS) throw new TooLong();
}

const isSchema = (value: unknown): value is JsonSchema => isObject(value);
