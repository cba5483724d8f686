// A WebSocket to a recogniser that stays open during a call. A broken one is opened again after a moment; its owner
// then sends the audio of the open utterances again.
import { WebSocket } from 'ws';
import { refusalOf, retryAfterMs, unreachableError, type Vendor, VendorError } from '../../vendors/vendor.ts';

const CONNECT_DEADLINE_MS = 4_000;
/** Delays of consecutive tries before the owner is told; the next utterance starts them again. */
const RETRY_DELAYS_MS = [0, 250, 1_000];
/** Most bytes that may wait in the socket: about 15 s of 16 kHz audio in base64. */
const MAX_BUFFERED_BYTES = 1_000_000;

interface VendorSocketOptions {
  vendor: Vendor;
  url(): URL;
  headers: Record<string, string>;
  /** The socket is open, for the first time or again. */
  onOpen(): void;
  onText(text: string): void;
  /** The socket cannot be opened or keeps breaking. The next `wake` tries again. */
  onDown(error: VendorError): void;
  /** Sent on an idle socket, so that the vendor does not close it; null: not needed. */
  keepAlive: { everyMs: number; text: string } | null;
}

export class VendorSocket {
  readonly #options: VendorSocketOptions;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #isClosed = false;
  #retry: NodeJS.Timeout | null = null;
  #alive: NodeJS.Timeout | null = null;
  #lastSentAtMs = 0;

  constructor(options: VendorSocketOptions) {
    this.#options = options;
    const { keepAlive } = options;
    if (keepAlive) {
      this.#alive = setInterval(() => {
        if (performance.now() - this.#lastSentAtMs >= keepAlive.everyMs) this.send(keepAlive.text);
      }, keepAlive.everyMs);
      this.#alive.unref();
    }
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Tries again if it had given up. */
  wake(): void {
    if (this.#socket || this.#retry || this.#isClosed) return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Dropped while the socket is not open: the owner repeats the necessary messages in `onOpen`. */
  send(data: string | Uint8Array): void {
    if (!this.isOpen || !this.#socket) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      // The server does not read any more.
      this.#socket.terminate();
      return;
    }
    this.#lastSentAtMs = performance.now();
    this.#socket.send(data);
  }

  /** Sends `farewell` first, if the vendor has such a message. */
  close(farewell: string | null): void {
    this.#isClosed = true;
    if (this.#alive) clearInterval(this.#alive);
    if (this.#retry) clearTimeout(this.#retry);
    const socket = this.#socket;
    if (!socket) return;
    if (socket.readyState !== WebSocket.OPEN) {
      socket.terminate();
      return;
    }
    if (farewell !== null) socket.send(farewell);
    socket.close(1000);
    // A server that does not answer the close must not keep the socket open.
    setTimeout(() => socket.terminate(), 1_000).unref();
  }

  /** The vendor reported a fault that makes this connection useless. */
  restart(error: VendorError): void {
    const socket = this.#socket;
    this.#lost(socket, error);
    socket?.terminate();
  }

  #connect(): void {
    const { vendor, url, headers, onOpen, onText } = this.#options;
    const socket = new WebSocket(url(), {
      headers,
      handshakeTimeout: CONNECT_DEADLINE_MS,
      maxPayload: 1_048_576,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket = socket;
    let refusal: VendorError | null = null;
    socket.on('open', () => {
      this.#lastSentAtMs = performance.now();
      onOpen();
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary || this.#socket !== socket) return;
      this.#attempt = 0;
      onText(String(data));
    });
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.length < 64 && chunks.push(chunk));
      response.on('end', () => {
        const after = response.headers['retry-after'] ?? null;
        const body = Buffer.concat(chunks).toString('utf8');
        refusal = refusalOf(vendor, response.statusCode ?? 0, body, retryAfterMs(after));
        this.#lost(socket, refusal);
        socket.terminate();
      });
      response.on('error', () => this.#lost(socket, unreachableError(vendor, null)));
    });
    socket.on('error', (error) => this.#lost(socket, refusal ?? unreachableError(vendor, error)));
    socket.on('close', (code, reason) => {
      const text = /^[\w-]{1,40}$/.test(String(reason)) ? ` ${reason}` : '';
      this.#lost(socket, new VendorError('broken', `${vendor.name} closed the socket (${code}${text})`));
    });
  }

  #lost(socket: WebSocket | null, error: VendorError): void {
    if (this.#isClosed || socket === null || this.#socket !== socket) return;
    this.#socket = null;
    const delayMs = isHopeless(error) ? undefined : RETRY_DELAYS_MS[this.#attempt++];
    if (delayMs === undefined) {
      this.#options.onDown(error);
      return;
    }
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#connect();
    }, delayMs);
  }
}

/** A wrong key or model stays wrong. */
function isHopeless(error: VendorError): boolean {
  return error.fault === 'credentials' || error.fault === 'refused' || error.fault === 'busy';
}
