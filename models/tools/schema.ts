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
