// The operations of the REST API as tools of the Model Context Protocol: made from the OpenAPI document and from the
// rights of the routes, so that a new route is a tool, with the schema by which its requests are held.
import type { FastifyContextConfig } from 'fastify';
import { hasScope, type Scope } from '../../db/shared/secrets/token-scopes.ts';
import type { App, Auth } from '../frame/app.ts';
import type { Document, Json, Operation } from '../openapi/components.ts';

interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object' } & Json;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

export interface McpOperation {
  tool: McpTool;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/v1/agents/{id}`. */
  path: string;
  /** Names of the parameters in the path and in the query. */
  inPath: readonly string[];
  inQuery: readonly string[];
  hasBody: boolean;
  isIdempotent: boolean;
  isAdmin: boolean;
  scope: Scope | 'any';
  /** Of the document: `agents`, `phone-numbers`. */
  group: string;
}

type Rights = Pick<FastifyContextConfig, 'public' | 'session' | 'admin' | 'scope' | 'bare'>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const IDEMPOTENCY_KEY = 'idempotencyKey';
const PREFIX = '/api/v1/';
const COMPONENT = '#/components/schemas/';

/** Must be called before the routes are registered. @returns their rights, by `GET /api/v1/agents/{id}` */
export function collectRights(app: App): ReadonlyMap<string, Rights> {
  const rights = new Map<string, Rights>();
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    if (!url.startsWith(PREFIX)) return;
    for (const each of [method].flat()) rights.set(`${each} ${url.replace(/:(\w+)/g, '{$1}')}`, config);
  });
  return rights;
}

/** Without those of signing in and out, those that need a signed-in session or no token, and those of files. */
export function mcpOperations(document: Document, rights: ReadonlyMap<string, Rights>): McpOperation[] {
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith(`${PREFIX}auth/`));
  return paths.flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method.toLowerCase()];
      const right = rights.get(`${method} ${path}`);
      if (operation === undefined || right === undefined || right.public || right.bare || right.session) return [];
      if (!takesJson(operation) || !answersJson(operation)) return [];
      return [operationOf(document, { method, path, operation, right })];
    }),
  );
}

/** Without those that the token may not use: a tool that is always refused only leads astray. */
export const allowed = (operations: readonly McpOperation[], { role, scopes }: Auth): McpOperation[] =>
  operations.filter(
    ({ isAdmin, scope }) => (!isAdmin || role === 'ADMIN') && (scope === 'any' || hasScope(scopes, scope)),
  );

const takesJson = ({ requestBody }: Operation): boolean =>
  requestBody === undefined || requestBody.content?.['application/json'] !== undefined;

function answersJson({ responses = {} }: Operation): boolean {
  const content = Object.entries(responses).find(([status]) => /^2/.test(status))?.[1].content;
  return content === undefined || content['application/json'] !== undefined;
}

interface Found {
  method: McpOperation['method'];
  path: string;
  operation: Operation;
  right: Rights;
}

function operationOf(document: Document, { method, path, operation, right }: Found): McpOperation {
  const parameters = (operation.parameters ?? []) as Array<Json & { name: string; in: string; required?: boolean }>;
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const isIdempotent = named('header').some(({ name }) => name === 'Idempotency-Key');
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const described = [...named('path'), ...named('query')].map(({ name, schema, description }): [string, Json] => [
    name,
    { ...(schema as Json), ...(description === undefined ? {} : { description }) },
  ]);
  const properties = Object.fromEntries([
    ...described,
    ...(isIdempotent ? [[IDEMPOTENCY_KEY, KEY_SCHEMA] as const] : []),
    ...(body === undefined ? [] : [['body', body] as const]),
  ]);
  const required = [
    ...[...named('path'), ...named('query')].filter((each) => each.required).map(({ name }) => name),
    ...(operation.requestBody?.required ? ['body'] : []),
  ];
  const scope = right.scope ?? (method === 'GET' ? 'read' : 'change');
  return {
    tool: {
      name: String(operation.operationId),
      title: String(operation.summary ?? operation.operationId),
      description: sentences(operation.summary, operation.description, `${method} ${path}`),
      inputSchema: standalone(document, { type: 'object', properties, required, additionalProperties: false }),
      annotations: {
        readOnlyHint: scope === 'read',
        destructiveHint: scope !== 'read' && !(method === 'POST' && '201' in (operation.responses ?? {})),
        idempotentHint: method !== 'POST',
        openWorldHint: scope === 'call',
      },
    },
    method,
    path,
    inPath: named('path').map(({ name }) => name),
    inQuery: named('query').map(({ name }) => name),
    hasBody: body !== undefined,
    isIdempotent,
    isAdmin: right.admin === true,
    scope,
    group: String((operation.tags as string[] | undefined)?.[0] ?? '')
      .toLowerCase()
      .replaceAll(' ', '-'),
  };
}

const sentences = (...parts: unknown[]): string =>
  parts
    .filter(Boolean)
    .map((part) => String(part).replace(/\.$/, ''))
    .join('. ');

const KEY_SCHEMA: Json = {
  type: 'string',
  format: 'uuid',
  description: 'The same key and body within 24 hours get the first answer again',
};

/** The schema with all that it refers to under `$defs`, without examples, which would be half of it. */
function standalone(document: Document, schema: Json): McpTool['inputSchema'] {
  const defs: Record<string, Json> = {};
  const copied = (value: unknown, areNames = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => copied(each));
    if (value === null || typeof value !== 'object') return value;
    const { $ref } = value as { $ref?: unknown };
    if (!areNames && typeof $ref === 'string' && $ref.startsWith(COMPONENT)) {
      const name = $ref.slice(COMPONENT.length);
      if (!(name in defs)) {
        defs[name] = {};
        defs[name] = copied(document.components.schemas[name]) as Json;
      }
      return { $ref: `#/$defs/${name}` };
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => areNames || (key !== 'examples' && key !== 'example'))
        .map(([key, each]) => [key, copied(each, !areNames && key === 'properties')]),
    );
  };
  const own = copied(schema) as { type: 'object' } & Json;
  return Object.keys(defs).length === 0 ? own : { ...own, $defs: defs };
}

