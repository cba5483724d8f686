// Google's and Microsoft's calendars over HTTP, from their public descriptions: OAuth of both, and the parts that are
// used of Calendar API v3 and of Graph v1.0. They know the parameters and fields that stand there and no others. One
// that is unknown is a fault, which a test finds in `faults`. `CALENDAR_API_BASE` is `url`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Call, Told } from './account-call.ts';
import { FakeGoogle } from './fake-google.ts';
import { FakeMicrosoft } from './fake-microsoft.ts';

export class FakeAccounts {
  readonly faults: string[] = [];
  /** `GET www.googleapis.com/calendar/v3/…`. */
  readonly asked: string[] = [];
  readonly google = new FakeGoogle(this.faults);
  readonly microsoft = new FakeMicrosoft(this.faults);
  /** Answers in place of all others, those for tokens excepted. */
  failsWith: Told | null = null;
  /** The next request of this method has its effect, and its answer is lost. */
  losesAnswerOf: string | null = null;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.asked.length = 0;
    this.faults.length = 0;
    this.failsWith = null;
    this.losesAnswerOf = null;
    this.google.reset();
    this.microsoft.reset();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', headers } = request;
    this.asked.push(`${method} ${decodeURIComponent(url.pathname.slice(1))}`);
    const [host = '', ...path] = url.pathname.slice(1).split('/').map(decodeURIComponent);
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const call: Call = {
      ...{ method, path, headers, query: Object.fromEntries(url.searchParams) },
      form: isForm ? Object.fromEntries(new URLSearchParams(text)) : {},
      json: !isForm && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
    const { status, json, headers: more = {} } = this.#told(host, call);
    if (this.losesAnswerOf === method && !isForm) {
      this.losesAnswerOf = null;
      return void request.socket.destroy();
    }
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...more });
    response.end(json === undefined ? '' : JSON.stringify(json));
  }

  #told(host: string, call: Call): Told {
    if (host === 'oauth2.googleapis.com') return this.google.token(call);
    if (host === 'login.microsoftonline.com') return this.microsoft.oauth(call);
    if (this.failsWith !== null) return this.failsWith;
    if (host === 'www.googleapis.com') return this.google.api(call);
    if (host === 'graph.microsoft.com') return this.microsoft.api(call);
    this.faults.push(`no host ${host}`);
    return { status: 404 };
  }
}
