// Whether a tool's parameters are a usable JSON Schema, and whether arguments fit them. Schemas come from tenants, so
// only keywords that cost linear time are examined: no patterns, no references.
import { Ajv, type Options } from 'ajv';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { JsonSchema } from './tool.ts';

const MAX_CHARS = 16_384;
const MAX_DEPTH = 6;
const EXAMINED = new Set([
  ...['type', 'enum', 'const', 'required', 'additionalProperties'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
]);
const MAX_FAULTS = 3;

/** Null for a schema that arguments can be examined by, else what is wrong with it, as a sentence without a subject. */
export function schemaFault(schema: JsonSchema): string | null {
  if (JSON.stringify(schema).length > MAX_CHARS) return `must have at most ${MAX_CHARS} characters`;
  if (schema.type !== 'object') return 'must be a JSON Schema whose type is object';
  const depth = depthOf(schema);
  if (depth > MAX_DEPTH) return `must be at most ${MAX_DEPTH} levels deep`;
  try {
    compile(schema);
    return null;
  } catch (error) {
    return `is no JSON Schema: ${messageOf(error)}`;
  }
}

function depthOf(schema: JsonSchema): number {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return 1 + Math.max(0, ...inner.filter(isObject).map(depthOf));
}

/** Compiled ones; a schema costs some milliseconds. */
const known = new Map<string, Parameters>();
const KNOWN_MAX = 500;

export class Parameters {
  readonly #check: ReturnType<typeof compile>;

  /** @throws Error for a schema with a fault, see `schemaFault` */
  constructor(schema: JsonSchema) {
    this.#check = compile(schema);
  }

  /** @throws Error for a schema with a fault */
  static of(schema: JsonSchema): Parameters {
    const text = JSON.stringify(schema);
    const compiled = known.get(text);
    if (compiled !== undefined) return compiled;
    if (known.size >= KNOWN_MAX) known.clear();
    const parameters = new Parameters(schema);
    known.set(text, parameters);
    return parameters;
  }

  /** Null if the arguments fit, else what the model is to do. A text becomes the number that is asked for, in place. */
  fault(given: Readonly<Record<string, unknown>>): string | null {
    if (this.#check(given)) return null;
    const faults = (this.#check.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath.slice(1).replaceAll('/', '.') || 'the arguments'} ${message}`,
    );
    return `${faults.slice(0, MAX_FAULTS).join('; ')}.`;
  }
}

const OPTIONS: Options = { strict: false, allErrors: true, coerceTypes: true, validateFormats: false };
/** Knows what a JSON Schema is. To learn that costs several times what a tool's schema does, so one serves all. */
let judge: Ajv | null = null;

function compile(schema: JsonSchema) {
  const kept = examined(schema, 0);
  judge ??= new Ajv(OPTIONS);
  judge.validateSchema(kept, true);
  // One of its own: an Ajv keeps every schema that it has compiled.
  return new Ajv({ ...OPTIONS, meta: false, validateSchema: false }).compile(kept);
}

/** The schema without what is not examined. A fixed argument may be anything: it is not the model's. */
function examined(schema: JsonSchema, depth: number): JsonSchema {
  if (depth > MAX_DEPTH) return {};
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => EXAMINED.has(keyword)));
  const { properties, items } = schema;
  return {
    ...kept,
    ...(typeof kept.additionalProperties === 'object' ? { additionalProperties: true } : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [
              name,
              isObject(inner) && !('const' in inner) ? examined(inner, depth + 1) : {},
            ]),
          ),
        }
      : {}),
    ...(isObject(items) ? { items: examined(items as JsonSchema, depth + 1) } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, JsonSchema> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
