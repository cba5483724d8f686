// TypeScript of the document's schemas: the type of a schema, of an object's fields, and which schemas are reached from
// others. With `documented`, fields have their descriptions as comments.
import type { Json } from './components.ts';

const REF = '#/components/schemas/';
const COMMENT_CHARACTERS = 108;

/** A field of an object: its name, whether it is always there, and its schema. */
export type Field = [name: string, required: boolean, schema: unknown];

export function typeOf(schema: unknown, documented = false): string {
  if (schema === undefined || schema === true) return 'unknown';
  const { $ref, anyOf, const: constant, enum: values, type } = schema as Json;
  const inner = (each: unknown) => typeOf(each, documented);
  if (typeof $ref === 'string') return $ref.slice(REF.length);
  if (Array.isArray(anyOf)) return anyOf.map(inner).join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => inner({ ...(schema as Json), type: each })).join(' | ');
  switch (type) {
    case 'string':
      return (schema as Json).format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return String(type);
    case 'array':
      return `Array<${inner((schema as Json).items)}>`;
    case 'object':
      return recordType(schema as Json, documented);
    default:
      return 'unknown';
  }
}

function recordType({ properties, required = [], additionalProperties }: Json, documented: boolean): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, documented) : 'unknown';
    return `Record<string, ${values}>`;
  }
  return objectType(
    Object.entries(properties as Json).map(([name, schema]) => [name, (required as string[]).includes(name), schema]),
    documented,
  );
}

export function objectType(fields: readonly Field[], documented = false): string {
  if (fields.length === 0) return 'Record<never, never>';
  const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
  const lines = fields.map(
    ([name, required, schema]) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema, documented)}`,
  );
  if (!documented) return `{ ${lines.join('; ')} }`;
  const written = lines.map((line, i) => {
    const { description } = (fields[i]?.[2] ?? {}) as Json;
    return `${typeof description === 'string' ? comment(description) : ''}${line};`;
  });
  return `{\n${indented(written.join('\n'))}\n}`;
}

/** As a comment before a declaration, with its line's end. */
export function comment(text: string): string {
  const words = text.replaceAll('*/', '*\\/').split(/\s+/);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= COMMENT_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** Names of the schemas that these values name, and that those name in turn. */
export function reachable(values: unknown, schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (value === null || typeof value !== 'object') return;
    const { $ref } = value as Json;
    if (typeof $ref === 'string' && $ref.startsWith(REF) && !found.has($ref.slice(REF.length))) {
      found.add($ref.slice(REF.length));
      walk(schemas[$ref.slice(REF.length)]);
    }
    Object.values(value).forEach(walk);
  };
  walk(values);
  return found;
}
