// The WebSocket server for browser calls, by `ws`. Its owner authorizes each upgrade. A refused one gets a plain 401, so an
// unknown, a used and an expired token look the same. Until it has joined, a connection has a few seconds, and its address a
// few such connections: without a token nobody can fill the door.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { AudioSocket } from './socket-transport.ts';

/** Receives the events of one joined socket. */
export interface AudioSocketHandler {
  /** False when the call has a socket already; then this one is closed. */
  opened(socket: AudioSocket): boolean;
  audio(bytes: Uint8Array): void;
  /** A pong or a text message. */
  alive(): void;
  closed(): void;
}

export interface AudioSocketServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Called once per upgrade; null refuses it. */
  authorize: (callId: string, token: string) => AudioSocketHandler | null;
  /** A handler threw. */
  onFault: (error: unknown) => void;
  /** From the connection to the end of the handshake. */
  upgradeDeadlineMs?: number;
  /** Whom the connections of an address are counted for; default: the address itself. */
  sourceOf?: (address: string) => string;
}

// 2 s of audio at 16 kHz: a page that was asleep. More is no microphone.
const MAX_MESSAGE_BYTES = 65_536;
const MAX_CONNECTIONS = 2000;
// Connections that have not joined yet. A proxy in front brings those of all browsers, for the milliseconds of a handshake.
const MAX_JOINING_PER_SOURCE = 64;
const MAX_JOINING = 512;
const UPGRADE_DEADLINE_MS = 5000;
// A tab that vanished is noticed by its missing pongs within the 20 s after which media counts as lost.
const PING_MS = 5000;
const PATH = /^\/calls\/([A-Za-z0-9_-]{1,64})$/;
const MAX_TOKEN_CHARS = 512;

export class AudioSocketServer {
  readonly #options: AudioSocketServerOptions;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #pings: NodeJS.Timeout;
  readonly #joining: Joining;

  private constructor(options: AudioSocketServerOptions) {
    this.#options = options;
    this.#joining = new Joining(options.sourceOf ?? ((address) => address));
    this.#http = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (_request, response) => {
      response.writeHead(426, { 'content-type': 'text/plain', connection: 'close' }).end('WebSocket only\n');
    });
    this.#http.maxConnections = MAX_CONNECTIONS;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      clientTracking: true,
    });
    this.#http.on('connection', (socket) => this.#admit(socket));
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#pings = setInterval(() => {
      for (const client of this.#sockets.clients) client.ping();
    }, PING_MS);
    this.#pings.unref();
  }

  /** Resolves when the server listens. @throws the error of `listen` */
  static async start(options: AudioSocketServerOptions): Promise<AudioSocketServer> {
    const server = new AudioSocketServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', reject);
      server.#http.listen(options.port, options.host, () => {
        server.#http.off('error', reject);
        server.#http.on('error', options.onFault);
        resolve();
      });
    });
    return server;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    clearInterval(this.#pings);
    for (const client of this.#sockets.clients) client.terminate();
    await new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
      this.#http.closeAllConnections();
    });
  }

  #admit(socket: Socket): void {
    if (!this.#joining.add(socket)) {
      socket.destroy();
      return;
    }
    const deadline = setTimeout(() => {
      if (this.#joining.has(socket)) socket.destroy();
    }, this.#options.upgradeDeadlineMs ?? UPGRADE_DEADLINE_MS);
    socket.once('close', () => {
      clearTimeout(deadline);
      this.#joining.remove(socket);
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener, a reset before the end of the handshake would be an uncaught error.
    socket.on('error', () => socket.destroy());
    const handler = this.#authorize(request);
    if (!handler) {
      // A client that leaves its half open would keep the place.
      socket.once('finish', () => socket.destroy());
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#joining.remove(socket);
      this.#serve(client, handler);
    });
  }

  #authorize(request: IncomingMessage): AudioSocketHandler | null {
    let url: URL;
    try {
      url = new URL(request.url ?? '', 'ws://media');
    } catch {
      return null;
    }
    const callId = PATH.exec(url.pathname)?.[1];
    const token = url.searchParams.get('token');
    if (callId === undefined || token === null || token.length > MAX_TOKEN_CHARS) return null;
    return this.#options.authorize(callId, token);
  }

  #serve(client: WebSocket, handler: AudioSocketHandler): void {
    const guard = (action: () => void) => {
      try {
        action();
      } catch (error) {
        client.terminate();
        this.#options.onFault(error);
      }
    };
    // On a message that is too long or a broken frame `ws` closes the socket itself, and `close` follows.
    client.on('error', () => undefined);
    client.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) guard(() => handler.audio(data as Buffer));
      else guard(() => handler.alive());
    });
    client.on('pong', () => guard(() => handler.alive()));
    client.on('close', () => guard(() => handler.closed()));
    guard(() => {
      if (!handler.opened(asAudioSocket(client))) client.close(1008, 'the call has a socket already');
    });
  }
}

/** The connections that have not joined yet, by their source. */
class Joining {
  readonly #sourceOf: (address: string) => string;
  readonly #sources = new Map<Duplex, string>();
  readonly #counts = new Map<string, number>();

  constructor(sourceOf: (address: string) => string) {
    this.#sourceOf = sourceOf;
  }

  /** False if there are too many, of that source or in all. */
  add(socket: Socket): boolean {
    const source = this.#sourceOf(socket.remoteAddress ?? '');
    const count = this.#counts.get(source) ?? 0;
    if (count >= MAX_JOINING_PER_SOURCE || this.#sources.size >= MAX_JOINING) return false;
    this.#sources.set(socket, source);
    this.#counts.set(source, count + 1);
    return true;
  }

  has(socket: Duplex): boolean {
    return this.#sources.has(socket);
  }

  remove(socket: Duplex): void {
    const source = this.#sources.get(socket);
    if (source === undefined) return;
    this.#sources.delete(socket);
    const left = (this.#counts.get(source) ?? 0) - 1;
    if (left > 0) this.#counts.set(source, left);
    else this.#counts.delete(source);
  }
}

function asAudioSocket(client: WebSocket): AudioSocket {
  return {
    get bufferedBytes() {
      return client.bufferedAmount;
    },
    sendBinary: (bytes) => {
      if (client.readyState === client.OPEN) client.send(bytes, { binary: true });
    },
    sendText: (text) => {
      if (client.readyState === client.OPEN) client.send(text);
    },
    close: (code, reason) => client.close(code, reason),
  };
}
