// A webhook receiver over TLS with a certificate from the tests' own authority. Records requests and answers as
// scripted. `trustTestAuthority()` makes this process trust it (elsewhere NODE_EXTRA_CA_CERTS does).
import { readFileSync } from 'node:fs';
import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`../tls/${name}`, import.meta.url));
export const TEST_AUTHORITY = file('ca.pem');

export function trustTestAuthority(): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(TEST_AUTHORITY, 'utf8')]);
}

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** From the parsed body. */
  id: string;
  type: string;
  createdAt: string;
  /** `Date.now()` of its arrival. */
  atMs: number;
}

/** Answers a request; `count` is the number of earlier requests on its path, without probes. */
export type Behaviour = (response: ServerResponse, request: Received, count: number) => void;

export interface Receiver {
  port: number;
  url(path?: string): string;
  /** All requests except probes, in order of arrival. */
  received: Received[];
  probes: Received[];
  /** The requests on one path. */
  at(path: string): Received[];
  behave(path: string, behaviour: Behaviour): void;
  /** Resolves when `condition` holds; checked at each arrival and each answer. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export const respond =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** `otherwise`: the behaviour of paths without their own; `plain`: without TLS. */
export async function startReceiver({
  port = 0,
  otherwise = respond(200, 'ok'),
  plain = false,
} = {}): Promise<Receiver> {
  const received: Received[] = [];
  const probes: Received[] = [];
  const behaviours = new Map<string, Behaviour>();
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  const look = () => {
    for (const check of [...waiting]) check();
  };
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { id = '', type = '', createdAt = '' } = JSON.parse(body) as Partial<Received>;
    const path = request.url ?? '/';
    const entry = { path, headers: request.headers, body, id, type, createdAt, atMs: Date.now() };
    if (type === 'webhook.probe') {
      probes.push(entry);
      response.writeHead(204).end();
    } else {
      const count = counts.get(path) ?? 0;
      counts.set(path, count + 1);
      received.push(entry);
      (behaviours.get(path) ?? otherwise)(response, entry, count);
    }
    look();
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    onRequest(request, response).catch(() => response.destroy());
  };
  // Never closed from this side: a request that is on its way at that moment would be lost, and tried again much later.
  const options = { keepAliveTimeout: 0 };
  const server = plain
    ? createPlainServer(options, listener)
    : createServer(
        { ...options, key: readFileSync(file('server.key')), cert: readFileSync(file('server.pem')) },
        listener,
      );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: (path = '/') => `${plain ? 'http' : 'https'}://localhost:${bound}${path}`,
    received,
    probes,
    at: (path) => received.filter((entry) => entry.path === path),
    behave: (path, behaviour) => {
      behaviours.set(path, behaviour);
    },
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
