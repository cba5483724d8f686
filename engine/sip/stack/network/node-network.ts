// The network interface on Node's sockets. Names are resolved by dns.resolve*, never by lookup: that runs in libuv's
// thread pool, where a slow name server would stall the recorder's writes.
import { createSocket } from 'node:dgram';
import { resolve4, resolve6, resolveSrv } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, createServer, isIP, isIPv6, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { addressFor, unmapped } from '../../../../media/rtp/mapped-address.ts';
import type {
  AdmitConnection,
  Datagrams,
  Listener,
  Names,
  Network,
  Stream,
  StreamHandlers,
  TlsClient,
  TlsFiles,
  TransportAddress,
} from './network.ts';

const LINGER_MS = 1_000;

function bindDatagrams(
  at: TransportAddress,
  received: (bytes: Buffer, from: TransportAddress) => void,
): Promise<Datagrams> {
  return new Promise((resolve, reject) => {
    const family = isIPv6(at.address) ? 6 : 4;
    const socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      recvBufferSize: 1 << 20,
      lookup: (host, _options, done) => done(null, addressFor(family, host), family),
    });
    socket.once('error', reject);
    socket.on('message', (bytes, info) => received(bytes, { address: unmapped(info.address), port: info.port }));
    socket.bind({ address: at.address, port: at.port, exclusive: true }, () => {
      socket.removeListener('error', reject);
      // Some systems report ICMP errors here; lost datagrams are left to the retransmission timers.
      socket.on('error', () => {});
      resolve({
        local: { address: at.address, port: socket.address().port },
        send(bytes, to, failed) {
          socket.send(bytes, to.port, to.address, (error) => {
            if (error) failed(error);
          });
        },
        close: () => socket.close(),
      });
    });
  });
}

function wrapSocket(socket: Socket, remote: TransportAddress, connectedEvent: string | null): Stream {
  let handlers: StreamHandlers | null = null;
  let failure: Error | null = null;
  socket.setNoDelay(true);
  // The kernel detects a peer that vanished without FIN, with or without RFC 5626 keep-alives.
  socket.setKeepAlive(true, 30_000);
  socket.on('data', (bytes) => handlers?.data(typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    const last = handlers;
    handlers = null;
    last?.closed(failure);
  });
  if (connectedEvent) socket.once(connectedEvent, () => handlers?.connected());
  return {
    remote,
    get pendingBytes() {
      return socket.writableLength;
    },
    handle(next) {
      handlers = next;
    },
    write(bytes) {
      if (!socket.destroyed) socket.write(bytes);
    },
    end() {
      if (socket.destroyed) return;
      socket.end();
      // Bounds a peer that neither reads nor closes.
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    },
    destroy: () => socket.destroy(),
  };
}

function remoteOf(socket: Socket): TransportAddress {
  return {
    address: unmapped(socket.remoteAddress ?? '0.0.0.0'),
    port: socket.remotePort ?? 0,
  };
}

function listen(
  at: TransportAddress,
  tls: TlsFiles | null,
  admit: AdmitConnection,
  accepted: (stream: Stream) => void,
): Promise<Listener> {
  const take = (socket: Socket) => accepted(wrapSocket(socket, remoteOf(socket), null));
  const options = { minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const;
  const secure = tls && createTlsServer({ ...options, cert: tls.certPem, key: tls.keyPem }, take);
  secure?.on('tlsClientError', () => {});
  const connected = (socket: Socket) => {
    const released = admit(remoteOf(socket), () => socket.destroy());
    if (released === null) {
      socket.resetAndDestroy();
      return;
    }
    socket.once('close', released);
    if (secure) secure.emit('connection', socket);
    else take(socket);
  };
  return new Promise((resolve, reject) => {
    const server: Server = createServer(connected);
    server.once('error', reject);
    server.listen({ host: at.address, port: at.port, backlog: 256 }, () => {
      server.removeListener('error', reject);
      server.on('error', () => {});
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : at.port;
      resolve({ local: { address: at.address, port }, close: () => server.close() });
    });
  });
}

function connect(to: TransportAddress, tls: TlsClient | null, trusted: readonly string[]): Stream {
  const hostPort = { host: to.address, port: to.port };
  if (!tls) return wrapSocket(connectTcp(hostPort), to, 'connect');
  const name = isIP(tls.serverName) ? {} : { servername: tls.serverName };
  // The system's authorities and NODE_EXTRA_CA_CERTS, unless a test passes its own.
  const authorities = trusted.length > 0 ? { ca: [...trusted] } : {};
  const options = { ...hostPort, ...name, ...authorities, minVersion: 'TLSv1.2' } as const;
  return wrapSocket(connectTls(options), to, 'secureConnect');
}

const NO_SUCH_RECORD = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN']);

async function orNone<T>(query: Promise<T[]>): Promise<T[]> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_SUCH_RECORD.has(String(error.code))) return [];
    throw error;
  }
}

/** Addresses from the hosts file, which dns.resolve* does not read. */
async function addressesInHosts(host: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  const entries = text.split('\n').map((line) => (line.split('#')[0] ?? '').trim().split(/\s+/));
  const found = entries.filter(([, ...names]) => names.some((name) => name.toLowerCase() === host.toLowerCase()));
  return found.map(([address]) => address ?? '').filter((address) => isIP(address) !== 0);
}

const names: Names = {
  async addresses(host) {
    // RFC 6761 6.3: always loopback, without asking a name server.
    if (host === 'localhost') return ['127.0.0.1'];
    const local = await addressesInHosts(host);
    if (local.length > 0) return local;
    const four = await orNone(resolve4(host));
    return four.length > 0 ? four : await orNone(resolve6(host));
  },
  services: (name) => orNone(resolveSrv(name)),
};

/** `trusted`: PEM certificates in place of the system's authorities. */
export function createNodeNetwork(trusted: readonly string[] = []): Network {
  return {
    bindDatagrams,
    listen,
    connect: (to, tls) => connect(to, tls, trusted),
    names,
  };
}
