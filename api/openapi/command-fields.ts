// Generates the fields of records that the command line keeps as files: a field that the API gains is kept by itself.
// Their order is that of the interface, and with each stands what empties it where a file leaves it out.
import type { Document, Json } from './components.ts';

/** Where the generated file belongs. */
export const FIELDS_FOLDER = new URL('../clients/command-line/folder/', import.meta.url);

/** By the folder of their files: the bodies that change them. */
const BODIES = {
  tools: 'UpdateToolBody',
  agents: 'UpdateAgentBody',
  businesses: 'UpdateBusinessBody',
  campaigns: 'UpdateCampaignBody',
  tests: 'UpdateTestSuiteBody',
};
/** Acts and states of one installation, and second ways to say what another field says. */
const LEFT_OUT: ReadonlySet<string> = new Set(['status', 'scheduledAt', 'split', 'setHeaders']);
/** References, and numbers that only one installation has: a file without them leaves them as they are. */
const KEPT: ReadonlySet<string> = new Set(['agentId', 'businessId', 'phoneNumberIds']);

export function commandFields(document: Document): Record<'fields.ts', string> {
  const { schemas } = document.components;
  const named = (schema: Json): Json => schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? schema;
  const kinds = Object.entries(BODIES).map(([kind, body]) => {
    const { properties = {} } = (schemas[body] ?? {}) as { properties?: Record<string, Json> };
    const fields = Object.entries(properties).filter(([name]) => !LEFT_OUT.has(name));
    return `  ${kind}: {\n${fields.map(([name, schema]) => `    ${name}: ${emptied(name, named(schema))},`).join('\n')}\n  },`;
  });
  const text = [
    '// The fields of records that are kept as files, in order, and what empties each: null, a list or an object without',
    '// anything, or nothing (undefined): a file without it leaves it as it is.',
    '// Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.',
    '// biome-ignore-all format: generated',
    '',
    'export const FIELDS = {',
    ...kinds,
    '} as const satisfies Record<string, Record<string, null | readonly [] | Record<never, never> | undefined>>;',
    '',
  ].join('\n');
  return { 'fields.ts': text };
}

function emptied(name: string, schema: Json): string {
  if (KEPT.has(name)) return 'undefined';
  if (mayBe('null', schema)) return 'null';
  if (mayBe('array', schema)) return '[]';
  const isOpen = mayBe('object', schema) && ((schema.required as string[] | undefined) ?? []).length === 0;
  return isOpen ? '{}' : 'undefined';
}

function mayBe(type: string, { type: own, anyOf }: Json): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each) => mayBe(type, each as Json));
  return Array.isArray(own) ? own.includes(type) : own === type;
}
