// Tools as clients send and read them.

import { type Static, Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { IDENTIFIER, NOT_BLANK } from '../frame/patterns.ts';
import { VERSION_NUMBERS, versionNumbers } from '../versions/version-fields.ts';

/** Tools of one agent, business or campaign. */
const TOOLS_EACH_MAX = 20;

/** In the bodies of agents, businesses and campaigns. */
export const ToolIds = Type.Array(Type.String({ minLength: 1 }), {
  maxItems: TOOLS_EACH_MAX,
  uniqueItems: true,
  description:
    'Tools (`/tools`) that a call of it may use, in order. In a call: those of the campaign, then of the business, then of the agent',
});

const KINDS = ['http', 'mcp'] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const JsonSchemaObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'JSON Schema of the arguments. A property with `const` is fixed and not shown to the model, one with `default` is filled where the model leaves it out; both may contain {{name}} of a variable of the call',
});

const Texts = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 4_000 },
    maxProperties: 20,
    description,
  });

const fields = {
  name: Type.String({
    pattern: IDENTIFIER,
    description: 'As the model calls it; unique in the account',
  }),
  description: Type.String({
    minLength: 1,
    maxLength: 1_000,
    pattern: NOT_BLANK,
    description: 'What it does and when to use it, for the model',
  }),
  kind: oneOf(KINDS, {
    description: 'Default http. `mcp`: a server (streamable HTTP) whose tools are offered as NAME_TOOL',
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description:
      'https. {{name}} in its path or query is an argument, a variable of the call, or callId, callerNumber, callerName, businessName, agentName, direction',
  }),
  method: oneOf(METHODS, {
    description: 'Default POST. GET and DELETE have the arguments in the query, others in JSON',
  }),
  headers: Texts(
    'All of them. Kept sealed and never shown again. {{name}} is a variable that the call began with. null removes all',
  ),
  parameters: JsonSchemaObject,
  timeoutMs: Type.Integer({ minimum: 200, maximum: 120_000, description: 'Default 5000' }),
  sayWhile: nullable(
    Type.String({
      maxLength: 300,
      description: 'What the agent says as the tool starts; null: a short phrase if it takes long',
    }),
  ),
  mode: oneOf(['wait', 'background'] as const, {
    description:
      '`wait` (default): the agent waits for the answer. `background`: it goes on with the talk and takes the answer as a new turn',
  }),
  assign: Texts('Variables of the call, and the path of their values in the answer: {"plan": "customer.plan"}'),
  when: Type.Array(Type.String({ minLength: 2, maxLength: 100, pattern: NOT_BLANK }), {
    maxItems: 20,
    description: 'What callers say when the built-in receptionist, which has no language model, is to use it',
  }),
  only: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: 'Of a server: the tools that are offered, by its own names; null (default): all',
    }),
  ),
  onInterruption: oneOf(['finish', 'cancel'] as const, {
    description: 'Of a tool that the agent waits for while the caller speaks again: `finish` (default), or give it up',
  }),
};

const { name, description, url, headers, ...others } = fields;

export const ToolCreate = Type.Object(
  {
    name,
    description,
    url,
    headers: Type.Optional(nullable(headers)),
    ...Type.Partial(Type.Object(others)).properties,
  },
  { additionalProperties: false },
);
export type ToolCreate = Static<typeof ToolCreate>;

const SetHeaders = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'null'], maxLength: 4_000 },
  maxProperties: 20,
  description:
    'Headers that are added or replaced one by one, or removed (null); the others stay. Not beside `headers`',
});

export const ToolPatch = Type.Partial(Type.Object({ ...fields, headers: nullable(headers), setHeaders: SetHeaders }), {
  additionalProperties: false,
});
export type ToolPatch = Static<typeof ToolPatch>;

export const ToolRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    kind: oneOf(KINDS),
    url: Type.String(),
    method: oneOf(METHODS),
    headerNames: Type.Array(Type.String(), { description: 'Their values are never shown' }),
    parameters: JsonSchemaObject,
    timeoutMs: Type.Integer(),
    sayWhile: nullable(Type.String()),
    mode: oneOf(['wait', 'background'] as const),
    assign: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    when: Type.Array(Type.String()),
    onInterruption: oneOf(['finish', 'cancel'] as const),
    only: nullable(Type.Array(Type.String())),
    catalogue: Type.Unsafe<Array<{ name: string; description: string; parameters: Record<string, unknown> }> | null>({
      type: ['array', 'null'],
      description: 'Of a server: its tools, read when it is saved, and again each hour; null: not read yet',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          description: { type: 'string' },
          parameters: { type: 'object', additionalProperties: true },
        },
        required: ['name', 'description', 'parameters'],
      },
    }),
    catalogueAt: nullable(Timestamp),
    catalogueError: nullable(Type.String({ description: 'Why it could not be read the last time' })),
    createdAt: Timestamp,
    ...versionNumbers,
  },
  { title: 'Tool' },
);
export type ToolRecord = Static<typeof ToolRecord>;

export const ToolTest = Type.Object(
  {
    arguments: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    tool: Type.Optional(Type.String({ minLength: 1, description: 'Of a server: which of its tools, by its own name' })),
    variables: Type.Optional(Texts('Variables of the call that it is tried for')),
  },
  { additionalProperties: false },
);
export type ToolTest = Static<typeof ToolTest>;

export const ToolTested = Type.Object(
  {
    request: Type.Unsafe<{ method: string; url: string; headers: Record<string, string>; body: string | null } | null>({
      type: ['object', 'null'],
      description: 'As it left, with the values of the tool’s own headers masked; null: nothing was sent',
      properties: {
        method: { type: 'string' },
        url: { type: 'string' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: { type: ['string', 'null'] },
      },
    }),
    answer: Type.Unsafe<{ status: number; body: unknown; isCut: boolean } | null>({
      type: ['object', 'null'],
      description: 'As it came, up to 64 KiB; null: none came',
      properties: { status: { type: 'integer' }, body: {}, isCut: { type: 'boolean' } },
    }),
    tookMs: Type.Integer(),
    result: Type.Unknown({ description: 'What the model would be told' }),
    assigned: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Variables that the call would have afterwards',
    }),
  },
  { title: 'ToolTest' },
);
export type ToolTested = Static<typeof ToolTested>;

export const ToolParams = Type.Object({ id: Type.String() });
/** A client may send back the record that it read. */
export const TOOL_READ_ONLY = [
  'id',
  'headerNames',
  'catalogue',
  'catalogueAt',
  'catalogueError',
  'createdAt',
  '_count',
  ...VERSION_NUMBERS,
] as const;
