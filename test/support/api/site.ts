// A web site on this machine whose pages a test changes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SitePage {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The answer waits for it. */
  until?: Promise<void>;
}

export class Site {
  readonly pages = new Map<string, SitePage>();
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  readonly #server = createServer(async (request, response) => {
    const path = request.url ?? '';
    this.asked.push(path);
    const { status = 200, headers = {}, body = '', until } = this.pages.get(path) ?? { status: 404 };
    await until;
    response.writeHead(status, headers).end(body);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  put(path: string, contentType: string, body: string | Buffer): string {
    this.pages.set(path, { headers: { 'content-type': contentType }, body });
    return this.url(path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
