// Generates the TypeScript package's part of the interface: types of records, bodies and events, the methods of each
// group of operations, and the table by which they are sent. What is published has the descriptions as comments too.
import type { AnswerKind, ClientOperation } from './client-operations.ts';
import { clientOperations } from './client-operations.ts';
import type { Document, Json } from './components.ts';
import { pascal } from './operation-ids.ts';
import { comment, indented, objectType, reachable, typeOf } from './schema-types.ts';

const header = (sentence: string): string =>
  `// ${sentence}
// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
`;

/** Where the generated files belong. */
export const PACKAGE_FOLDER = new URL('../clients/typescript/', import.meta.url);

interface Options {
  /** With descriptions, as it is published. */
  documented?: boolean;
}

/** By their names in that folder: the texts of the generated files. */
export function packageClient(
  document: Document,
  { documented = false }: Options = {},
): Record<'types.ts' | 'operations.ts' | 'operation-table.ts', string> {
  const operations = clientOperations(document);
  const groups = [...new Set(operations.map(({ group }) => group))].map(
    (group) => [group, operations.filter((each) => each.group === group)] as const,
  );
  return {
    'types.ts': typesText(document, operations, documented),
    'operations.ts': operationsText(groups, documented),
    'operation-table.ts': tableText(groups),
  };
}

type Groups = ReadonlyArray<readonly [group: string, operations: readonly ClientOperation[]]>;

function typesText(document: Document, operations: readonly ClientOperation[], documented: boolean): string {
  const { schemas } = document.components;
  const events = Object.entries(document.webhooks).map(
    ([type, methods]) =>
      [type, Object.values(methods)[0]?.requestBody?.content?.['application/json']?.schema as Json] as const,
  );
  const named = reachable(
    [
      operations.map(({ query, bodies, answerSchema }) => [query, bodies, answerSchema]),
      events,
      ['Pagination', 'FieldError', 'TranscriptEntry'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    ],
    schemas,
  );
  const declared = [...named].sort().map((name) => {
    const text = schemas[name]?.description;
    const words = documented && typeof text === 'string' ? comment(text) : '';
    return `${words}export type ${name} = ${typeOf(schemas[name], documented)};`;
  });
  const codes = (schemas.Error?.properties as Json | undefined)?.code;
  return [
    header('Records, bodies and events of the interface.'),
    ...declared,
    `\n/** A body that a webhook delivers: \`type\` tells which. */\nexport type WebhookEvent = ${events.map(([, schema]) => typeOf(schema)).join(' | ')};`,
    `\n/** \`code\` of an error answer. */\nexport type ErrorCode = ${typeOf({ ...(codes as Json) })};`,
    '',
  ].join('\n');
}

function operationsText(groups: Groups, documented: boolean): string {
  const interfaces = groups.map(
    ([group, operations]) =>
      `export interface ${pascal(group)}Operations {\n${indented(operations.map((each) => signature(each, documented)).join('\n'))}\n}\n`,
  );
  const text = interfaces.join('\n');
  const members = groups.map(([group]) => `  readonly ${group}: ${pascal(group)}Operations;`);
  return [
    header('The methods of each group of operations.'),
    "import type { CallStreamEvent } from './call-stream.ts';",
    "import type { Listing } from './listing.ts';",
    "import type { RequestOptions } from './transport.ts';",
    `import type { ${typeNames(groups, text).join(', ')} } from './types.ts';\n`,
    text,
    `export interface OperationGroups {\n${members.join('\n')}\n}\n`,
  ].join('\n');
}

/** The named types that the signatures mention. */
function typeNames(groups: Groups, text: string): string[] {
  const named = new Set<string>();
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { $ref } = value as Json;
    if (typeof $ref === 'string') named.add($ref.split('/').at(-1) ?? '');
    Object.values(value).forEach(walk);
  };
  walk(groups.map(([, operations]) => operations));
  const words = new Set(text.match(/\w+/g));
  return [...named].filter((name) => words.has(name)).sort();
}

const ANSWERS: Record<AnswerKind, (schema: unknown) => string> = {
  data: (schema) => `Promise<${typeOf(schema)}>`,
  page: (schema) => `Listing<${typeOf(schema)}>`,
  file: () => 'Promise<Response>',
  events: () => 'AsyncIterable<CallStreamEvent>',
};

function signature(operation: ClientOperation, documented: boolean): string {
  const { name, params, query, bodies, isBodyRequired, answer, answerSchema, words } = operation;
  const body = bodies.map(([media, schema]) => bodyType(media, schema)).join(' | ');
  const parts = [
    ...params.map(([param, , schema]) => `${param}: ${typeOf(schema)}`),
    ...(bodies.length === 0 ? [] : [`body${isBodyRequired ? '' : '?'}: ${body}`]),
    ...(query.length === 0 ? [] : [`query?: ${objectType(query)}`]),
    'options?: RequestOptions',
  ];
  return `${documented ? comment(words) : ''}${name}(${parts.join(', ')}): ${ANSWERS[answer](answerSchema)};`;
}

function bodyType(media: string, schema: Json | undefined): string {
  if (media.endsWith('/csv')) return 'string';
  return media === 'application/json' || media.startsWith('multipart/') ? typeOf(schema) : 'Blob';
}

function tableText(groups: Groups): string {
  const lines = groups.map(([group, operations]) => {
    const rows = operations.map((each) => `    ${each.name}: ${row(each)},`);
    return `  ${group}: {\n${rows.join('\n')}\n  },`;
  });
  return [
    header('How each operation is sent, and what its answer is.'),
    `export const OPERATION_TABLE = {\n${lines.join('\n')}\n} as const;\n`,
  ].join('\n');
}

function row({ method, path, params, bodies, query, answer, isKeyed }: ClientOperation): string {
  const body = bodies.length === 0 ? null : bodies[0]?.[0].startsWith('multipart/') ? 'form' : 'body';
  const media = bodies.map(([each]) => each).find((each) => each.startsWith('audio/'));
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    `answer: '${answer}'`,
    ...(params.length === 0 ? [] : [`params: [${params.map(([name]) => `'${name}'`).join(', ')}]`]),
    ...(body === null ? [] : [`body: '${body}'`]),
    ...(media === undefined ? [] : [`media: '${media}'`]),
    ...(query.length === 0 ? [] : ['query: true']),
    ...(isKeyed ? ['keyed: true'] : []),
  ];
  return `{ ${members.join(', ')} }`;
}
