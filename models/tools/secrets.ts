// Arguments that are kept nowhere: those whose schema says `writeOnly: true` (JSON Schema 2020-12, validation 9.4). The
// model and the other system get them; of what is stored of a run their values are masked, also where the answer
// repeats them.
import { isObject } from './schema.ts';
import type { JsonSchema } from './tool.ts';

const MASK = '********';
/** Schemas are six levels deep at most; references may lead round in circles. */
const MAX_DEPTH = 12;
/** A shorter value is masked where it is all of a text: within others it may be anything. */
const MIN_PART_CHARS = 4;

/** The parts of a run that may be stored. */
export function withoutSecrets(
  schema: JsonSchema,
  run: { arguments: Readonly<Record<string, unknown>>; result: unknown },
): { arguments: Record<string, unknown>; result: unknown } {
  if (!JSON.stringify(schema).includes('"writeOnly":true')) return { ...run, arguments: { ...run.arguments } };
  const secrets = new Set<string>();
  const shown = masked([schema], run.arguments, { root: schema, secrets, depth: 0 }) as Record<string, unknown>;
  return { arguments: shown, result: secrets.size === 0 ? run.result : withoutValues(run.result, [...secrets]) };
}

interface Walk {
  root: JsonSchema;
  /** Values that were masked. */
  secrets: Set<string>;
  depth: number;
}

/** `schemas`: all that a value has to fit. */
function masked(schemas: readonly unknown[], value: unknown, walk: Walk): unknown {
  const all = partsOf(schemas, walk.root);
  if (value === null || value === undefined) return value;
  if (all.some(({ writeOnly }) => writeOnly === true)) return maskedWhole(value, walk.secrets);
  if (typeof value !== 'object' || walk.depth >= MAX_DEPTH) return value;
  const inner = { ...walk, depth: walk.depth + 1 };
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      masked(
        all.flatMap(({ items, prefixItems }) => [
          ...(Array.isArray(items) ? [items[index]] : [items]),
          ...(Array.isArray(prefixItems) ? [prefixItems[index]] : []),
        ]),
        item,
        inner,
      ),
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = all.flatMap(({ properties, additionalProperties }) =>
        isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [additionalProperties],
      );
      return [name, masked(own, member, inner)];
    }),
  );
}

/** Schemas and those that stand in them beside them: `allOf` and its like, and what they refer to within the root. */
function partsOf(schemas: readonly unknown[], root: JsonSchema): Array<Record<string, unknown>> {
  const found = new Set<Record<string, unknown>>();
  const waiting = [...schemas];
  while (waiting.length > 0) {
    const schema = waiting.pop();
    if (!isObject(schema) || found.has(schema)) continue;
    found.add(schema);
    const { allOf, anyOf, oneOf, $ref } = schema;
    for (const list of [allOf, anyOf, oneOf]) if (Array.isArray(list)) waiting.push(...list);
    if (typeof $ref === 'string' && $ref.startsWith('#')) waiting.push(pointed(root, $ref));
  }
  return [...found];
}

/** RFC 6901. */
function pointed(root: JsonSchema, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
}

function maskedWhole(value: unknown, secrets: Set<string>): unknown {
  if (value !== null && typeof value === 'object')
    for (const inner of Object.values(value)) maskedWhole(inner, secrets);
  else if (typeof value !== 'boolean' && value !== null && value !== '') secrets.add(String(value));
  return MASK;
}

function withoutValues(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    return secrets.reduce(
      (text, secret) =>
        text === secret ? MASK : secret.length < MIN_PART_CHARS ? text : text.replaceAll(secret, MASK),
      value,
    );
  }
  if (typeof value === 'number') return secrets.includes(String(value)) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => withoutValues(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(withoutValues(name, secrets)), withoutValues(inner, secrets)]),
  );
}