interface ToolRequest {
  method: McpOperation['method'];
  url: string;
  headers: Record<string, string>;
  payload?: unknown;
}

/** The request that a tool's arguments make, or in words why they make none. */
export function requestOf(operation: McpOperation, args: Json): ToolRequest | string {
  const { method, path, inPath, inQuery, hasBody, isIdempotent } = operation;
  const known = [...inPath, ...inQuery, ...(hasBody ? ['body'] : []), ...(isIdempotent ? [IDEMPOTENCY_KEY] : [])];
  const unknown = Object.keys(args).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const rest = hasBody ? '; fields of the record stand in body' : '';
    return `There is no ${unknown.join(', ')}: the arguments are ${known.join(', ') || 'none'}${rest}`;
  }
  let url = path;
  for (const name of inPath) {
    const value = textOf(args[name]);
    // A dot, or two, would be another path.
    if (value === null || value === '' || /^\.{1,2}$/.test(value)) return `${name} is missing`;
    url = url.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const payload = hasBody ? unquoted(args.body) : undefined;
  if (payload !== undefined && (payload === null || typeof payload !== 'object')) return 'body must be an object';
  const query = new URLSearchParams();
  for (const name of inQuery) {
    const given = args[name];
    if (given === undefined || given === null) continue;
    const value = Array.isArray(given) ? given.join(',') : textOf(given);
    if (value === null) return `${name} must be a text, a number or a list of them`;
    query.append(name, value);
  }
  const key = args[IDEMPOTENCY_KEY];
  return {
    method,
    url: query.size === 0 ? url : `${url}?${query}`,
    headers: key === undefined ? {} : { 'idempotency-key': String(key) },
    ...(payload === undefined ? {} : { payload }),
  };
}

/** Some assistants write an object as text. */
function unquoted(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
