// A way to a server that a drill can cut, or lead to another server.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class TcpRelay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #targetPort: number;
  #isCut = false;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
  }

  /** On a free port of `host`, to a port of 127.0.0.1. */
  static async start(targetPort: number, host = '127.0.0.1'): Promise<TcpRelay> {
    const server = createServer({ noDelay: true });
    const relay = new TcpRelay(server, targetPort);
    server.on('connection', (inner) => relay.#connect(inner));
    server.listen(0, host);
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** New connections go there; those that there are end. */
  leadTo(targetPort: number): void {
    this.#targetPort = targetPort;
    this.#endAll();
  }

  /** Every connection ends, and a new one is refused. */
  cut(): void {
    this.#isCut = true;
    this.#endAll();
  }

  /** Nothing passes any more, and nobody is told: as behind a failed switch. */
  freeze(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Connections that were frozen go on; ones that were cut may be made again. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#endAll();
    this.#server.close();
  }

  #connect(inner: Socket): void {
    if (this.#isCut) {
      inner.destroy();
      return;
    }
    const outer = connect({ port: this.#targetPort, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (data) => to.write(data));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}
