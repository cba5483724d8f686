// An OpenAI-compatible server for tests: answers POST …/chat/completions from a script, one entry per request, and can
// fail in every way of real servers. It also answers `GET …/models`, and counts connections.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type FakeAnswer =
  /** Streamed in `pieces`, the first after `afterMs`. Usage is sent on request. */
  | { type: 'text'; pieces: string[]; afterMs?: number; usage?: FakeUsage }
  | {
      type: 'tool';
      name: string;
      arguments: string;
      id?: string | null;
      text?: string;
      style?: 'pieces' | 'whole' | 'no-index';
    }
  | { type: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** Accepts the request and never answers. */
  | { type: 'hang' }
  /** Breaks the connection before the answer begins. */
  | { type: 'reset' }
  /** Streams the pieces, then leaves the stream open. */
  | { type: 'stall'; pieces: string[] }
  /** Streams the pieces, then breaks the connection. */
  | { type: 'cut'; pieces: string[] }
  /** 200 with a body of your own. */
  | { type: 'raw'; body: string | Uint8Array; contentType?: string; headers?: Record<string, string> }
  /** One non-streamed completion. */
  | { type: 'whole'; text: string };

interface FakeUsage {
  prompt: number;
  completion: number;
  cached?: number;
}

/** An answer, or a function that decides by the request. */
export type FakeScript = FakeAnswer | ((request: FakeRequest) => FakeAnswer);

export interface FakeRequest {
  path: string;
  authorization: string | null;
  body: {
    model?: string;
    stream?: boolean;
    messages?: Array<{ role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }>;
    tools?: unknown[];
    response_format?: unknown;
    max_tokens?: number;
    max_completion_tokens?: number;
    temperature?: number;
    stream_options?: { include_usage?: boolean };
  };
}

export interface FakeOptions {
  /** Answers of `GET …/models`, by path; default: one model, `small`, at /v1/models. */
  models?: Record<string, { status: number; body: string }>;
}

const ONE_MODEL = { '/v1/models': { status: 200, body: '{"object":"list","data":[{"id":"small"}]}' } };

export class FakeOpenAi {
  readonly requests: FakeRequest[] = [];
  /** Instructions that were sent ahead of a call's first turn; no entry of the script answers them. */
  readonly readAhead: FakeRequest[] = [];
  /** If true, such a request gets no answer. */
  readsSlowly = false;
  /** Paths of all GET requests. */
  readonly asked: string[] = [];
  /** Connections that the client closed before the answer was complete. */
  aborted = 0;
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #answers: FakeScript[];
  readonly #models: NonNullable<FakeOptions['models']>;

  private constructor(answers: FakeScript[], { models = ONE_MODEL }: FakeOptions) {
    this.#answers = answers;
    this.#models = models;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** The last answer of the script repeats. */
  static async start(answers: FakeScript[], options: FakeOptions = {}): Promise<FakeOpenAi> {
    const fake = new FakeOpenAi([...answers], options);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (request.method === 'GET') return this.#list(path, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      path,
      authorization: request.headers.authorization ?? null,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as FakeRequest['body'],
    };
    const isReadAhead = received.body.max_tokens === 1;
    (isReadAhead ? this.readAhead : this.requests).push(received);
    response.on('close', () => {
      if (!response.writableFinished) this.aborted++;
    });
    if (isReadAhead && this.readsSlowly) return;
    if (isReadAhead) return play({ type: 'text', pieces: ['Yes'] }, received, response);
    const script = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (script) await play(typeof script === 'function' ? script(received) : script, received, response);
    else response.writeHead(500).end();
  }

  #list(path: string, response: ServerResponse): void {
    this.asked.push(path);
    const { status, body } = this.#models[path] ?? { status: 404, body: '{"detail":"Not Found"}' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }
}

/** A 400 in the form of real servers; `param` only if they name it. */
export function refusal(message: string, param?: string, status = 400): FakeAnswer {
  const error = { message, type: 'invalid_request_error', ...(param ? { param, code: 'unsupported_parameter' } : {}) };
  return { type: 'status', status, body: JSON.stringify({ error }) };
}

async function play(answer: FakeAnswer, request: FakeRequest, response: ServerResponse): Promise<void> {
  switch (answer.type) {
    case 'status':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.body ?? JSON.stringify({ error: { message: 'fake failure', type: 'server_error' } }));
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'raw':
      response.writeHead(200, { 'content-type': answer.contentType ?? 'text/event-stream', ...answer.headers });
      response.end(answer.body);
      return;
    case 'whole':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'cmpl',
          object: 'chat.completion',
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer.text } }],
        }),
      );
      return;
    case 'text':
      begin(response);
      await new Promise((resolve) => setTimeout(resolve, answer.afterMs ?? 0));
      pieces(response, answer.pieces);
      send(response, {}, 'stop');
      if (answer.usage && request.body.stream_options?.include_usage) sendUsage(response, answer.usage);
      response.end('data: [DONE]\n\n');
      return;
    case 'stall':
      begin(response);
      pieces(response, answer.pieces);
      return;
    case 'cut':
      begin(response);
      pieces(response, answer.pieces);
      await new Promise((resolve) => setImmediate(resolve));
      response.destroy();
      return;
    case 'tool':
      return playTool(answer, response);
    default:
      throw new Error(`unknown answer ${JSON.stringify(answer satisfies never)}`);
  }
}

function playTool(answer: Extract<FakeAnswer, { type: 'tool' }>, response: ServerResponse): void {
  begin(response);
  if (answer.text) send(response, { content: answer.text }, null);
  const { name, arguments: text, style = 'pieces', id = 'call_1' } = answer;
  const named = id === null ? {} : { id };
  if (style === 'whole')
    send(
      response,
      { tool_calls: [{ index: 0, ...named, type: 'function', function: { name, arguments: text } }] },
      null,
    );
  else {
    const index = style === 'no-index' ? {} : { index: 0 };
    send(response, { tool_calls: [{ ...index, ...named, type: 'function', function: { name, arguments: '' } }] }, null);
    for (const piece of text.match(/.{1,7}/gs) ?? [])
      send(response, { tool_calls: [{ ...index, function: { arguments: piece } }] }, null);
  }
  send(response, {}, 'tool_calls');
  response.end('data: [DONE]\n\n');
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

function pieces(response: ServerResponse, texts: readonly string[]): void {
  for (const content of texts) send(response, { content }, null);
}

function send(response: ServerResponse, delta: Record<string, unknown>, finishReason: string | null): void {
  const choice = { index: 0, delta, finish_reason: finishReason };
  response.write(`data: ${JSON.stringify({ id: 'cmpl', object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
}

function sendUsage(response: ServerResponse, { prompt, completion, cached = 0 }: FakeUsage): void {
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
  response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage })}\n\n`);
}
