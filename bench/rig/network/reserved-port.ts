// Reserves ports of loopback for programs that have to be told theirs, before they start or start again. A listener of
// our own binds port 0 instead. Nobody gets a reserved port by chance, because the system gives higher ones to sockets
// that ask for any; other processes that reserve see that its odd neighbour is bound.
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/** Between the ports for RTP of a service (docs/configuration.md) and those of the bench's siege. */
const FIRST = 30_000;
const PAIRS = 500;
const HOST = '127.0.0.1';

let next = process.pid % PAIRS;

/** Free for UDP and TCP; reserved until this process ends. @throws Error if none is left */
export async function reservePort(): Promise<number> {
  for (let tried = 0; tried < PAIRS; tried++) {
    const port = FIRST + 2 * (next++ % PAIRS);
    const lock = await bound(port + 1);
    if (lock === null) continue;
    if (await isFree(port)) {
      lock.unref();
      return port;
    }
    lock.close();
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + 2 * PAIRS - 1} is left`);
}

/** Null: somebody has it. */
function bound(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind(port, HOST, () => resolve(socket));
  });
}

async function isFree(port: number): Promise<boolean> {
  const socket = await bound(port);
  if (socket === null) return false;
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
