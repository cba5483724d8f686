// The transport layer of RFC 3261 18: one UDP socket, TCP and TLS listeners, and connections, reused by remote address.
// The layers above see only bytes and flows; each sender learns of its own failures.

import { sourceNetwork } from '../../../../db/shared/source-network.ts';
import type { Clock } from '../../../clock.ts';
import { StreamFramer } from '../wire/stream-framer.ts';
import type {
  AdmitConnection,
  Datagrams,
  Listener,
  Network,
  Protocol,
  Stream,
  TlsFiles,
  TransportAddress,
} from './network.ts';

/** Where a message came from, and where its response goes. */
export interface Flow {
  protocol: Protocol;
  remote: TransportAddress;
  connectionId: number | null;
}

export interface Destination {
  protocol: Protocol;
  remote: TransportAddress;
  /** For TLS: the name that the certificate must carry. */
  serverName: string | null;
}

interface TransportConfig {
  host: string;
  port: number;
  tls: { port: number; files: TlsFiles } | null;
}

interface TransportRules {
  /**
   * The number of connections that an address may have open (0: none). `trunk`: it may also use the places for trunks.
   */
  connections(address: string): { limit: number; trunk: boolean };
  refused(address: string): void;
  /** The name that the certificate at that address must carry; null if it is not known by name. */
  serverName(address: string): string | null;
  /** True while a call's messages come over this connection. */
  inUse(connectionId: number): boolean;
}

interface TransportLog {
  warn(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** `broken`: the last bytes of a stream; they are no whole message, but may be answered. */
type ReceiveBytes = (bytes: Buffer, flow: Flow, broken: boolean) => void;

interface Connection {
  id: number;
  protocol: Protocol;
  remote: TransportAddress;
  /** Opened by the peer. */
  accepted: boolean;
  /** Opened by us for an answer, since the one of its request was closed. */
  forAnswer: boolean;
  /** It has brought a whole message. */
  proven: boolean;
  stream: Stream;
  framer: StreamFramer;
  connected: boolean;
  /** Keep-alives of this second. */
  pings: { sinceMs: number; count: number };
  queued: Array<{ bytes: Buffer; failed: (error: Error) => void }>;
  stopTimer: () => void;
}

/** A connection of a peer, from before its TLS handshake. */
interface Admission {
  from: TransportAddress;
  destroy: () => void;
}

// Two per trunk would do. Above this, new connections are refused and existing ones kept; connections that we open
// ourselves are not limited by it.
const MAX_ACCEPTED = 1024;
const MAX_ACCEPTED_BESIDE_TRUNKS = 768;
const MAX_OPENED = 1024;
// To one network, for answers whose connection is closed: the port is the sender's choice.
const MAX_OPENED_FOR_ANSWERS = 4;
// Time to complete a message, and for a new connection to send its first one (half-open peers).
const UNFINISHED_TIMEOUT_MS = 10_000;
// For a connection without a call that a peer opened, or made us open: there will be another for its next message.
const UNUSED_TIMEOUT_MS = 60_000;
// For our own connections. Longer than our longest session refresh (900 s), so a flow in use never counts as idle.
const IDLE_TIMEOUT_MS = 3_600_000;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_QUEUED = 64;
const MAX_PENDING_BYTES = 1 << 20;
// Clients send one in half a minute (RFC 5626 4.4.1).
const MAX_PINGS_PER_SECOND = 20;

const KEEP_ALIVE_PONG = Buffer.from('\r\n');
const KEEP_ALIVE_PING = Buffer.from('\r\n\r\n');

function connectionKey(protocol: Protocol, remote: TransportAddress): string {
  return `${protocol}|${remote.address}|${remote.port}`;
}

function idleTimeoutMs({ accepted, forAnswer }: Connection): number {
  return accepted || forAnswer ? UNUSED_TIMEOUT_MS : IDLE_TIMEOUT_MS;
}

function flowOf({ protocol, remote, id }: Connection): Flow {
  return { protocol, remote, connectionId: id };
}

export class TransportLayer {
  readonly #network: Network;
  readonly #clock: Clock;
  readonly #log: TransportLog;
  readonly #received: ReceiveBytes;
  readonly #rules: TransportRules;
  /** Accepted connections by the peer's network, oldest first. */
  readonly #accepted = new Map<string, Set<Admission>>();
  #acceptedCount = 0;
  readonly #connections = new Map<number, Connection>();
  readonly #byRemote = new Map<string, number>();
  #datagrams: Datagrams | null = null;
  #listeners: Listener[] = [];
  #nextId = 1;
  #ports: Record<Protocol, number> = { udp: 0, tcp: 0, tls: 0 };

  constructor(network: Network, clock: Clock, log: TransportLog, rules: TransportRules, received: ReceiveBytes) {
    this.#network = network;
    this.#clock = clock;
    this.#log = log;
    this.#received = received;
    this.#rules = rules;
  }

  /** Binds UDP and TCP on the same port, and TLS where configured. */
  async start({ host, port, tls }: TransportConfig): Promise<void> {
    // With port 0, the port that UDP gets may be in use for TCP: then try another, a few times.
    for (let attempt = 0; ; attempt++) {
      const datagrams = await this.#network.bindDatagrams({ address: host, port }, (bytes, remote) =>
        this.#deliver(bytes, { protocol: 'udp', remote, connectionId: null }, false),
      );
      try {
        const listener = await this.#listen({ address: host, port: datagrams.local.port }, null);
        this.#datagrams = datagrams;
        this.#listeners.push(listener);
        this.#ports.udp = this.#ports.tcp = datagrams.local.port;
        break;
      } catch (error) {
        datagrams.close();
        if (port !== 0 || attempt >= 9) throw error;
      }
    }
    if (tls) {
      const listener = await this.#listen({ address: host, port: tls.port }, tls.files);
      this.#listeners.push(listener);
      this.#ports.tls = listener.local.port;
    }
  }

  #listen(at: TransportAddress, tls: TlsFiles | null): Promise<Listener> {
    const admit: AdmitConnection = (from, destroy) => this.#admit(from, destroy);
    return this.#network.listen(at, tls, admit, (stream) => this.#accept(stream, tls ? 'tls' : 'tcp'));
  }

