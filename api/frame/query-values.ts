// Parameters of a query by their schema, converted exactly (`1e1` is not an integer): Ajv's coercion would also change
// JSON bodies.
import { FIELD_ERRORS_MAX, type FieldError } from './errors.ts';
import { NAME_LENGTH_MAX, unknownName } from './fault-words.ts';
import type { SchemaNode } from './validation.ts';

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
