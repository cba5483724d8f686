// The WebSocket server with `ws`, used if uWebSockets.js is not installed. A refused upgrade gets a plain 401, so an
// unknown, a used and an expired token look the same. Before joining, a connection has a few seconds, and an address a
// few such connections, so that clients without a token cannot use up the server.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import {
  type AudioSocket,
  type AudioSocketHandler,
  type AudioSocketServer,
  type AudioSocketServerOptions,
  MAX_CONNECTIONS,
  MAX_MESSAGE_BYTES,
  PING_MS,
  REFUSED,
  UPGRADE_DEADLINE_MS,
} from './audio-socket.ts';
import { admitUpgrade } from './handshake.ts';
import { Joining } from './joining.ts';
import { FLOODED, SocketBudget } from './socket-budget.ts';

/** A client that was closed for flooding reads so long that it was; nothing more is read of it. */
const LAST_WORD_MS = 1_000;

/** Resolves when the server listens. @throws the error of `listen` */
export async function startWs(options: AudioSocketServerOptions): Promise<AudioSocketServer> {
  const server = new WsServer(options);
  await server.listen();
  return server;
}

class WsServer implements AudioSocketServer {
  readonly library = 'ws';
  readonly #options: AudioSocketServerOptions;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #pings: NodeJS.Timeout;
  readonly #joining: Joining;
  /** Connections that have not joined, each with a function that releases its place. */
  readonly #leave = new Map<Duplex, () => void>();
  /** The sub-protocol for the answer to a request. */
  readonly #protocols = new WeakMap<IncomingMessage, string>();

  constructor(options: AudioSocketServerOptions) {
    this.#options = options;
    this.#joining = new Joining(options.sourceOf);
    this.#http = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (_request, response) => {
      response.writeHead(426, { 'content-type': 'text/plain', connection: 'close' }).end('WebSocket only\n');
    });
    this.#http.maxConnections = MAX_CONNECTIONS;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      clientTracking: true,
      handleProtocols: (_offered, request) => this.#protocols.get(request) ?? false,
    });
    this.#http.on('connection', (socket) => this.#admit(socket));
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#pings = setInterval(() => {
      for (const client of this.#sockets.clients) client.ping();
    }, PING_MS);
    this.#pings.unref();
  }

  async listen(): Promise<void> {
    const { host, port, onFault } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, () => {
        this.#http.off('error', reject);
        this.#http.on('error', onFault);
        resolve();
      });
    });
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
    const address = socket.remoteAddress ?? '';
    if (!this.#joining.add(address)) {
      socket.destroy();
      return;
    }
    const deadline = setTimeout(() => socket.destroy(), this.#options.upgradeDeadlineMs ?? UPGRADE_DEADLINE_MS);
    this.#leave.set(socket, () => {
      clearTimeout(deadline);
      this.#joining.remove(address);
    });
    socket.once('close', () => this.#joined(socket));
  }

  /** The connection has joined or closed. */
  #joined(socket: Duplex): void {
    this.#leave.get(socket)?.();
    this.#leave.delete(socket);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener, a reset before the end of the handshake would be an uncaught error.
    socket.on('error', () => socket.destroy());
    const asked = { target: request.url ?? '', protocols: request.headers['sec-websocket-protocol'] ?? '' };
    const guest = admitUpgrade(this.#options, asked, () => this.#joined(socket));
    if (!guest) {
      // A client that leaves its half open would occupy the place.
      socket.once('finish', () => socket.destroy());
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    if (guest.protocol !== null) this.#protocols.set(request, guest.protocol);
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#serve(client, socket, guest.handler));
  }

  #serve(client: WebSocket, socket: Duplex, handler: AudioSocketHandler): void {
    const guard = (action: () => void) => {
      try {
        action();
      } catch (error) {
        client.terminate();
        this.#options.onFault(error);
      }
    };
    // For an overlong message or a broken frame `ws` itself closes the socket, and `close` follows.
    client.on('error', () => undefined);
    const budget = new SocketBudget(this.#options.now);
    let isFlooded = false;
    const mayTake = (messages: number, bytes: number): boolean => {
      if (isFlooded || budget.takes(messages, bytes)) return !isFlooded;
      isFlooded = true;
      client.close(FLOODED.code, FLOODED.reason);
      client.pause();
      setTimeout(() => client.terminate(), LAST_WORD_MS).unref();
      return false;
    };
    client.on('message', (data: RawData, isBinary: boolean) => {
      if (!mayTake(1, 0)) return;
      if (isBinary) guard(() => handler.audio(data as Buffer));
      else guard(() => handler.text(data.toString()));
    });
    client.on('ping', () => mayTake(1, 0));
    client.on('pong', () => {
      if (mayTake(1, 0)) guard(() => handler.alive());
    });
    // As they came, with the heads of frames, which may be all that there is.
    socket.on('data', (bytes: Buffer) => mayTake(0, bytes.length));
    client.on('close', () => guard(() => handler.closed()));
    guard(() => {
      if (!handler.opened(asAudioSocket(client, socket))) client.close(REFUSED, 'the call has a socket already');
    });
  }
}

/** Without compression the library writes each frame at once and whole, so that others may be written between them. */
function asAudioSocket(client: WebSocket, socket: Duplex): AudioSocket {
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
    sendFramed: (frame) => {
      if (client.readyState === client.OPEN) socket.write(frame);
    },
    close: (code, reason) => client.close(code, reason),
  };
}
