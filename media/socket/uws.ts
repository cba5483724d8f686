// The WebSocket server with uWebSockets.js, which uses less CPU than `ws`. It is not in the lockfile, because it has
// binaries for a few machines only; it runs where install-uws.mjs has put it, as in the image. One difference from
// `ws`: the library itself closes a connection without a request after 10 s, whatever `upgradeDeadlineMs` says.
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

/** Types for the part of the package that is used; the package has its own, but may not be installed. */
interface Uws {
  App(): UwsApp;
  us_socket_local_port(listening: object): number;
}

interface UwsApp {
  filter(connected: (response: UwsResponse, change: number) => void): UwsApp;
  ws(path: string, behaviour: object): UwsApp;
  any(path: string, answer: (response: UwsResponse) => void): UwsApp;
  listen(host: string, port: number, options: number, listening: (socket: object | false) => void): UwsApp;
  close(): UwsApp;
}

interface UwsResponse {
  onAborted(aborted: () => void): void;
  getRemoteAddressAsText(): ArrayBuffer;
  writeStatus(status: string): UwsResponse;
  end(body: string, closes: boolean): void;
  close(): void;
  upgrade(visit: Visit, key: string, protocol: string, extensions: string, context: object): void;
}

interface UwsRequest {
  getUrl(): string;
  getQuery(): string;
  getHeader(name: string): string;
}

interface UwsSocket {
  getUserData(): Visit;
  getBufferedAmount(): number;
  send(message: Uint8Array | string, isBinary: boolean): number;
  ping(): number;
  /** Closes with a close frame. */
  end(code: number, reason: string): void;
  /** Closes at once. */
  close(): void;
}

/** The server's state of a socket. */
interface Visit {
  address: string;
  handler: AudioSocketHandler;
  /** Its place among the unjoined connections was released. */
  hasJoined: boolean;
  deadline: NodeJS.Timeout | null;
  budget: SocketBudget;
}

const PACKAGE: string = 'uWebSockets.js';
// Without it two servers may listen on one port, and each gets a part of the connections.
const EXCLUSIVE_PORT = 1;
// Twice the backlog that a call's transport allows, so that the library itself never drops a message.
const MAX_UNSENT_BYTES = 131_072;

/** Null if the package is not installed, or has no build for this machine. */
export async function loadUws(): Promise<Uws | null> {
  try {
    const loaded: { default: Uws } = await import(PACKAGE);
    return loaded.default;
  } catch {
    return null;
  }
}

/** Resolves when the server listens. @throws if the port is taken */
export async function startUws(uws: Uws, options: AudioSocketServerOptions): Promise<AudioSocketServer> {
  const server = new UwsServer(uws, options);
  await server.listen();
  return server;
}

class UwsServer implements AudioSocketServer {
  readonly library = 'uWebSockets.js';
  readonly #uws: Uws;
  readonly #options: AudioSocketServerOptions;
  readonly #app: UwsApp;
  readonly #sockets = new Set<UwsSocket>();
  readonly #joining: Joining;
  readonly #pings: NodeJS.Timeout;
  #port = 0;

