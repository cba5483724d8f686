// An in-memory network of datagrams and streams on the virtual clock. Endpoints bind their own addresses, packets
// arrive after a fixed delay, and a test can drop, count or read any of them.

import type { VirtualClock } from '../../../bench/rig/clock.ts';
import type {
  AdmitConnection,
  Datagrams,
  Listener,
  Names,
  Network,
  SrvRecord,
  Stream,
  StreamHandlers,
  TransportAddress,
} from '../../../engine/sip/stack/network/network.ts';

interface Packet {
  from: TransportAddress;
  to: TransportAddress;
  bytes: Buffer;
  atMs: number;
}

function keyOf({ address, port }: TransportAddress): string {
  return `${address}|${port}`;
}

export class MemoryNetwork {
  readonly #clock: VirtualClock;
  readonly #sockets = new Map<string, (bytes: Buffer, from: TransportAddress) => void>();
  readonly #listeners = new Map<string, { admit: AdmitConnection; accepted: (stream: Stream) => void }>();
  /** All sent datagrams, including lost ones. */
  readonly packets: Packet[] = [];
  readonly hosts = new Map<string, string[]>();
  /** The name server; a test may let it take its time. */
  lookUp = async (host: string): Promise<string[]> => this.hosts.get(host) ?? [];
  readonly srv = new Map<string, SrvRecord[]>();
  /** True for a datagram to drop. */
  loses: (packet: Packet) => boolean = () => false;
  /** Rewrites a datagram as a proxy on the path would. */
  rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes;
  delayMs = 1;
  /** The name in the certificate of a TLS server, by address; other servers match any name. */
  readonly certificates = new Map<string, string>();
  readonly #open = new Set<() => void>();
  #nextPort = 20_000;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  get nowMs(): number {
    return this.#clock.nowMs();
  }

  bind(at: TransportAddress, received: (bytes: Buffer, from: TransportAddress) => void): Datagrams {
    const local = { address: at.address, port: at.port || this.#nextPort++ };
    this.#sockets.set(keyOf(local), received);
    return {
      local,
      send: (bytes, to) => {
        const packet = { from: local, to, bytes: Buffer.from(this.rewrite(bytes)), atMs: this.#clock.nowMs() };
        this.packets.push(packet);
        if (this.loses(packet)) return;
        this.#clock.after(this.delayMs, () => this.#sockets.get(keyOf(to))?.(packet.bytes, local));
      },
      close: () => this.#sockets.delete(keyOf(local)),
    };
  }

  #pair(client: TransportAddress, server: TransportAddress, released: () => void): [Stream, Stream] {
    const ends: Array<{ handlers: StreamHandlers | null; open: boolean }> = [
      { handlers: null, open: true },
      { handlers: null, open: true },
    ];
    const close = () => {
      this.#open.delete(close);
      if (ends[1]?.open) released();
      for (const end of ends) {
        if (!end.open) continue;
        end.open = false;
        this.#clock.after(this.delayMs, () => end.handlers?.closed(null));
      }
    };
    const make = (own: number, remote: TransportAddress): Stream => ({
      remote,
      pendingBytes: 0,
      handle: (handlers) => {
        const end = ends[own];
        if (end) end.handlers = handlers;
      },
      write: (bytes) => {
        const copy = Buffer.from(bytes);
        const far = ends[1 - own];
        if (ends[own]?.open) this.#clock.after(this.delayMs, () => far?.open && far.handlers?.data(copy));
      },
      end: () => void this.#clock.after(this.delayMs, close),
      destroy: close,
    });
    this.#open.add(close);
    this.#clock.after(this.delayMs, () => ends[0]?.handlers?.connected());
    return [make(0, server), make(1, client)];
  }

  /** Opens a stream to a listener; without one it closes at once with an error. */
  connect(from: string, to: TransportAddress, serverName: string | null = null): Stream {
    const certified = this.certificates.get(to.address);
    const trusted = serverName === null || certified === undefined || certified === serverName;
    const listener = trusted ? this.#listeners.get(keyOf(to)) : undefined;
    const client = { address: from, port: this.#nextPort++ };
    let destroy = (): void => {};
    const released = listener?.admit(client, () => destroy());
    if (!listener || !released) {
      let handlers: StreamHandlers | null = null;
      this.#clock.after(this.delayMs, () => handlers?.closed(new Error('connection refused')));
      return {
        remote: to,
        pendingBytes: 0,
        handle: (next) => {
          handlers = next;
        },
        write() {},
        end() {},
        destroy() {},
      };
    }
    const [near, far] = this.#pair(client, to, released);
    destroy = () => far.destroy();
    this.#clock.after(this.delayMs, () => listener.accepted(far));
    return near;
  }

  /** Breaks every stream, like a restart of a firewall on the path. */
  breakStreams(): void {
    for (const close of [...this.#open]) close();
  }

  /** The network interface of one host. */
  hostAt(address: string): Network {
    const names: Names = {
      addresses: (host) => this.lookUp(host),
      services: async (name) => this.srv.get(name) ?? [],
    };
    return {
      names,
      bindDatagrams: async (at, received) => this.bind({ ...at, address }, received),
      listen: async (at, _tls, admit, accepted): Promise<Listener> => {
        const local = { address, port: at.port };
        this.#listeners.set(keyOf(local), { admit, accepted });
        return { local, close: () => this.#listeners.delete(keyOf(local)) };
      },
      connect: (to, tls) => this.connect(address, to, tls?.serverName),
    };
  }
}
