// An MCP server (Model Context Protocol 2025-06-18, streamable HTTP) by hand, so that the client is tested against the
// protocol and not against itself: sessions, a paged catalogue, calls, cancellation, answers as JSON or as a stream.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface McpCall {
  /** Of the request. */
  id: unknown;
  name: string;
  arguments: Record<string, unknown>;
  meta: Record<string, unknown>;
  session: string;
  headers: IncomingHttpHeaders;
}

export interface FakeMcpServer {
  url: string;
  calls: McpCall[];
  /** Ids of sessions that were opened, and of those that were ended. */
  opened: string[];
  ended: string[];
  /** Answers what hangs. */
  answerAll(result: object): void;
  /** Requests that the client has given up. */
  cancelled: unknown[];
  close(): Promise<void>;
}

interface Options {
  tools: Array<{ name: string; description?: string; inputSchema: object }>;
  /** The result of `tools/call`; null: it hangs. */
  answer(call: McpCall): object | null;
  /** Answers are events of a stream. */
  streams?: boolean;
}

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
}

/** On loopback. */
export async function startMcpServer({ tools, answer, streams = false }: Options): Promise<FakeMcpServer> {
  const state = {
    calls: [] as McpCall[],
    opened: [] as string[],
    ended: [] as string[],
    cancelled: [] as unknown[],
  };
  const hanging: Array<(result: object) => void> = [];
  const results: Record<string, (message: Message, session: string, headers: IncomingHttpHeaders) => object | null> = {
    initialize: (message) => ({
      protocolVersion: (message.params as { protocolVersion: string }).protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'fake', version: '1' },
    }),
    'tools/list': ({ params }) => {
      const at = Number(params?.cursor ?? 0);
      const next = at + 2 < tools.length ? { nextCursor: String(at + 2) } : {};
      return { tools: tools.slice(at, at + 2), ...next };
    },
    'tools/call': ({ id, params = {} }, session, headers) => {
      const { name, arguments: given, _meta: meta } = params as { name: string; arguments?: object; _meta?: object };
      const call = { id, name, arguments: { ...given }, meta: { ...meta }, session, headers };
      state.calls.push(call);
      return answer(call);
    },
    ping: () => ({}),
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const session = String(request.headers['mcp-session-id'] ?? '');
      if (request.method === 'DELETE') {
        state.ended.push(session);
        return response.writeHead(200).end();
      }
      // No stream for the server's own messages.
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      if (message.method === 'notifications/cancelled') state.cancelled.push(message.params?.requestId);
      if (message.id === undefined) return response.writeHead(202).end();
      const isNew = message.method === 'initialize';
      if (isNew) state.opened.push(`s${state.opened.length + 1}`);
      const own = isNew ? (state.opened.at(-1) ?? '') : session;
      const result = results[message.method ?? '']?.(message, own, request.headers);
      if (result === null) {
        hanging.push((late) => send(response, { jsonrpc: '2.0', id: message.id, result: late }, {}, streams));
        return undefined;
      }
      const body =
        result === undefined
          ? { jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'Method not found' } }
          : { jsonrpc: '2.0', id: message.id, result };
      return send(response, body, isNew ? { 'mcp-session-id': own } : {}, streams);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    answerAll: (result) => {
      for (const answer of hanging.splice(0)) answer(result);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function send(response: ServerResponse, body: object, headers: Record<string, string>, streams: boolean): void {
  if (!streams) {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.end(`event: message\ndata: ${JSON.stringify(body)}\n\n`);
}
