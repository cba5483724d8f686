// Generates the limits of the interface's inputs for the dashboard's forms, from the document itself: a limit is stated
// once, in the schema that validates it.
import type { Document, Json, Operation } from './components.ts';

const REF = '#/components/schemas/';
const KEYWORDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default'];
/** A shorter input stands on one line. */
const LINE_CHARACTERS = 80;
/** Every list has these two. */
const PAGING = ['page', 'limit'];

/**
 * The limits of one input by its fields: those of a list's members stand under `items`, those of a map's names and
 * values under `names` and `values`, and those of a named schema under its own name only.
 */
interface Limits {
  [name: string]: Limits | number | string | boolean;
}

/** By name of the body's schema or, for a query, of the operation; inputs without limits are left out. */
export function clientLimits(operations: Operation[], schemas: Record<string, Json>): Limits {
  const found: Limits = {};
  const keep = (name: string, limits: Limits) => {
    if (Object.keys(limits).length > 0) found[name] = limits;
  };
  for (const { operationId = '', parameters = [] } of operations) {
    const fields = parameters
      .filter((parameter) => (parameter as { in?: string }).in === 'query' && !PAGING.includes(parameter.name))
      .map(({ name, schema }) => [name, schema] as const);
    keep(operationId, limitsOfFields(Object.fromEntries(fields)));
  }
  for (const name of inputSchemas(operations, schemas)) keep(name, limitsOf(schemas[name]));
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * One constant an input, so that the bundle has only those that a form asks for. An input with the limits of an earlier
 * one is that one: what is created and changed often has the same.
 */
export function limitsText(document: Document, operations: Operation[]): string {
  const first = new Map<string, string>();
  const lines = Object.entries(clientLimits(operations, document.components.schemas)).map(([name, limits]) => {
    const text = `${written(limits, '')} as const`;
    const same = first.get(text);
    if (same === undefined) first.set(text, name);
    return `export const ${name} = ${same ?? text};\n`;
  });
  return `\n${lines.join('')}`;
}

function limitsOf(schema: unknown): Limits {
  if (schema === null || typeof schema !== 'object') return {};
  const { anyOf, properties, items, propertyNames, additionalProperties, pattern, ...rest } = schema as Json;
  const limits: Limits = {};
  const longest = typeof pattern === 'string' ? longestOf(pattern) : null;
  if (longest !== null) limits.maxLength = longest;
  for (const keyword of KEYWORDS) {
    const value = rest[keyword];
    if (['number', 'string', 'boolean'].includes(typeof value)) limits[keyword] = value as number | string | boolean;
  }
  // A field that may be null has its limits in one of two alternatives.
  if (Array.isArray(anyOf)) for (const each of anyOf) Object.assign(limits, limitsOf(each));
  Object.assign(limits, limitsOfFields((properties as Json | undefined) ?? {}));
  for (const [name, inner] of [
    ['items', limitsOf(items)],
    ['names', limitsOf(propertyNames)],
    ['values', limitsOf(additionalProperties)],
  ] as const)
    if (Object.keys(inner).length > 0) limits[name] = inner;
  return limits;
}

function limitsOfFields(fields: Json): Limits {
  const found = Object.entries(fields).map(([name, schema]) => [name, limitsOf(schema)] as const);
  return Object.fromEntries(found.filter(([, limits]) => Object.keys(limits).length > 0));
}

/** The length of the longest text that a pattern of classes of characters admits; null for other patterns. */
export function longestOf(pattern: string): number | null {
  const CLASS = /\[[^\]]+\](?:\{(?:\d+,)?(\d+)\})?(?![+*?{])/g;
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.slice(1, -1).replace(CLASS, '') !== '') return null;
  return [...pattern.matchAll(CLASS)].reduce((sum, [, most = '1']) => sum + Number(most), 0);
}

/** Names of the schemas of bodies, and of those within them. */
function inputSchemas(operations: Operation[], schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (value === null || typeof value !== 'object') return;
    const name = String((value as Json).$ref ?? '').slice(REF.length);
    if (name !== '' && !found.has(name)) {
      found.add(name);
      walk(schemas[name]);
    }
    Object.values(value).forEach(walk);
  };
  walk(operations.map(({ requestBody }) => requestBody));
  return found;
}

function written(value: Limits | number | string | boolean, indent: string): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  const line = `{ ${entries.map(([name, each]) => `${name}: ${written(each, '  ')}`).join(', ')} }`;
  if (indent.length >= 2 || line.length <= LINE_CHARACTERS) return line;
  return `{\n${entries.map(([name, each]) => `${indent}  ${name}: ${written(each, `${indent}  `)},`).join('\n')}\n${indent}}`;
}
