// Limits on connections, independent of their requests: the number for one address, the requests that one may send
// ahead, and the time that an answer may stay unread. A client that does not read fills the kernel's buffers and ours,
// at the expense of other clients.
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { addressTest, sourceNetwork } from '../../db/shared/source-network.ts';
import type { App } from '../frame/app.ts';

/** A browser opens six, a busy integration some dozens. */
const CONNECTIONS_PER_ADDRESS_MAX = 256;
/** An answer of which not one byte was taken for so long is given up. */
const UNREAD_MAX_MS = 30_000;
/** Requests of one connection that wait while another is answered. Browsers and client libraries send none ahead. */
const AHEAD_MAX = 16;

interface Limits {
  perAddress?: number;
  unreadMs?: number;
}

/** `trusted`: proxies, which are not counted because their connections serve many clients. */
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
  // Node calls this when neither side has sent anything and no write has progressed for this time; with this listener,
  // also at the end of a keep-alive instead of closing the connection. A connection with a running request must stay.
  app.server.setTimeout(unreadMs, (socket: Socket) => {
    if (socket.writableLength > 0 || (busy.get(socket) ?? 0) === 0) socket.destroy();
  });
}

/** Closes the oldest connection without a request; false if all have one. */
function giveUpIdle(sockets: ReadonlySet<Socket>, busy: WeakMap<Socket, number>): boolean {
  for (const socket of sockets) {
    if ((busy.get(socket) ?? 0) > 0) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/**
 * Answers a connection's requests one after the other. Node hands over all requests that one read brings at once: a few
 * clients that send hundreds ahead would have them all worked on before anybody else's.
 */
export function inTurn(handle: RequestListener): RequestListener {
  /** Of sockets with a request in work: the requests after it. */
  const ahead = new WeakMap<Socket, Array<Parameters<RequestListener>>>();
  const start = (...[request, response]: Parameters<RequestListener>): void => {
    const { socket } = request;
    response.once('close', () => {
      const next = ahead.get(socket)?.shift();
      if (next === undefined || socket.destroyed) ahead.delete(socket);
      else setImmediate(start, ...next);
    });
    handle(request, response);
  };
  return (request, response) => {
    const waiting = ahead.get(request.socket);
    if (waiting === undefined) {
      ahead.set(request.socket, []);
      start(request, response);
    } else if (waiting.length < AHEAD_MAX) waiting.push([request, response]);
    else cutOff(request.socket);
  };
}

/** Node's parser of a connection, of which its types know nothing. */
interface Parser {
  onIncoming?: () => number;
}

/**
 * Ends a connection. Node would go on to the end of the bytes that it has read, which may hold two thousand requests,
 * and make each of them known: those are only passed over, without a body (2).
 */
function cutOff(socket: Socket & { parser?: Parser | null }): void {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 2;
  socket.destroy();
}
