// Tools of an MCP server (Model Context Protocol, streamable HTTP): its catalogue, and calls in one session. Addresses
// obey the rules of webhooks, as those of HTTP tools do; no redirect is followed, and answers are bounded. A session
// lives on a thread of its own kind: mcp-servers.ts.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { messageOf } from '../../db/domain/unexpected.ts';
import { RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { readAnswer, shortened } from './answer.ts';
import type { ToolConnections } from './http-tool.ts';
import { QuietTransport, Traffic } from './mcp-traffic.ts';
import type { JsonSchema, ToolAnswer } from './tool.ts';

const MAX_TOOLS = 100;
const MAX_PAGES = 20;
const MAX_TEXT_BYTES = 65_536;
const CONNECT_WITHIN_MS = 5_000;
/** All pages of a catalogue. */
const CATALOGUE_WITHIN_MS = 20_000;
const MAX_DESCRIPTION_CHARS = 1_000;
/** How long the end of a session waits for what it tells the server. */
const NOTICES_WITHIN_MS = 1_000;

/** One tool of a server, as it names it. */
export interface McpTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface McpCallOptions {
  timeoutMs: number;
  key: string;
  signal?: AbortSignal;
}

export interface McpServer {
  url: string;
  /** In plain text. Keep them in memory only. */
  headers: Readonly<Record<string, string>>;
}

/** One session with a server. It is opened at the first question, or by `open`. */
export class McpSession {
  readonly #server: McpServer;
  readonly #connections: Pick<ToolConnections, 'options' | 'dispatcher'>;
  readonly #traffic: Traffic;
  #client: Promise<Client> | null = null;
  #isClosed = false;
  /** Calls under way, and what the server is being told without an answer. */
  readonly #calls = new Set<Promise<unknown>>();
  readonly #notices = new Set<Promise<unknown>>();

  /** `onWork`: told before each piece of work that the server causes. */
  constructor(
    server: McpServer,
    connections: Pick<ToolConnections, 'options' | 'dispatcher'>,
    onWork: () => void = () => {},
  ) {
    this.#server = server;
    this.#connections = connections;
    this.#traffic = new Traffic(onWork);
  }

  /** Connects ahead of the first question. Never fails: a question will say what is wrong. */
  open(): void {
    this.#connected().catch(() => undefined);
  }

  /** All its tools, up to a hundred. @throws Error with a sentence for the one who set the server up */
  async catalogue(): Promise<McpTool[]> {
    try {
      this.#traffic.begin();
      const client = await this.#connected();
      if (client.getServerCapabilities()?.tools === undefined) return [];
      const untilMs = performance.now() + CATALOGUE_WITHIN_MS;
      const tools: McpTool[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < MAX_PAGES && tools.length < MAX_TOOLS; pages++) {
        // Page by page: the client by itself walks all pages, and keeps them.
        const timeout = Math.max(1, Math.min(CONNECT_WITHIN_MS, untilMs - performance.now()));
        const params = cursor === undefined ? {} : { cursor };
        const page = await client.request({ method: 'tools/list', params }, { timeout });
        for (const { name, description = '', inputSchema } of page.tools.slice(0, MAX_TOOLS)) {
          const parameters = inputSchema as JsonSchema;
          tools.push({ name, description: description.slice(0, MAX_DESCRIPTION_CHARS), parameters });
        }
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      return tools.slice(0, MAX_TOOLS);
    } catch (error) {
      throw new Error(sentenceOf(error));
    }
  }

  /** Calls one of its tools. `key`: in `_meta.idempotencyKey`. Never throws. */
  call(name: string, given: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<ToolAnswer> {
    return within(this.#calls, this.#call(name, given, options));
  }

  async #call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    { timeoutMs, key, signal }: McpCallOptions,
  ): Promise<ToolAnswer> {
    try {
      if (this.#calls.size === 0) this.#traffic.begin();
      const client = await this.#connected();
      const result = await client.callTool(
        { name, arguments: { ...given }, _meta: { idempotencyKey: key } },
        { timeout: timeoutMs, maxTotalTimeout: timeoutMs, ...(signal ? { signal } : {}) },
      );
      const data = shortened(dataOf(result as ToolResult));
      // The protocol has no status of its own: an answer is an answer.
      if (result.isError !== true) return { ok: true, status: 200, data };
      return { ok: false, error: 'failed', message: 'The tool reported an error.', status: 200, data };
    } catch (error) {
      if (signal?.aborted) return { ok: false, error: 'cancelled', message: 'It was given up.' };
      if (refusalIn(error)) return { ok: false, error: 'refused', message: sentenceOf(error) };
      if (/timed? ?out/i.test(messageOf(error)))
        return { ok: false, error: 'timeout', message: 'It did not answer in time.' };
      // The next question tries again.
      void this.#forget();
      return { ok: false, error: 'unreachable', message: 'It could not be reached.' };
    }
  }

  /**
   * Ends the session at the server, too, once its calls have ended: those that were not given up are answered, or time
   * out. Never fails.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#calls);
    // A closed connection says nothing of a call that was given up (MCP 2025-06-18, cancellation): the notice must go.
    await Promise.race([Promise.all(this.#notices), sleep(NOTICES_WITHIN_MS, undefined, { ref: false })]);
    await this.#forget();
  }

  async #forget(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    try {
      const open = await client;
      const { transport } = open ?? {};
      if (transport instanceof QuietTransport) await transport.terminateSession();
      await open?.close();
    } catch {
      // A server that is gone has no session either.
    }
  }

  #connected(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error('The session is closed.'));
    this.#client ??= this.#connect();
    return this.#client;
  }

  #fetch() {
    const guarded = this.#traffic.fetch(this.#connections);
    return (url: string | URL, init?: RequestInit): Promise<Response> => {
      const answer = guarded(url, init);
      const isNotice = typeof init?.body === 'string' && init.body.includes('"notifications/');
      return isNotice ? within(this.#notices, answer) : answer;
    };
  }

  async #connect(): Promise<Client> {
    const { url, headers } = this.#server;
    const transport = new QuietTransport(new URL(url), {
      fetch: this.#fetch(),
      requestInit: { headers: { ...headers }, redirect: 'error' },
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 2_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 1,
      },
    });
    const client = new Client(
      { name: 'voice-calling-service', version: '1' },
      // Schemas of answers are the server's, and compiling one may take as long as it likes.
      {
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    try {
      await client.connect(transport, { timeout: CONNECT_WITHIN_MS });
    } catch (error) {
      this.#client = null;
      await client.close().catch(() => undefined);
      throw error;
    }
    return client;
  }
}

/** Keeps the work in the set until it has ended, however. */
function within<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  set.add(ended);
  void ended.then(() => set.delete(ended));
  return work;
}

interface ToolResult {
  content?: ReadonlyArray<{ type: string; text?: string }>;
  structuredContent?: unknown;
}

/** The result's data, else its texts, as JSON where they are. */
function dataOf({ content = [], structuredContent }: ToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const texts = content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
  return readAnswer(Buffer.from(texts.join('\n')).subarray(0, MAX_TEXT_BYTES), '');
}

/** An error of the address rules, wherever `fetch` has put it. */
function refusalIn(error: unknown): RefusedAddress | null {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof RefusedAddress) return each;
  return null;
}

function sentenceOf(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== null) return `The address of the server ${refusal.message}.`;
  const text = messageOf(error).replace(/\s+/g, ' ').trim().slice(0, 200);
  return `The server did not answer as an MCP server: ${text}`;
}
