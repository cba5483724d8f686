// Bounds on connections, whatever they ask: how many one address may hold, and how long one may leave an answer unread.
// The kernel's buffers and ours fill for a client that does not read, and nobody else should pay for it.
import type { Socket } from 'node:net';
import { addressTest, sourceNetwork } from '../../db/shared/source-network.ts';
import type { App } from '../app.ts';

/** A browser opens six, a busy integration some dozens. */
const CONNECTIONS_PER_ADDRESS_MAX = 256;
/** An answer of which not one byte was taken for so long is given up. */
const UNREAD_MAX_MS = 30_000;

interface Limits {
  perAddress?: number;
  unreadMs?: number;
}

/** `trusted`: proxies, whose connections are those of everybody behind them and are not counted. */
export function boundConnections(app: App, trusted: readonly string[], limits: Limits = {}): void {
  const { perAddress = CONNECTIONS_PER_ADDRESS_MAX, unreadMs = UNREAD_MAX_MS } = limits;
  const open = new Map<string, Set<Socket>>();
  /** Sockets with a request that has not been answered. */
  const busy = new WeakMap<Socket, number>();
  const isTrusted = addressTest(trusted);

  app.server.on('connection', (socket: Socket) => {
    const address = sourceNetwork(socket.remoteAddress ?? '');
    if (isTrusted(address)) return;
    const sockets = open.get(address) ?? new Set();
    if (sockets.size >= perAddress && !giveUpIdle(sockets, busy)) {
      socket.destroy();
      return;
    }
    open.set(address, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) open.delete(address);
    });
  });
  app.server.on('request', ({ socket }, response) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => busy.set(socket, (busy.get(socket) ?? 1) - 1));
  });
  // Node calls this when neither side has sent anything for so long and no write has made progress; and, where somebody
  // listens, instead of ending a connection whose keep-alive is over. One with a request in work waits for its answer.
  app.server.setTimeout(unreadMs, (socket: Socket) => {
    if (socket.writableLength > 0 || (busy.get(socket) ?? 0) === 0) socket.destroy();
  });
}

/** Closes the oldest connection without a request; false where each of them has one. */
function giveUpIdle(sockets: ReadonlySet<Socket>, busy: WeakMap<Socket, number>): boolean {
  for (const socket of sockets) {
    if ((busy.get(socket) ?? 0) > 0) continue;
    socket.destroy();
    return true;
  }
  return false;
}
