// A calendar server in the process: one .ics file, and one CalDAV calendar (RFC 4791) with the conditions of HTTP. It
// notes what it was asked, and fails as a test wishes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

export class CalendarServer {
  /** The .ics file, with its ETag. */
  file = '';
  /** Events of the calendar by name, each with its version. */
  readonly events = new Map<string, { text: string; version: number }>();
  readonly asked: string[] = [];
  password = 'secret';
  /** Answers in place of all others; null: none. */
  failsWith: number | null = null;
  /** The answer to the next writing is lost on the way. */
  losesAnswer = false;
  /** Writings are answered when it resolves; null: at once. */
  writesWait: Promise<void> | null = null;
  #version = 0;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Somebody changes an event in their own program. */
  put(name: string, text: string): void {
    this.events.set(name, { text, version: ++this.#version });
  }

  remove(name: string): void {
    this.#version++;
    this.events.delete(name);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '' } = request;
    this.asked.push(`${method} ${url}`);
    const send = (status: number, text = '', headers: Record<string, string> = {}): void => {
      response.writeHead(status, headers);
      response.end(text);
    };
    if (this.failsWith !== null) return send(this.failsWith);
    if (url === '/file.ics') return this.#sendFile(request, send);
    const login = Buffer.from(`anna:${this.password}`).toString('base64');
    if (request.headers.authorization !== `Basic ${login}`) return send(401);
    if (method === 'PROPFIND') return this.#describe(url, send);
    if (method === 'REPORT') return this.#report(send);
    const name = url.replace('/anna/work/', '');
    const there = this.events.get(name);
    const etag = there === undefined ? null : `"${there.version}"`;
    if (method === 'GET') return there ? send(200, there.text, { etag: etag ?? '' }) : send(404);
    const { 'if-match': wanted, 'if-none-match': none } = request.headers;
    if ((none === '*' && etag !== null) || (wanted !== undefined && wanted !== etag)) return send(412);
    await this.writesWait;
    if (method === 'DELETE' && there === undefined) return send(404);
    if (method === 'DELETE') this.remove(name);
    else this.put(name, body);
    if (this.losesAnswer) {
      this.losesAnswer = false;
      return void request.socket.destroy();
    }
    send(method === 'DELETE' ? 204 : 201, '', method === 'PUT' ? { etag: `"${this.#version}"` } : {});
  }

  #sendFile(request: IncomingMessage, send: (status: number, text?: string, headers?: Record<string, string>) => void) {
    const etag = `"${Buffer.byteLength(this.file)}"`;
    if (request.headers['if-none-match'] === etag) return send(304);
    send(200, this.file, { etag, 'content-type': 'text/calendar' });
  }

  #describe(url: string, send: (status: number, text?: string) => void): void {
    const answers: Record<string, string> = {
      '/': '<d:current-user-principal><d:href>/anna/</d:href></d:current-user-principal>',
      '/anna/': '<c:calendar-home-set><d:href>/anna/</d:href></c:calendar-home-set>',
      '/anna/work/':
        '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Work</d:displayname>' +
        `<s:getctag>${this.#version}</s:getctag>`,
      '/anna/tasks/':
        '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Tasks</d:displayname>' +
        '<c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>',
    };
    const own = answers[url];
    if (own === undefined) return send(404);
    const shown = url === '/anna/' ? ['/anna/', '/anna/work/', '/anna/tasks/'] : [url];
    send(207, multistatus(shown.map((each) => [each, answers[each] ?? ''])));
  }

  #report(send: (status: number, text?: string) => void): void {
    const all = [...this.events].map(([name, { text, version }]): [string, string] => [
      `/anna/work/${name}`,
      `<d:getetag>"${version}"</d:getetag><c:calendar-data>${escaped(text)}</c:calendar-data>`,
    ]);
    send(207, multistatus(all));
  }
}

const multistatus = (responses: ReadonlyArray<[string, string]>): string =>
  '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" ' +
  `xmlns:s="http://calendarserver.org/ns/">${responses
    .map(
      ([href, properties]) =>
        `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop>` +
        '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
    )
    .join('')}</d:multistatus>`;
