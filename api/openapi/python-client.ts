// Generates the Python package's part of the interface: types of records and bodies, and the methods of each group of
// operations. Our own generator, because others make a thousand files, and know neither paging nor Idempotency-Key.
import { type ClientOperation, clientOperations } from './client-operations.ts';
import type { Document, Json } from './components.ts';
import { pascal } from './operation-ids.ts';
import { type Field, reachable } from './schema-types.ts';

/** Where the generated files belong. */
export const PYTHON_FOLDER = new URL('../clients/python/voice_calling_client/', import.meta.url);

const REF = '#/components/schemas/';
const LINE_CHARACTERS = 100;
const header = (sentence: string): string => `"""${sentence}

Written by api/openapi/openapi-write.ts from the OpenAPI document: do not edit.
"""

from __future__ import annotations
`;

export function pythonClient(document: Document): Record<'types.py' | 'operations.py', string> {
  const operations = clientOperations(document);
  const groups = [...new Set(operations.map(({ group }) => group))];
  return {
    'types.py': typesText(document, operations),
    'operations.py': operationsText(groups, operations),
  };
}

function typesText(document: Document, operations: readonly ClientOperation[]): string {
  const { schemas } = document.components;
  const events = Object.values(document.webhooks).map(
    (methods) => Object.values(methods)[0]?.requestBody?.content?.['application/json']?.schema,
  );
  const roots = [
    operations.map(({ query, bodies, answerSchema }) => [query, bodies, answerSchema]),
    events,
    ['Pagination', 'FieldError'].map((name) => ({ $ref: REF + name })),
  ];
  const records = [...reachable(roots, schemas)].sort().map((name) => declared(name, schemas[name] ?? {}));
  const union = events.map((schema) => `    ${typeOf(schema, bare)},`);
  return [
    header('Records, bodies and events of the interface.'),
    'from typing import Any, Dict, List, Literal, NotRequired, TypedDict, Union',
    '',
    ...records,
    'WebhookEvent = Union[',
    ...union,
    ']',
    '',
  ].join('\n');
}

/** The functional form: a field may be called `from`. */
function declared(name: string, schema: Json): string {
  const { properties, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  if (properties === undefined) return `${name} = ${typeOf(schema, quoted)}`;
  const fields = Object.entries(properties).map(([field, each]) => {
    const type = JSON.stringify(typeOf(each, bare).replaceAll('"', "'"));
    return `"${field}": ${required.includes(field) ? type : `NotRequired[${type}]`}`;
  });
  return `${name} = TypedDict("${name}", {${fields.join(', ')}})`;
}

/** `nameOf`: how a named type is written there. */
function typeOf(schema: unknown, nameOf: (name: string) => string): string {
  const inner = (each: unknown) => typeOf(each, nameOf);
  if (schema === undefined || schema === true) return 'Any';
  const { $ref, anyOf, const: constant, enum: values, type, items, properties, additionalProperties } = schema as Json;
  if (typeof $ref === 'string') return nameOf($ref.slice(REF.length));
  if (Array.isArray(anyOf)) return union(anyOf.map(inner));
  if (constant !== undefined) return literal([constant]);
  if (Array.isArray(values)) return literal(values);
  if (Array.isArray(type)) return union(type.map((each) => inner({ ...(schema as Json), type: each })));
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `List[${inner(items)}]`;
    case 'object':
      return properties === undefined && typeof additionalProperties === 'object'
        ? `Dict[str, ${inner(additionalProperties)}]`
        : 'Dict[str, Any]';
    default:
      return 'Any';
  }
}

const union = (types: string[]): string => `Union[${[...new Set(types)].join(', ')}]`;

function literal(values: unknown[]): string {
  if (values.includes(null)) return union([literal(values.filter((value) => value !== null)), 'None']);
  return `Literal[${values.map((value) => (typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value))).join(', ')}]`;
}

