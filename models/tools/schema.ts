// The parameters of a tool: what the model is shown of them, and how its arguments are completed.
import { fillText } from './template.ts';
import type { JsonSchema } from './tool.ts';

/** As the model is shown them: without those that are fixed, which it cannot choose. */
export function shownParameters(schema: JsonSchema): Record<string, unknown> {
  const fixed = new Set(Object.keys(schema.properties ?? {}).filter((name) => isFixed(schema.properties?.[name])));
  if (fixed.size === 0) return { ...schema };
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !fixed.has(name));
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: (schema.required ?? []).filter((name) => !fixed.has(name)),
  };
}

const isFixed = (property: JsonSchema | undefined): boolean => property !== undefined && 'const' in property;

/**
 * The arguments of one run: a fixed one (`const`) is as the tool says, one that is left out as its `default` says, both
 * filled with the call's values.
 */
export function completeArguments(
  schema: JsonSchema,
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  // They are read as what the schema asks for in place, and the history keeps what the model wrote.
  const complete: Record<string, unknown> = structuredClone(given);
  const filled = (value: unknown): unknown => (typeof value === 'string' ? fillText(value, values) : value);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isFixed(property)) complete[name] = filled(property.const);
    else if (complete[name] === undefined && property.default !== undefined) complete[name] = filled(property.default);
  }
  return complete;
}

/**
 * The arguments that the schema declares, at each level that names its properties: a model, and so a caller, may write
 * others, and the other system may take them for more than they are.
 */
export function declaredArguments(
  schema: JsonSchema,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const declared = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const property = declared.get(name);
      return property === undefined ? [] : [[name, declaredValue(property, value)]];
    }),
  );
}

/** The same of any value, where its schema names properties and no others may stand beside them. */
export function declaredValue(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isObject(items) ? value.map((item) => declaredValue(items as JsonSchema, item)) : value;
  }
  const { additionalProperties } = schema;
  const isOpen = additionalProperties === true || isObject(additionalProperties);
  return isObject(value) && !isOpen && propertiesOf(schema).size > 0 ? declaredArguments(schema, value) : value;
}

/** The arguments of the schema, and of the schemas that it is put together of. */
function propertiesOf(schema: JsonSchema, depth = 0): Map<string, JsonSchema> {
  const parts =
    depth > 3 ? [] : [schema.allOf, schema.anyOf, schema.oneOf].filter(Array.isArray).flat().filter(isObject);
  const own = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, isObject(property) ? (property as JsonSchema) : {}] as const,
  );
  return new Map([...parts.flatMap((part) => [...propertiesOf(part as JsonSchema, depth + 1)]), ...own]);
}

/** Neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
