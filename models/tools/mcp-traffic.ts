// The traffic with an MCP server, bounded: the server is a stranger. Its answers have so many bytes and messages; of
// the messages that it sends by itself, one `ping` at a time is answered and all others are dropped; its own stream
// (GET) is never opened, but to resume the answer to a question, now and then and a few times.
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Dispatcher, fetch as undiciFetch } from 'undici';
import { checkUrl, type UrlRules } from '../../db/shared/net/address-rules.ts';

/** Of one answer; then the connection is closed. */
const MAX_ANSWER_BYTES = 1_048_576;
/** Of all answers to one question, such as the pages of a catalogue. */
const MAX_QUESTION_BYTES = 4 * MAX_ANSWER_BYTES;
/** Events of one stream: some progress, then the result. */
const MAX_MESSAGES = 256;
/** Of one question; each asks the server once more for the rest of its answer. */
const MAX_RESUMPTIONS = 5;
/** The server may name a time, also none at all; it is asked again so much later at least. */
const RESUME_AFTER_MS = 1_000;

const CR = 13;
const LF = 10;

/** Bounds of one session, counted anew for each question. */
export class Traffic {
  /** Takes the work that the server causes: a session that does not come back is found by it. */
  readonly #onWork: () => void;
  #bytes = 0;
  #resumptions = 0;

  constructor(onWork: () => void) {
    this.#onWork = onWork;
  }

  begin(): void {
    this.#bytes = 0;
    this.#resumptions = 0;
  }

  /** `fetch` over guarded connections, within the bounds. */
  fetch({ options, dispatcher }: { options: UrlRules; dispatcher: Dispatcher }) {
    return async (url: string | URL, init?: RequestInit): Promise<Response> => {
      checkUrl(String(url), options);
      if (init?.method === 'GET') {
        const isAllowed = new Headers(init.headers).has('last-event-id') && this.#resumptions++ < MAX_RESUMPTIONS;
        // As a server answers that has no stream of its own.
        if (!isAllowed) return new Response(null, { status: 405 });
        await sleep(RESUME_AFTER_MS, undefined, { ref: false, ...(init.signal ? { signal: init.signal } : {}) });
      }
      const response = await undiciFetch(String(url), { ...(init as object), dispatcher, redirect: 'error' });
      const { status, headers } = response;
      const isStream = (headers.get('content-type') ?? '').includes('text/event-stream');
      const body =
        response.body === null
          ? null
          : (response.body as unknown as ReadableStream<Uint8Array>).pipeThrough(this.#bounded(isStream));
      return new Response(body, { status, headers: [...headers] });
    };
  }

  #bounded(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
    const count = isStream ? eventsIn() : listsIn();
    let bytes = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        this.#onWork();
        bytes += chunk.byteLength;
        this.#bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES || this.#bytes > MAX_QUESTION_BYTES || count(chunk) > MAX_MESSAGES)
          controller.error(new Error('its answer is too long'));
        else controller.enqueue(chunk);
      },
    });
  }
}

/** Counts the events of a stream by its empty lines, before anybody parses them. */
function eventsIn(): (chunk: Uint8Array) => number {
  let events = 0;
  let lineBytes = 0;
  let last = 0;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte !== LF && byte !== CR) lineBytes++;
      else if (byte === CR || last !== CR) {
        if (lineBytes === 0) events++;
        lineBytes = 0;
      }
      last = byte;
    }
    return events;
  };
}

/** A list of messages (MCP before 2025-06-18) answers no single request: it counts as too many. */
function listsIn(): (chunk: Uint8Array) => number {
  let first: string | null = null;
  return (chunk) => {
    first ??= Buffer.from(chunk).toString('latin1').trimStart()[0] ?? null;
    return first === '[' ? Number.POSITIVE_INFINITY : 1;
  };
}

type Handler = StreamableHTTPClientTransport['onmessage'];
type Message = Parameters<NonNullable<Handler>>[0];

/** Lets answers through, and of the server's own messages one `ping` at a time. */
export class QuietTransport extends StreamableHTTPClientTransport {
  #isPinged = false;

  constructor(url: URL, options: ConstructorParameters<typeof StreamableHTTPClientTransport>[1]) {
    super(url, options);
    let handler: Handler;
    // The client sets it once it has the transport, and the transport calls it.
    Object.defineProperty(this, 'onmessage', {
      set: (given: Handler) => {
        handler = given;
      },
      get: (): Handler => {
        const take = handler;
        return take && ((message: Message) => (this.#isWanted(message) ? take(message) : undefined));
      },
    });
  }

  override async send(...given: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    const [message] = given;
    const isReply = !Array.isArray(message) && !('method' in message);
    try {
      await super.send(...given);
    } finally {
      if (isReply) this.#isPinged = false;
    }
  }

  #isWanted(message: Message): boolean {
    if (!('method' in message)) return true;
    if (message.method !== 'ping' || !('id' in message) || this.#isPinged) return false;
    this.#isPinged = true;
    return true;
  }
}