function operationsText(groups: readonly string[], operations: readonly ClientOperation[]): string {
  const classes = groups.map((group) => {
    const own = operations.filter((each) => each.group === group);
    return `\n\nclass ${pascal(group)}(Group):\n${own.map(method).join('\n')}`;
  });
  const members = groups.map((group) => `        self.${snake(group)} = ${pascal(group)}(transport)`);
  return [
    header('The methods of each group of operations.'),
    'from typing import Any, Dict, Iterator, List, Literal, Optional, Union',
    '',
    'from . import types',
    'from .transport import Answer, File, Group, Pages, Transport',
    ...classes,
    '',
    '',
    'class Operations:',
    '    """All groups of operations."""',
    '',
    '    def __init__(self, transport: Transport) -> None:',
    ...members,
    '',
  ].join('\n');
}

function method({
  name,
  method: verb,
  path,
  params,
  query,
  bodies,
  isBodyRequired,
  answer,
  answerSchema,
  isKeyed,
  words,
}: ClientOperation): string {
  const media = bodies.map(([each]) => each).find((each) => each.startsWith('audio/'));
  const isForm = bodies[0]?.[0].startsWith('multipart/') === true;
  const positional = params.map(([param]) => `${snake(param)}: ${param === 'id' ? 'str' : 'Union[str, int]'}`);
  const body = isForm
    ? ['file: File', '**fields: str']
    : bodies.length === 0
      ? []
      : [`body: ${bodyType(bodies, isBodyRequired)}${isBodyRequired ? '' : ' = None'}`];
  const options = [
    ...query.map(([field, , schema]) => `${named(field)}: Optional[${typeOf(schema, qualified)}] = None`),
    ...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []),
    'timeout: Optional[float] = None',
  ];
  const given = isForm ? [body[0], '*', ...options, body[1]] : [...body, '*', ...options];
  const template =
    params.length === 0 ? `"${path}"` : `self._path("${path}", ${params.map(([param]) => snake(param)).join(', ')})`;
  const answers = {
    data: [typeOf(answerSchema, qualified), '_data'],
    page: [`Pages[${typeOf(answerSchema, qualified)}]`, '_pages'],
    file: ['Answer', '_file'],
    events: ['Iterator[Dict[str, Any]]', '_events'],
  } as const;
  const [type, call] = answers[answer];
  const sent = [
    ...(answer === 'data' || answer === 'file' ? [`"${verb}"`] : []),
    template,
    ...(isForm ? ['form=(file, fields)'] : bodies.length === 0 ? [] : ['body=body']),
    ...(query.length === 0
      ? []
      : [`query={${query.map(([field]: Field) => `"${field}": ${named(field)}`).join(', ')}}`]),
    ...(isKeyed ? ['key=idempotency_key', 'keyed=True'] : []),
    ...(media === undefined ? [] : [`media="${media}"`]),
    'timeout=timeout',
  ];
  return `    def ${snake(name)}(self, ${[...positional, ...given].join(', ')}) -> ${type}:
        """${wrapped(words)}"""
        return self.${call}(${sent.join(', ')})
`;
}

function bodyType(bodies: ClientOperation['bodies'], isRequired: boolean): string {
  const types = bodies.map(([media, schema]) =>
    media === 'application/json' ? typeOf(schema, qualified) : media.endsWith('/csv') ? 'str' : 'bytes',
  );
  const type = types.length === 1 ? (types[0] ?? '') : union(types);
  return isRequired ? type : `Optional[${type}]`;
}

const bare = (name: string): string => name;
/** It may be declared later. */
const quoted = (name: string): string => `"${name}"`;
/** In the other file. */
const qualified = (name: string): string => `types.${name}`;

/** The keywords of Python that a field could have as its name. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** As a name of Python; a keyword with an underscore behind it (PEP 8). */
const named = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

const snake = (name: string): string => named(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LINE_CHARACTERS - 12) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n        ').replace(/"$/, '" ');
}
