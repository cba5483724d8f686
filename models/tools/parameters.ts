// Whether a tool's parameters are a usable JSON Schema, and whether arguments fit them. Schemas come from tenants, so
// only keywords that cost linear time are examined, and by interpretation: no patterns, no references, no compiled
// code.

import { Ajv, type Options } from 'ajv';
import { messageOf } from '../../db/domain/unexpected.ts';
import { faultsOf } from './fitting.ts';
import { isObject } from './schema.ts';
import type { JsonSchema } from './tool.ts';

const MAX_CHARS = 16_384;
const MAX_DEPTH = 6;
/** In one schema, at all of its levels. */
export const PROPERTIES_MAX = 200;
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
  if (propertiesIn(schema) > PROPERTIES_MAX) return `must have at most ${PROPERTIES_MAX} properties, at all levels`;
  try {
    judge ??= new Ajv(OPTIONS);
    judge.validateSchema(examined(schema, 0), true);
    return null;
  } catch (error) {
    return `is no JSON Schema: ${messageOf(error)}`;
  }
}

function depthOf(schema: JsonSchema): number {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return 1 + Math.max(0, ...inner.filter(isObject).map(depthOf));
}

/** Properties of a schema, those of its properties and items included. */
export function propertiesIn({ properties, items }: JsonSchema): number {
  const inner = isObject(properties) ? Object.values(properties) : [];
  const all = [...inner, ...(isObject(items) ? [items as JsonSchema] : [])].filter(isObject);
  return inner.length + all.reduce((sum, each) => sum + propertiesIn(each), 0);
}

/** Null if the arguments fit, else what the model is to do. A text becomes the number that is asked for, in place. */
export function parametersFault(schema: JsonSchema, given: Readonly<Record<string, unknown>>): string | null {
  const faults = faultsOf(schema, given, MAX_DEPTH);
  if (faults.length === 0) return null;
  const sentences = faults.map(({ path, message }) => `${path.join('.') || 'the arguments'} ${message}`);
  return `${sentences.slice(0, MAX_FAULTS).join('; ')}.`;
}

const OPTIONS: Options = { strict: false, allErrors: true, validateFormats: false };
/** Knows what a JSON Schema is, and compiles no other. */
let judge: Ajv | null = null;

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
