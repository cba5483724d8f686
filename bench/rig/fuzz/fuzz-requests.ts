// Seeded requests over every route of an OpenAPI document: valid, nearly valid and invalid bodies, ids of three kinds,
// odd headers.
import type { World } from '../api/world.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  anyOf?: Schema[];
}

export interface Operation {
  method: string;
  path: string;
  statuses: Set<number>;
  query: Array<{ name: string; schema: Schema }>;
  body: Schema | null;
}

/** Every operation of an OpenAPI document. */
export function operationsOf(document: object): Operation[] {
  const { paths } = document as { paths: Record<string, Record<string, Record<string, never>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { responses, parameters, requestBody } = operation as unknown as {
        responses: Record<string, unknown>;
        parameters?: Array<{ in: string; name: string; schema: Schema }>;
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      return {
        method: method.toUpperCase(),
        path,
        statuses: new Set(Object.keys(responses).map(Number)),
        query: (parameters ?? []).filter((parameter) => parameter.in === 'query'),
        body: requestBody?.content['application/json']?.schema ?? null,
      };
    }),
  );
}

/** Routes that hash a password, wait on purpose or connect out are requested less often. */
export const isDear = (path: string) =>
  /\/auth\/(login|register|accept-invite|forgot-password|reset-password|2fa)|\/webhooks$|\/test$|\/replay$|extract-from-url|read-site|preview|docs|openapi/.test(
    path,
  );
/** Streams do not end by themselves; the response hangs until the call does. */
export const isStream = ({ path }: Operation) => path.endsWith('/stream');

export type Random = () => number;
export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
export const chance = (random: Random, share: number) => random() < share;

/** The sender of a request. */
export interface Person {
  /** A token of a new session, because some requests sign out. */
  token(random: Random): string;
  /** A text that only this person sends. */
  marker: string;
}

export interface FuzzedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: string | null;
  person: Person;
}

/** A request to the operation, mostly valid, with ids of one of the worlds. */
export function fuzzedRequest(
  random: Random,
  { method, path, query, body }: Operation,
  { worlds, people }: { worlds: readonly World[]; people: readonly Person[] },
): FuzzedRequest {
  const world = pick(random, worlds);
  const person = pick(random, people);
  const names = [...Object.values(world), person.marker];
  const url = path.replace(/\{(\w+)\}/g, () =>
    chance(random, 0.75) ? encoded(likely(random, path, world)) : encoded(oddText(random)),
  );
  const search = query
    .filter(() => chance(random, 0.3))
    .map(({ name, schema }) => `${name}=${encoded(String(value(random, schema, names, 0)))}`);
  const headers: Record<string, string> = {};
  if (chance(random, 0.97)) headers.authorization = `Bearer ${person.token(random)}`;
  if (chance(random, 0.2)) headers['idempotency-key'] = pick(random, KEYS);
  if (chance(random, 0.02)) headers['x-request-id'] = 'fuzz';
  const fullUrl = url + (search.length > 0 ? `?${search.join('&')}` : '');
  if (method === 'GET') return { method, url: fullUrl, headers, payload: null, person };
  headers['content-type'] = chance(random, 0.97)
    ? 'application/json'
    : pick(random, ['text/plain', 'multipart/form-data']);
  const payload = chance(random, 0.03) ? oddText(random) : JSON.stringify(jsonBody(random, body, names));
  return { method, url: fullUrl, headers, payload, person };
}

/** A lone surrogate cannot be encoded in a URL. */
const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const KEYS = ['0b6b5a3e-7c55-4b5c-8a43-111111111111', '0b6b5a3e-7c55-4b5c-8a43-222222222222', 'x'];

