// Generates TypeScript declarations of the interface for the dashboard: each named schema, and each operation with its
// input and answer, and beside them the limits of inputs. They come from the document itself, so that the dashboard can
// use only the public interface.
import { limitsText } from './client-limits.ts';
import type { Document, Operation } from './components.ts';
import { objectType, reachable, typeOf } from './schema-types.ts';

const HEADER = `// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated
`;
const PREFIX = '/api/v1';

/** Where the generated files belong. */
export const CLIENT_FOLDER = new URL('../dashboard/app/', import.meta.url);

/** By their names in that folder: the texts of the generated files. */
export function clientTypes(
  document: Document,
): Record<'api-types.ts' | 'api-operations.ts' | 'api-addresses.ts' | 'api-limits.ts', string> {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path: path.slice(PREFIX.length), method, operation })),
    )
    .sort((a, b) => (nameOf(a.operation) < nameOf(b.operation) ? -1 : 1));
  // Without the schemas that only webhook events use.
  const named = reachable(
    operations.map(({ operation: { parameters, requestBody, responses = {} } }) => [
      parameters,
      requestBody,
      Object.entries(responses).filter(([status]) => Number(status) < 300),
    ]),
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
      `\nexport interface Operations {\n${inputs}\n}\n`,
    ].join('\n'),
    'api-addresses.ts': [
      `${HEADER}import type { Operations } from './api-operations.ts';`,
      `\nexport const ADDRESSES = {\n${addresses.join('\n')}\n} as const satisfies Record<keyof Operations, readonly [string, string]>;\n`,
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
