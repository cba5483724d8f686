// Generates TypeScript declarations of the interface for the dashboard: each named schema, and each operation with its
// input and answer, and beside them the limits of inputs. They come from the document itself, so that the dashboard can
// use only the public interface.
import { limitsText } from './client-limits.ts';
import type { Document, Json, Operation } from './components.ts';

const HEADER = `// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated
`;
const PREFIX = '/api/v1';
const REF = '#/components/schemas/';

/** Where the generated files belong. */
export const CLIENT_FOLDER = new URL('../dashboard/app/', import.meta.url);

/** By their names in that folder: the texts of the generated files. */
export function clientTypes(
  document: Document,
): Record<'api-types.ts' | 'api-operations.ts' | 'api-limits.ts', string> {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path: path.slice(PREFIX.length), method, operation })),
    )
    .sort((a, b) => (nameOf(a.operation) < nameOf(b.operation) ? -1 : 1));
  const named = reachable(
    operations.map(({ operation }) => operation),
    document.components.schemas,
  );
  const schemas = [...named]
    .sort()
    .map((name) => `export type ${name} = ${typeOf(document.components.schemas[name])};`);
  const signatures = operations.map(({ operation }) => `  ${nameOf(operation)}: ${signature(operation)};`);
  const addresses = operations.map(
    ({ path, method, operation }) => `  ${nameOf(operation)}: ['${method.toUpperCase()}', '${path}'],`,
  );
  const inputs = signatures.join('\n');
  const used = [...named].sort().filter((name) => new RegExp(`\\b${name}\\b`).test(inputs));
  return {
    'api-types.ts': [HEADER, ...schemas, ''].join('\n'),
    'api-operations.ts': [
      `${HEADER}// biome-ignore-all assist/source/organizeImports: generated\n`,
      `import type { ${used.join(', ')} } from './api-types.ts';`,
      `\nexport interface Operations {\n${inputs}\n}`,
      `\nexport const OPERATIONS = {\n${addresses.join('\n')}\n} as const satisfies Record<keyof Operations, readonly [string, string]>;\n`,
    ].join('\n'),
    'api-limits.ts':
      HEADER +
      limitsText(
        document,
        operations.map(({ operation }) => operation),
      ),
  };
}

const nameOf = (operation: Operation): string => operation.operationId ?? '';

function signature(operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const within = (where: string) =>
    objectType(
      parameters
        .filter((parameter) => (parameter as { in?: string }).in === where)
        .map(({ name, required, schema }) => [name, required === true, schema]),
    );
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const success = Object.entries(operation.responses ?? {}).find(([status]) => Number(status) < 300)?.[1];
  const [media = '', content] = Object.entries(success?.content ?? {})[0] ?? [];
  const answer = media === 'application/json' ? typeOf(content?.schema) : 'Blob';
  return `{ params: ${within('path')}; query: ${within('query')}; body: ${body === undefined ? 'undefined' : typeOf(body)}; answer: ${answer} }`;
}

function typeOf(schema: unknown): string {
  if (schema === undefined || schema === true) return 'unknown';
  const { $ref, anyOf, const: constant, enum: values, type } = schema as Json;
  if (typeof $ref === 'string') return $ref.slice(REF.length);
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...(schema as Json), type: each })).join(' | ');
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
      return `Array<${typeOf((schema as Json).items)}>`;
    case 'object':
      return recordType(schema as Json);
    default:
      return 'unknown';
  }
}

function recordType({ properties, required = [], additionalProperties }: Json): string {
  if (properties === undefined) {
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  }
  return objectType(
    Object.entries(properties as Json).map(([name, schema]) => [name, (required as string[]).includes(name), schema]),
  );
}

function objectType(fields: Array<[name: string, required: boolean, schema: unknown]>): string {
  if (fields.length === 0) return 'Record<never, never>';
  const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
  return `{ ${fields.map(([name, required, schema]) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`;
}

/** Names of the schemas that operations use, without those that only webhook events use. */
function reachable(operations: Operation[], schemas: Record<string, Json>): Set<string> {
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
  for (const { parameters, requestBody, responses = {} } of operations) {
    const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
    walk([parameters, requestBody, successes.map(([, response]) => response)]);
  }
  return found;
}