/** Mostly an id of the kind that the path expects. */
function likely(random: Random, path: string, world: World): string {
  const kinds: Array<[RegExp, string[]]> = [
    [/\/agents/, ['agentId', 'spareAgentId']],
    [/\/businesses/, ['businessId', 'spareBusinessId']],
    [/\/campaigns/, ['campaignId', 'spareCampaignId', 'contactId']],
    [/\/calls/, ['callId']],
    [/port/, ['portOrderId']],
    [/\/phone-numbers/, ['numberId', 'spareNumberId']],
    [/\/webhooks/, ['webhookId', 'deliveryId']],
    [/\/trunks/, ['trunkId']],
    [/\/sip-accounts/, ['sipAccountId']],
    [/\/accounts/, ['accountId']],
    [/\/users/, ['colleagueId']],
    [/appointments/, ['appointmentId']],
    [/do-not-call/, ['listedNumber']],
    [/inventory/, ['stockNumber']],
    [/models/, ['modelName']],
    [/voices/, ['voiceId']],
  ];
  const found = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? Object.keys(world);
  return world[pick(random, found)] ?? '';
}

function jsonBody(random: Random, schema: Schema | null, ids: readonly string[]): unknown {
  if (schema === null) return chance(random, 0.5) ? {} : value(random, {}, ids, 0);
  const body = value(random, schema, ids, 0);
  if (chance(random, 0.05) && typeof body === 'object' && body !== null) Object.assign(body, { [oddText(random)]: 1 });
  return body;
}

/** A value that fits the schema nine times out of ten. */
function value(random: Random, schema: Schema, ids: readonly string[], depth: number): unknown {
  if (chance(random, 0.04)) return odd(random, depth);
  if (schema.anyOf) return value(random, pick(random, schema.anyOf), ids, depth);
  if (schema.enum) return pick(random, schema.enum);
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type;
  switch (type) {
    case 'object':
      return object(random, schema, ids, depth);
    case 'array': {
      const length = depth > 2 ? 0 : Math.floor(random() * 4);
      return Array.from({ length }, () => value(random, schema.items ?? {}, ids, depth + 1));
    }
    case 'integer':
    case 'number':
      return number(random, schema, type);
    case 'boolean':
      return chance(random, 0.5);
    case 'null':
      return null;
    case 'string':
      return text(random, schema, ids);
    default:
      return odd(random, depth);
  }
}

function object(random: Random, schema: Schema, ids: readonly string[], depth: number): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(name);
    if (chance(random, needed ? 0.97 : 0.4)) made[name] = value(random, property, ids, depth + 1);
  }
  return made;
}

function number(random: Random, { minimum = 0, maximum = 100 }: Schema, type: string): number {
  if (chance(random, 0.1)) return pick(random, [-1, 0, 0.5, 1e9, Number.MAX_SAFE_INTEGER, -1e308]);
  const made = minimum + random() * (Math.min(maximum, minimum + 1_000) - minimum);
  return type === 'integer' ? Math.round(made) : made;
}

const WORDS = [
  '+12025550143',
  '+12125551003',
  '+4930123456',
  '2026-11-20',
  '2026-11-20T10:00:00Z',
  '2026-12-24T10:00:00.000Z',
  'Europe/Berlin',
  'flite-rms',
  'en-US',
  'call.ended',
  'https://127.0.0.1:1/',
  'https://example.invalid/x',
  'monday',
  '09:00',
  '17:30',
  'someone@example.com',
  'a long enough password',
  'sip.example.com',
  'RUNNING',
  'fuzz',
];

function text(random: Random, schema: Schema, ids: readonly string[]): string {
  const roll = random();
  if (roll < 0.45) return pick(random, ids);
  if (roll < 0.9) return pick(random, WORDS);
  if (roll < 0.95) return 'x'.repeat(Math.min(schema.maxLength ?? 50, 5_000) + 1);
  return oddText(random);
}

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '😀',
  "'; drop table calls; --",
  '../../../../etc/passwd',
  '%2e%2e%2f',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '-0',
  '1e999',
  '9999-12-31T23:59:59.999Z',
  '0000-00-00',
  '+0',
  '+1',
  'a'.repeat(3_000),
  '\r\nX-Injected: 1',
];

const oddText = (random: Random): string => pick(random, ODD_TEXTS);

function odd(random: Random, depth: number): unknown {
  const made = pick<unknown>(random, [null, true, -1, 1e308, '', [], {}, [[]], { a: { b: [1] } }, 'text']);
  return chance(random, 0.3) && depth < 3 ? oddText(random) : made;
}
