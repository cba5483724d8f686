// A carrier's API over HTTP, from its public description: it knows the routes and fields that stand there and no
// others. What it does not know is a fault, which a test finds in `faults`. Switches make it fail after it has acted.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown>;
}

interface Told {
  status: number;
  json?: unknown;
}

export interface FakeRoute {
  /** `POST api.example.com/v1/things/:id`. */
  route: string;
  /** Names of the query, and of the body with a `*` where it is required. */
  query?: string;
  form?: string;
  json?: string;
  answer(asked: Asked): Told;
}

/** In place of the answer, once: after it has acted, or before. */
interface FakeFault {
  /** The route as it stands in the table. */
  route: string;
  kind: 'broken' | 'broken-after' | 'silent' | 'silent-after' | 'status';
  status?: number;
}

export class FakeCarriers {
  /** Requests that do not stand in a carrier's description. */
  readonly faults: string[] = [];
  /** `POST api.example.com/v1/things`, as asked. */
  readonly asked: string[] = [];
  planned: FakeFault[] = [];
  readonly #routes: FakeRoute[];
  readonly #authorizations: ReadonlyMap<string, string>;
  readonly #server: Server;

  /** `authorizations`: by host. */
  private constructor(routes: FakeRoute[], authorizations: ReadonlyMap<string, string>) {
    this.#routes = routes;
    this.#authorizations = authorizations;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(routes: FakeRoute[], authorizations: ReadonlyMap<string, string>): Promise<FakeCarriers> {
    const fake = new FakeCarriers(routes, authorizations);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  /** CARRIER_API_BASE. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    let text = '';
    for await (const chunk of request) text += chunk;
    const target = `${request.method} ${url.pathname.slice(1)}`;
    this.asked.push(target);
    const host = url.pathname.split('/')[1] ?? '';
    const tell = ({ status, json }: Told) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(json === undefined ? '' : JSON.stringify(json));
    };
    if (request.headers.authorization !== this.#authorizations.get(host))
      return tell({ status: 401, json: { message: 'Authenticate', errors: [{ detail: 'Authenticate' }] } });
    for (const route of this.#routes) {
      const params = matched(route.route, target);
      if (params === null) continue;
      const fault = this.#faultFor(route.route);
      if (fault?.kind === 'silent') return;
      if (fault?.kind === 'broken') return void request.socket.destroy();
      if (fault?.kind === 'status') return tell({ status: fault.status ?? 500, json: { message: 'planned' } });
      const query = Object.fromEntries(url.searchParams);
      const body = this.#body(route, target, request, text);
      this.#compare(`${target} query`, Object.keys(query), route.query ?? '');
      const answer = route.answer({ params, query, body });
      if (fault?.kind === 'broken-after') return void request.socket.destroy();
      // The answer never comes.
      if (fault?.kind === 'silent-after') return;
      return tell(answer);
    }
    this.faults.push(`no route ${target}`);
    tell({ status: 404, json: { message: 'no such route' } });
  }

  #faultFor(route: string): FakeFault | null {
    const index = this.planned.findIndex((one) => one.route === route);
    return index < 0 ? null : (this.planned.splice(index, 1)[0] ?? null);
  }

  #body(route: FakeRoute, target: string, request: IncomingMessage, text: string): Record<string, unknown> {
    const isForm = route.form !== undefined;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    if (text === '') {
      if (/\*/.test(route.form ?? route.json ?? '')) this.faults.push(`${target} has no body`);
      return {};
    }
    if (request.headers['content-type'] !== type) this.faults.push(`${target} is ${request.headers['content-type']}`);
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : (JSON.parse(text) as Record<string, unknown>);
    this.#compare(`${target} body`, Object.keys(body), route.form ?? route.json ?? '');
    return body;
  }

  #compare(what: string, given: readonly string[], known: string): void {
    const names = known.split(' ').filter((name) => name !== '');
    const bare = names.map((name) => name.replace('*', ''));
    for (const name of given) if (!bare.includes(name)) this.faults.push(`${what}: ${name} is unknown`);
    for (const name of names)
      if (name.endsWith('*') && !given.includes(name.slice(0, -1))) this.faults.push(`${what}: ${name} is missing`);
  }
}

function matched(route: string, target: string): Record<string, string> | null {
  const [wanted, given] = [route.split(/[ /]/), target.split(/[ /]/)];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? '');
    const [, before = '', name, after = ''] = /^(.*):(\w+)(.*)$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== value) return null;
    } else {
      if (!value.startsWith(before) || !value.endsWith(after) || value.length <= before.length + after.length)
        return null;
      params[name] = value.slice(before.length, value.length - after.length);
    }
  }
  return params;
}

export const found = (json: unknown): Told => ({ status: 200, json });
export const made = (json: unknown): Told => ({ status: 201, json });
export const gone: Told = { status: 204 };
export const missing: Told = { status: 404, json: { message: 'not found', errors: [{ detail: 'not found' }] } };