  /** The port that peers reach us on; 0 if that transport is off. */
  port(protocol: Protocol): number {
    return this.#ports[protocol];
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  stop(): void {
    this.#datagrams?.close();
    this.#datagrams = null;
    for (const listener of this.#listeners) listener.close();
    for (const connection of [...this.#connections.values()]) this.#drop(connection, 'stopped');
    this.#listeners = [];
  }

  /** Sends a request, over an existing connection if there is one. `failed` is called at most once. */
  send(bytes: Buffer, to: Destination, failed: (error: Error) => void): void {
    if (to.protocol === 'udp') {
      this.#sendDatagram(bytes, to.remote, failed);
      return;
    }
    const connection = this.#connectionTo(to) ?? this.#open(to);
    if (connection) this.#write(connection, bytes, failed);
    else this.#later(failed, new Error('no connection can be opened'));
  }

  /**
   * Responds on the flow of the request: on UDP to its source, with or without `rport` (RFC 3581), since a NAT lets
   * nothing else through. If its connection is gone, over one to `fallback` (RFC 3261 18.2.2); without a fallback the
   * response is lost, so that nobody makes us open connections by what needs no transaction.
   */
  reply(bytes: Buffer, flow: Flow, fallback: TransportAddress | null, failed: (error: Error) => void): void {
    if (flow.protocol === 'udp') {
      this.#sendDatagram(bytes, flow.remote, failed);
      return;
    }
    const own = flow.connectionId === null ? undefined : this.#connections.get(flow.connectionId);
    const connection = own ?? (fallback && this.#forAnswer(flow.protocol, fallback));
    if (connection) this.#write(connection, bytes, failed);
    else this.#later(failed, new Error('the connection of the request is closed'));
  }

  #forAnswer(protocol: Protocol, remote: TransportAddress): Connection | null {
    const to = { protocol, remote, serverName: this.#rules.serverName(remote.address) };
    const network = sourceNetwork(remote.address);
    const opened = [...this.#connections.values()].filter(
      (each) => each.forAnswer && sourceNetwork(each.remote.address) === network,
    );
    const mayOpen = opened.length < MAX_OPENED_FOR_ANSWERS;
    return this.#connectionTo(to) ?? (mayOpen ? this.#open(to, true) : null);
  }

  #connectionTo({ protocol, remote }: Omit<Destination, 'serverName'>): Connection | undefined {
    return this.#connections.get(this.#byRemote.get(connectionKey(protocol, remote)) ?? 0);
  }

  /** The flow without its connection if that is closed: the peer must then be reached at its Contact. */
  current(flow: Flow): Flow {
    const open = flow.connectionId === null || this.#connections.has(flow.connectionId);
    return open ? flow : { ...flow, connectionId: null };
  }

  /** RFC 5626 4.4.1: keeps a NAT binding alive. Returns the id of the flow (0 for UDP), null if there is none. */
  keepAlive(to: Destination): number | null {
    if (to.protocol === 'udp') {
      this.#sendDatagram(KEEP_ALIVE_PING, to.remote, () => {});
      return 0;
    }
    const connection = this.#connectionTo(to);
    if (connection?.connected) connection.stream.write(KEEP_ALIVE_PING);
    return connection?.id ?? null;
  }

  #later(failed: (error: Error) => void, error: Error): void {
    this.#clock.after(0, () => failed(error));
  }

  #sendDatagram(bytes: Buffer, to: TransportAddress, failed: (error: Error) => void): void {
    if (!this.#datagrams) {
      this.#later(failed, new Error('transport is stopped'));
      return;
    }
    try {
      this.#datagrams.send(bytes, to, failed);
    } catch (error) {
      this.#later(failed, error instanceof Error ? error : new Error(String(error)));
    }
  }

  #deliver(bytes: Buffer, flow: Flow, broken: boolean): void {
    try {
      this.#received(bytes, flow, broken);
    } catch (error) {
      // The layers above guard each call; this is the last resort, so that no datagram ends the process.
      this.#log.warn({ err: error, remote: flow.remote }, 'message handling failed');
    }
  }

  #admit(from: TransportAddress, destroy: () => void): (() => void) | null {
    const { limit, trunk } = this.#rules.connections(from.address);
    const source = sourceNetwork(from.address);
    const own = this.#accepted.get(source) ?? new Set();
    const isFull = own.size >= limit || this.#acceptedCount >= (trunk ? MAX_ACCEPTED : MAX_ACCEPTED_BESIDE_TRUNKS);
    if (isFull && !this.#giveUpHalfRead(own)) {
      this.#rules.refused(from.address);
      return null;
    }
    const admission: Admission = { from, destroy };
    this.#accepted.set(source, own.add(admission));
    this.#acceptedCount++;
    return () => this.#release(source, admission);
  }

