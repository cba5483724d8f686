// The client: the groups of operations, made of their table. An operation takes the parameters of its path, then its
// body, then its query, then options, and gives what stands in the envelope of the answer.
import { callStream } from './call-stream.ts';
import { Listing, type Page } from './listing.ts';
import { LiveCall } from './live-call.ts';
import { OPERATION_TABLE } from './operation-table.ts';
import type { OperationGroups } from './operations.ts';
import { type ClientOptions, type Outgoing, type RequestOptions, Transport } from './transport.ts';

export interface Client extends OperationGroups {
  /** A running call in the hand: its words, and what can be done to it. */
  call(id: string): LiveCall;
}

interface Entry {
  method: string;
  path: string;
  answer: 'data' | 'page' | 'file' | 'events';
  params?: readonly string[];
  body?: 'body' | 'form';
  /** Of a body that is a file. */
  media?: string;
  query?: true;
  keyed?: true;
}

type Query = Record<string, unknown>;

/** @throws {TypeError} of an address or a token that cannot be one */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const groups = Object.entries(OPERATION_TABLE).map(([group, entries]) => [
    group,
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, operation(transport, `${group}.${name}`, entry)]),
    ),
  ]);
  const made = Object.fromEntries(groups) as OperationGroups;
  return { ...made, call: (id) => new LiveCall(made.calls, id) };
}

function operation(transport: Transport, name: string, entry: Entry) {
  const { method, params = [], body: bodyKind, answer, keyed = false } = entry;
  return (...given: unknown[]): unknown => {
    const values = params.map((param, i) => [param, segment(`${name}: ${param}`, given[i])] as const);
    const rest = given.slice(params.length);
    const body = bodyKind === undefined ? undefined : rest.shift();
    const query = (entry.query ? rest.shift() : undefined) as Query | undefined;
    const options = (rest.shift() ?? {}) as RequestOptions;
    const path = values.reduce((text, [param, value]) => text.replace(`{${param}}`, () => value), entry.path);
    const outgoing = (asked: Query = {}): Outgoing => ({
      method,
      path: `${path}${queryText(asked)}`,
      isKeyed: keyed,
      ...encoded(body, entry),
    });
    switch (answer) {
      case 'events':
        return callStream(transport, path, options);
      case 'file':
        return transport.send(outgoing(query), options, async (response) => response);
      case 'page':
        return new Listing<unknown>(
          (wanted) => transport.send(outgoing({ ...query, ...wanted }), options, (response) => page(response)),
          { page: query?.page as number | undefined, limit: query?.limit as number | undefined },
        );
      case 'data':
        return transport.send(outgoing(query), options, async (response) => {
          const { data, warnings = [] } = (await response.json()) as { data: unknown; warnings?: string[] };
          transport.warn(warnings);
          return data;
        });
    }
  };
}

async function page(response: Response): Promise<Page<unknown>> {
  const { data, pagination } = (await response.json()) as Page<unknown>;
  return { data, pagination };
}

/** One segment of a path. @throws {TypeError} of a value that would make it another path */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name} must be an id`);
  return encodeURIComponent(text);
}

function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

function encoded(body: unknown, { body: kind, media }: Entry): Pick<Outgoing, 'body' | 'headers'> {
  if (body === undefined) return {};
  if (kind === 'form') return { body: form(body as object) };
  if (typeof body === 'string') return { body, headers: { 'content-type': 'text/csv' } };
  if (!(body instanceof Blob)) return { body: JSON.stringify(body) };
  return body.type === '' && media !== undefined ? { body, headers: { 'content-type': media } } : { body };
}

/** The parts before a file come first: the service reads them as they come. */
function form(fields: object): FormData {
  const parts = new FormData();
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of entries) if (!(value instanceof Blob)) parts.set(name, String(value));
  for (const [name, value] of entries) if (value instanceof Blob) parts.set(name, value);
  return parts;
}