  constructor(uws: Uws, options: AudioSocketServerOptions) {
    this.#uws = uws;
    this.#options = options;
    this.#joining = new Joining(options.sourceOf);
    this.#app = uws
      .App()
      .filter((response, change) => this.#admit(response, change))
      .ws('/*', {
        maxPayloadLength: MAX_MESSAGE_BYTES,
        maxBackpressure: MAX_UNSENT_BYTES,
        idleTimeout: 0,
        sendPingsAutomatically: false,
        upgrade: (response: UwsResponse, request: UwsRequest, context: object) =>
          this.#upgrade(response, request, context),
        open: (socket: UwsSocket) => this.#opened(socket),
        message: (socket: UwsSocket, message: ArrayBuffer, isBinary: boolean) =>
          this.#guard(socket, ({ handler, budget }) => {
            if (!budget.takes(1, message.byteLength)) return this.#end(socket);
            if (isBinary) handler.audio(new Uint8Array(message));
            else handler.text(Buffer.from(message).toString());
          }),
        ping: (socket: UwsSocket, message: ArrayBuffer) =>
          this.#guard(socket, ({ budget }) => {
            if (!budget.takes(1, message.byteLength)) this.#end(socket);
          }),
        pong: (socket: UwsSocket, message: ArrayBuffer) =>
          this.#guard(socket, ({ handler, budget }) => {
            if (budget.takes(1, message.byteLength)) handler.alive();
            else this.#end(socket);
          }),
        close: (socket: UwsSocket) => this.#closed(socket),
      })
      .any('/*', (response) => {
        this.#joining.remove(addressOf(response));
        response.writeStatus('426 Upgrade Required').end('WebSocket only\n', true);
      });
    this.#pings = setInterval(() => {
      for (const socket of this.#sockets) socket.ping();
    }, PING_MS);
    this.#pings.unref();
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#app.listen(host, port, EXCLUSIVE_PORT, (listening) => {
        if (listening === false) {
          reject(Object.assign(new Error(`listen EADDRINUSE: ${host}:${port}`), { code: 'EADDRINUSE' }));
          return;
        }
        this.#port = this.#uws.us_socket_local_port(listening);
        resolve();
      });
    });
  }

  get port(): number {
    return this.#port;
  }

  async stop(): Promise<void> {
    clearInterval(this.#pings);
    this.#app.close();
  }

  // Before its upgrade the library identifies a connection only by its address, so its place is released by address.
  #admit(response: UwsResponse, change: number): void {
    // -1: the connection was closed.
    if (change !== 1) return;
    const address = addressOf(response);
    if (this.#sockets.size + this.#joining.total >= MAX_CONNECTIONS || !this.#joining.add(address)) {
      response.close();
      return;
    }
    // Fires only for a connection that closes before it was answered or upgraded.
    response.onAborted(() => this.#joining.remove(address));
  }

  #upgrade(response: UwsResponse, request: UwsRequest, context: object): void {
    const address = addressOf(response);
    const query = request.getQuery();
    const protocols = request.getHeader('sec-websocket-protocol');
    const asked = { target: query === '' ? request.getUrl() : `${request.getUrl()}?${query}`, protocols };
    let visit: Visit | null = null;
    let hasJoined = false;
    const guest = admitUpgrade(this.#options, asked, () => {
      hasJoined = true;
      if (visit) this.#joined(visit);
    });
    if (!guest) {
      this.#joining.remove(address);
      response.writeStatus('401 Unauthorized').end('', true);
      return;
    }
    const budget = new SocketBudget(this.#options.now);
    visit = { address, handler: guest.handler, hasJoined: false, deadline: null, budget };
    if (hasJoined) this.#joined(visit);
    const key = request.getHeader('sec-websocket-key');
    response.upgrade(visit, key, guest.protocol ?? '', request.getHeader('sec-websocket-extensions'), context);
  }

  #joined(visit: Visit): void {
    if (visit.hasJoined) return;
    visit.hasJoined = true;
    this.#joining.remove(visit.address);
    if (visit.deadline) clearTimeout(visit.deadline);
  }

  #opened(socket: UwsSocket): void {
    this.#sockets.add(socket);
    const visit = socket.getUserData();
    if (!visit.hasJoined) {
      const waitMs = this.#options.upgradeDeadlineMs ?? UPGRADE_DEADLINE_MS;
      visit.deadline = setTimeout(() => this.#cut(socket), waitMs);
    }
    this.#guard(socket, ({ handler }) => {
      if (!handler.opened(this.#asAudioSocket(socket))) socket.end(REFUSED, 'the call has a socket already');
    });
  }

  #closed(socket: UwsSocket): void {
    this.#sockets.delete(socket);
    const visit = socket.getUserData();
    this.#joined(visit);
    this.#guard(socket, ({ handler }) => handler.closed());
  }

  /** The library throws if a closed socket is used. */
  #cut(socket: UwsSocket): void {
    if (this.#sockets.has(socket)) socket.close();
  }

  #end(socket: UwsSocket): void {
    if (this.#sockets.has(socket)) socket.end(FLOODED.code, FLOODED.reason);
  }

  #guard(socket: UwsSocket, action: (visit: Visit) => void): void {
    try {
      action(socket.getUserData());
    } catch (error) {
      this.#cut(socket);
      this.#options.onFault(error);
    }
  }

  #asAudioSocket(socket: UwsSocket): AudioSocket {
    const isOpen = (): boolean => this.#sockets.has(socket);
    return {
      get bufferedBytes() {
        return isOpen() ? socket.getBufferedAmount() : 0;
      },
      sendBinary: (bytes) => {
        if (isOpen()) socket.send(bytes, true);
      },
      sendText: (text) => {
        if (isOpen()) socket.send(text, false);
      },
      close: (code, reason) => {
        if (isOpen()) socket.end(code, reason);
      },
    };
  }
}

function addressOf(response: UwsResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString();
}
