// One keep-alive connection that sends bytes unchanged: unlike an HTTP client, it does not check them.
import { connect, type Socket } from 'node:net';
import type { WireRequest } from './mutations.ts';

export interface WireAnswer {
  status: number;
  /** By lower-case name. */
  headers: Map<string, string>;
  body: string;
}

/** Longer than the API waits for anything. */
const ANSWER_TIMEOUT_MS = 30_000;

export class Connection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** Reads only the head of a stream, which does not end by itself. @throws Error without an answer */
  async send(request: WireRequest): Promise<WireAnswer> {
    this.#socket ??= await this.#open();
    const socket = this.#socket;
    socket.write(bytesOf(request, `${this.#host}:${this.#port}`));
    try {
      const answer = await readAnswer(socket);
      if (isStream(answer.headers) || answer.headers.get('connection') === 'close') this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, this.#host, () => resolve(socket));
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.on('close', () => {
        if (this.#socket === socket) this.#socket = null;
      });
    });
  }
}

function bytesOf({ method, url, headers, body }: WireRequest, host: string): Buffer {
  const lines = [`${method} ${url} HTTP/1.1`, `host: ${host}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

function readAnswer(socket: Socket): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const limit = setTimeout(() => done(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
    const done = (result: WireAnswer | Error): void => {
      clearTimeout(limit);
      socket.off('data', take).off('close', close).off('error', done);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const take = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received, false);
      if (answer) done(answer);
    };
    const close = (): void => {
      done(parseAnswer(received, true) ?? new Error('the connection was closed without an answer'));
    };
    socket.on('data', take).on('close', close).on('error', done);
  });
}

const isStream = (headers: ReadonlyMap<string, string>): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;

/** Null while the answer is incomplete. */
function parseAnswer(bytes: Buffer, isClosed: boolean): WireAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(first.slice(9, 12));
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(rest, isClosed);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const answer = (body: Buffer): WireAnswer => ({ status, headers, body: body.toString('utf8') });
  if (isStream(headers) || status === 204 || status === 304) return answer(Buffer.alloc(0));
  const length = headers.get('content-length');
  if (length !== undefined) {
    return rest.length < Number(length) && !isClosed ? null : answer(rest.subarray(0, Number(length)));
  }
  if (headers.get('transfer-encoding') !== 'chunked') return isClosed ? answer(rest) : null;
  return rest.subarray(-5).equals(Buffer.from('0\r\n\r\n')) || isClosed ? answer(unchunk(rest)) : null;
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