  #release(source: string, admission: Admission): void {
    const own = this.#accepted.get(source);
    if (!own?.delete(admission)) return;
    this.#acceptedCount--;
    if (own.size === 0) this.#accepted.delete(source);
  }

  /**
   * Closes the oldest of these connections that has brought no whole message, or only the half of its next one: who
   * leaves messages unfinished keeps nobody else of the address out.
   */
  #giveUpHalfRead(own: ReadonlySet<Admission>): boolean {
    for (const admission of own) {
      const connection = this.#acceptedFrom(admission.from);
      if (connection?.proven && connection.framer.heldBytes === 0) continue;
      if (connection && this.#rules.inUse(connection.id)) continue;
      this.#release(sourceNetwork(admission.from.address), admission);
      admission.destroy();
      return true;
    }
    return false;
  }

  #acceptedFrom(from: TransportAddress): Connection | undefined {
    for (const protocol of ['tcp', 'tls'] as const) {
      const connection = this.#connectionTo({ protocol, remote: from });
      if (connection?.accepted) return connection;
    }
    return undefined;
  }

  #accept(stream: Stream, protocol: Protocol): void {
    const connection = this.#add(stream, protocol, stream.remote, true);
    this.#watch(connection, UNFINISHED_TIMEOUT_MS);
  }

  #open(to: Destination, forAnswer = false): Connection | null {
    if (this.#openedCount >= MAX_OPENED || this.#datagrams === null) return null;
    const tls = to.protocol === 'tls' ? { serverName: to.serverName ?? to.remote.address } : null;
    const connection = this.#add(this.#network.connect(to.remote, tls), to.protocol, to.remote, false);
    connection.forAnswer = forAnswer;
    this.#watch(connection, CONNECT_TIMEOUT_MS);
    return connection;
  }

  get #openedCount(): number {
    return [...this.#connections.values()].filter(({ accepted }) => !accepted).length;
  }

  #add(stream: Stream, protocol: Protocol, remote: TransportAddress, accepted: boolean): Connection {
    const connection: Connection = {
      id: this.#nextId++,
      protocol,
      remote,
      accepted,
      forAnswer: false,
      proven: false,
      stream,
      framer: new StreamFramer(),
      connected: accepted,
      pings: { sinceMs: 0, count: 0 },
      queued: [],
      stopTimer: () => {},
    };
    this.#connections.set(connection.id, connection);
    this.#byRemote.set(connectionKey(protocol, remote), connection.id);
    stream.handle({
      connected: () => this.#connected(connection),
      data: (bytes) => this.#data(connection, bytes),
      closed: (error) => this.#drop(connection, error?.message ?? 'closed'),
    });
    return connection;
  }

  #connected(connection: Connection): void {
    connection.connected = true;
    this.#watch(connection, idleTimeoutMs(connection));
    for (const { bytes } of connection.queued) connection.stream.write(bytes);
    connection.queued = [];
  }

  #data(connection: Connection, bytes: Buffer): void {
    // The peer of a connection that was given up may go on sending.
    if (!this.#connections.has(connection.id)) return;
    const frames = connection.framer.push(bytes);
    // CRLF pings keep only our own connections open; an accepted one needs messages or calls.
    connection.proven ||= frames.some(({ type }) => type !== 'ping');
    const alive = frames.some(({ type }) => type !== 'ping') || !connection.accepted;
    if (frames.length > 0 && connection.framer.heldBytes > 0) this.#watch(connection, UNFINISHED_TIMEOUT_MS);
    else if (frames.length > 0 && alive) this.#watch(connection, idleTimeoutMs(connection));
    else if (connection.framer.heldBytes === bytes.length) this.#watch(connection, UNFINISHED_TIMEOUT_MS);
    for (const frame of frames) {
      // One of them may have closed it: then nobody hears the rest.
      if (!this.#connections.has(connection.id)) return;
      if (frame.type === 'ping') this.#pong(connection);
      else {
        this.#deliver(frame.bytes, flowOf(connection), frame.type === 'broken');
      }
      if (frame.type === 'broken') {
        this.#log.debug({ remote: connection.remote, reason: frame.reason }, 'stream cut off');
        this.#clock.after(0, () => this.#drop(connection, frame.reason));
      }
    }
  }

  /** A peer that sends them in masses, or reads no answer, costs a system call each time, and memory. */
  #pong(connection: Connection): void {
    const { pings, stream } = connection;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - pings.sinceMs >= 1_000) Object.assign(pings, { sinceMs: nowMs, count: 0 });
    if (++pings.count > MAX_PINGS_PER_SECOND) this.#drop(connection, 'too many keep-alives');
    else if (stream.pendingBytes < MAX_PENDING_BYTES) stream.write(KEEP_ALIVE_PONG);
  }

  #watch(connection: Connection, timeoutMs: number): void {
    connection.stopTimer();
    connection.stopTimer = this.#clock.after(timeoutMs, () => {
      // A message that was never completed is answered 400 if its head can be read.
      const unfinished = connection.framer.heldBytes > 0;
      if (!unfinished && connection.connected && this.#rules.inUse(connection.id)) {
        this.#watch(connection, idleTimeoutMs(connection));
        return;
      }
      if (unfinished) this.#deliver(connection.framer.abandon(), flowOf(connection), true);
      this.#drop(connection, 'timed out');
    });
  }

  #write(connection: Connection, bytes: Buffer, failed: (error: Error) => void): void {
    if (connection.connected) {
      if (connection.stream.pendingBytes > MAX_PENDING_BYTES) {
        connection.stream.destroy();
        this.#drop(connection, 'peer does not read');
      } else connection.stream.write(bytes);
    } else if (connection.queued.length < MAX_QUEUED) connection.queued.push({ bytes, failed });
    else this.#later(failed, new Error('too many messages wait for this connection'));
  }

  #drop(connection: Connection, reason: string): void {
    if (!this.#connections.delete(connection.id)) return;
    const key = connectionKey(connection.protocol, connection.remote);
    if (this.#byRemote.get(key) === connection.id) this.#byRemote.delete(key);
    connection.stopTimer();
    connection.stream.end();
    const queued = connection.queued;
    connection.queued = [];
    for (const { failed } of queued) failed(new Error(reason));
  }
}
