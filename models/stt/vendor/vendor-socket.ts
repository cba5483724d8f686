// A WebSocket to a recogniser that stays up for the length of a call. When it breaks it is opened again after a moment,
// and its owner then sends the open utterances' audio once more.
import { WebSocket } from 'ws';
import { refusalOf, retryAfterMs, unreachableError, type Vendor, VendorError } from '../../vendors/vendor.ts';

const CONNECT_DEADLINE_MS = 4_000;
/** Tries in a row before the owner is told; the next utterance begins them again. */
const RETRY_DELAYS_MS = [0, 250, 1_000];
/** What may wait in the socket, in bytes: about 15 s of 16 kHz audio in base64. */
const MAX_BUFFERED_BYTES = 1_000_000;

export interface VendorSocketOptions {
  vendor: Vendor;
  url(): URL;
  headers: Record<string, string>;
  /** The socket is open, at first or again. */
  onOpen(): void;
  onText(text: string): void;
  /** It cannot be opened, or breaks again and again. The next `wake` tries anew. */
  onDown(error: VendorError): void;
  /** Sent while nothing else was, so that the vendor does not hang up; null where it needs none. */
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

  /** Tries again where it had given up. */
  wake(): void {
    if (this.#socket || this.#retry || this.#isClosed) return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Dropped while the socket is not open: its owner sends again what is still needed in `onOpen`. */
  send(data: string | Uint8Array): void {
    if (!this.isOpen || !this.#socket) return;
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      // The other side reads no more.
      this.#socket.terminate();
      return;
    }
    this.#lastSentAtMs = performance.now();
    this.#socket.send(data);
  }

  /** `farewell` is sent first where the vendor has one. */
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
    // A server that does not answer the close keeps nothing open here.
    setTimeout(() => socket.terminate(), 1_000).unref();
  }

  /** The vendor reported a fault after which nothing more will come on this connection. */
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

/** A wrong key or model will be wrong the next time too. */
function isHopeless(error: VendorError): boolean {
  return error.fault === 'credentials' || error.fault === 'refused' || error.fault === 'busy';
}
