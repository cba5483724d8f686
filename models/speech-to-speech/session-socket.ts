// The WebSocket of one session: opened once, watched, and never opened again: a session's conversation is on the
// server, and is lost with it. Its owner then answers by other means, so that every way in which a socket can die must
// be noticed soon: it closes, it is refused, or it says nothing while an answer is due.
import { WebSocket } from 'ws';
import { recordOf } from '../../db/domain/unexpected.ts';
import type { LlmErrorCode } from '../llm/llm.ts';
import { systemTimers, type Timers } from '../llm/timers.ts';
import { refusalOf, retryAfterMs, unreachableError, type Vendor, type VendorError } from '../vendors/vendor.ts';

/** From the call's beginning to a session that stands. The greeting is spoken meanwhile. */
const OPEN_WITHIN_MS = 5_000;
/** A server that owes an answer, or the rest of one, says something within this time. */
const STALLED_MS = 2_500;
/**
 * Share of that time in the middle of an answer: 1.5 s. A server that has begun to speak sends faster than it is heard,
 * and need not think any more; the cascade's answer is to be heard within 2 s of what the caller heard last.
 */
const SPEAKING_SHARE = 0.6;
/** A path that has gone without a word shows at a ping, before the caller has waited for an answer. */
const PING_EVERY_MS = 5_000;
/** A server that does not answer the close must not keep the socket open. */
const CLOSE_WITHIN_MS = 1_000;
/** Most bytes that may wait in the socket: about 15 s of audio in base64. */
const MAX_BUFFERED_BYTES = 1_000_000;
/** Messages that wait for the session to stand: some seconds of audio. */
const MAX_EARLY = 1_000;
/**
 * With which a vendor closes a socket whose setup it does not take: RFC 6455 7.4.1, invalid payload data and policy
 * violation. Its reason may repeat what was sent, the key too.
 */
const REFUSALS = [1007, 1008];
/** A whole answer may come in few messages. */
const MAX_MESSAGE_BYTES = 16_777_216;

interface SessionSocketOptions {
  vendor: Vendor;
  url: URL;
  headers: Record<string, string>;
  /** The connection stands: the setup may be sent. */
  onOpen(): void;
  onMessage(message: Record<string, unknown>): void;
  /** Called once; nothing comes after it. */
  onLost(code: LlmErrorCode, message: string): void;
  timers?: Timers | undefined;
}

export class SessionSocket {
  readonly #options: SessionSocketOptions;
  readonly #socket: WebSocket;
  readonly #timers: Timers;
  /** Cancel what is armed. */
  readonly #stopOpening: () => void;
  #stopPings: () => void = () => undefined;
  #stopWatch: () => void = () => undefined;
  #stopClosing: () => void = () => undefined;
  #isAnswerDue = false;
  #isSpeaking = false;
  #isPonged = true;
  /** Messages from before the session stood; null: it stands. */
  #early: string[] | null = [];
  #isOver = false;

  constructor(options: SessionSocketOptions) {
    this.#options = options;
    const { vendor, url, headers, timers = systemTimers } = options;
    this.#timers = timers;
    this.#stopOpening = timers.after(OPEN_WITHIN_MS, () =>
      this.lose('LLM_TIMEOUT', `${vendor.name} did not open a session within ${OPEN_WITHIN_MS} ms`),
    );
    this.#awaitPing();
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: OPEN_WITHIN_MS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket = socket;
    socket.on('open', () => options.onOpen());
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('pong', () => {
      this.#isPonged = true;
    });
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.length < 64 && chunks.push(chunk));
      response.on('end', () => {
        const after = retryAfterMs(response.headers['retry-after'] ?? null);
        const body = Buffer.concat(chunks).toString('utf8');
        this.#fail(refusalOf(vendor, response.statusCode ?? 0, body, after));
      });
      response.on('error', () => this.#fail(unreachableError(vendor, null)));
    });
    socket.on('error', (error) => this.#fail(unreachableError(vendor, error)));
    socket.on('close', (code) => {
      this.#stopClosing();
      this.#closed(code);
    });
  }

  /** The server has taken the setup: what waited is sent. */
  stands(): void {
    this.#stopOpening();
    const early = this.#early ?? [];
    this.#early = null;
    for (const text of early) this.#send(text);
  }

  /** Part of the setup: sent at once. */
  sendFirst(message: Record<string, unknown>): void {
    this.#send(JSON.stringify(message));
  }

  /** Kept until the session stands. */
  send(message: Record<string, unknown>): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    if (this.#isOver) return;
    if (this.#early === null) return this.#send(text);
    if (this.#early.length < MAX_EARLY) this.#early.push(text);
    else this.lose('LLM_TIMEOUT', `${this.#options.vendor.name} has not taken the session's setup`);
  }

  /** Whether the server owes an answer, or the rest of one. */
  set isAnswerDue(isDue: boolean) {
    this.#isAnswerDue = isDue;
    this.#isSpeaking = false;
    this.#watch();
  }

  /** The answer that is due has begun to sound. */
  sounds(): void {
    this.#isSpeaking = true;
    this.#watch();
  }

  lose(code: LlmErrorCode, message: string): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onLost(code, message);
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#early = [];
    this.#stopOpening();
    this.#stopPings();
    this.#stopWatch();
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) {
      socket.terminate();
      return;
    }
    socket.close(1000);
    this.#stopClosing = this.#timers.after(CLOSE_WITHIN_MS, () => socket.terminate());
  }

  #closed(code: number): void {
    const { name, prefix } = this.#options.vendor;
    if (this.#early !== null && REFUSALS.includes(code))
      this.lose('LLM_REFUSED', `${name} refused the session (${code}): are ${prefix}_API_KEY, model and voice right?`);
    else this.lose('LLM_UNAVAILABLE', `${name} closed the socket (${code})`);
  }

  #fail(error: VendorError): void {
    const isRefusal = error.fault === 'credentials' || error.fault === 'refused' || error.fault === 'busy';
    this.lose(isRefusal ? 'LLM_REFUSED' : 'LLM_UNAVAILABLE', error.message);
  }

  #receive(text: string): void {
    if (this.#isOver) return;
    if (this.#isAnswerDue) this.#watch();
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.lose('LLM_GARBAGE', `${this.#options.vendor.name} sent no JSON`);
    }
    this.#options.onMessage(recordOf(message));
  }

  #watch(): void {
    this.#stopWatch();
    if (!this.#isAnswerDue || this.#isOver) return;
    const { vendor } = this.#options;
    const stalledMs = STALLED_MS * (this.#isSpeaking ? SPEAKING_SHARE : 1);
    this.#stopWatch = this.#timers.after(stalledMs, () =>
      this.lose('LLM_TIMEOUT', `${vendor.name} said nothing for ${stalledMs} ms while an answer was due`),
    );
  }

  #awaitPing(): void {
    this.#stopPings = this.#timers.after(PING_EVERY_MS, () => {
      this.#awaitPing();
      this.#pingOnce();
    });
  }

  #pingOnce(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (!this.#isPonged)
      return this.lose('LLM_UNAVAILABLE', `${this.#options.vendor.name} does not answer pings any more`);
    this.#isPonged = false;
    this.#socket.ping();
  }

  #send(text: string): void {
    if (this.#isOver || this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES)
      return this.lose('LLM_UNAVAILABLE', `${this.#options.vendor.name} does not read any more`);
    this.#socket.send(text);
  }
}
