// An OpenAI-compatible server for tests: answers POST …/chat/completions from a script, one entry per request, and can
// fail in every way that real ones do.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeAnswer =
  /** Streamed in `pieces`, `everyMs` apart. */
  | { type: 'text'; pieces: string[]; everyMs?: number; usage?: { prompt: number; completion: number } }
  | {
      type: 'tool';
      name: string;
      arguments: string;
      id?: string;
      text?: string;
      style?: 'pieces' | 'whole' | 'no-index';
    }
  | { type: 'status'; status: number; body?: string }
  /** Accepts the request and never answers. */
  | { type: 'hang' }
  /** Streams the pieces, then leaves the stream open. */
  | { type: 'stall'; pieces: string[] }
  /** Streams the pieces, then breaks the connection. */
  | { type: 'cut'; pieces: string[] }
  /** 200 with a body of your own. */
  | { type: 'raw'; body: string; contentType?: string }
  /** One non-streamed completion. */
  | { type: 'whole'; text: string };

export interface FakeRequest {
  path: string;
  authorization: string | null;
  body: {
    model?: string;
    stream?: boolean;
    messages?: Array<{ role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }>;
    tools?: unknown[];
    response_format?: unknown;
  };
}

export class FakeOpenAi {
  readonly requests: FakeRequest[] = [];
  /** Connections that the client closed before the answer was complete. */
  aborted = 0;
  readonly #server: Server;
  readonly #answers: FakeAnswer[];

  private constructor(answers: FakeAnswer[]) {
    this.#answers = answers;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** The last answer of the script repeats. */
  static async start(answers: FakeAnswer[]): Promise<FakeOpenAi> {
    const fake = new FakeOpenAi([...answers]);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.requests.push({
      path: request.url ?? '',
      authorization: request.headers.authorization ?? null,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'),
    });
    response.on('close', () => {
      if (!response.writableFinished) this.aborted++;
    });
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (answer) await play(answer, response);
    else response.writeHead(500).end();
  }
}

async function play(answer: FakeAnswer, response: ServerResponse): Promise<void> {
  switch (answer.type) {
    case 'status':
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body ?? JSON.stringify({ error: { message: 'fake failure', type: 'server_error' } }));
      return;
    case 'hang':
      return;
    case 'raw':
      response.writeHead(200, { 'content-type': answer.contentType ?? 'text/event-stream' });
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
      await pieces(response, answer.pieces, answer.everyMs ?? 0);
      send(response, {}, 'stop');
      if (answer.usage)
        response.write(
          `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: answer.usage.prompt, completion_tokens: answer.usage.completion } })}\n\n`,
        );
      response.end('data: [DONE]\n\n');
      return;
    case 'stall':
      begin(response);
      await pieces(response, answer.pieces, 0);
      return;
    case 'cut':
      begin(response);
      await pieces(response, answer.pieces, 0);
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
  const { name, arguments: text, style = 'pieces' } = answer;
  const id = answer.id ?? 'call_1';
  if (style === 'whole')
    send(response, { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: text } }] }, null);
  else {
    const index = style === 'no-index' ? {} : { index: 0 };
    send(response, { tool_calls: [{ ...index, id, type: 'function', function: { name, arguments: '' } }] }, null);
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

async function pieces(response: ServerResponse, texts: readonly string[], everyMs: number): Promise<void> {
  for (const content of texts) {
    send(response, { content }, null);
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

function send(response: ServerResponse, delta: Record<string, unknown>, finishReason: string | null): void {
  const choice = { index: 0, delta, finish_reason: finishReason };
  response.write(`data: ${JSON.stringify({ id: 'cmpl', object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
}
