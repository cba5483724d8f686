// Finds a free port of loopback, for a program that needs a port number.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

export async function freePort(transport: 'udp' | 'tcp'): Promise<number> {
  if (transport === 'udp') {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { port } = socket.address();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    return port;
  }
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
