// Connections that hold what they do not use: unread answers, and too many from one address.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../api/frame/app.ts';
import { boundConnections, inTurn } from '../../../api/plugins/connections.ts';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';

const LARGE = Buffer.alloc(64 * 1024 * 1024);

async function server(limits: { perAddress?: number; unreadMs?: number }, trusted: string[] = []) {
  const app = fastify({ logger: false, serverFactory: (handle) => createServer(inTurn(handle)) });
  boundConnections(app as unknown as App, trusted, limits);
  app.get('/large', async (_request, reply) => reply.send(LARGE));
  app.get('/small', async () => 'ok');
  let inWork = 0;
  app.get('/slow', () => {
    inWork++;
    return new Promise(() => {});
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    inWork: () => inWork,
    open: async (path?: string): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return socket;
    },
    fetch: async () => (await fetch(`http://127.0.0.1:${port}/small`, { headers: { connection: 'close' } })).status,
    connections: () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count))),
    async close() {
      for (const socket of sockets) socket.destroy();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

test('a client that reads nothing of its answer is cut off', { timeout: 20_000 }, async () => {
  const service = await server({ unreadMs: 200 });
  const socket = await service.open('/large');
  socket.pause();
  await eventually(async () => (await service.connections()) === 0);
  await service.close();
});

test('at its bound an address loses its oldest idle connection, and is answered', { timeout: 20_000 }, async () => {
  const service = await server({ perAddress: 4 });
  const idle = await Promise.all([1, 2, 3, 4].map(() => service.open()));
  assert.equal(await service.fetch(), 200);
  await eventually(async () => idle.some((socket) => socket.closed));
  assert.equal(idle.filter((socket) => socket.closed).length, 1);
  await service.close();
});

test('where all its connections wait for answers, another one is refused', { timeout: 20_000 }, async () => {
  const service = await server({ perAddress: 3 });
  for (let n = 0; n < 3; n++) await service.open('/slow');
  await eventually(() => service.inWork() === 3);
  await assert.rejects(service.fetch());
  await service.close();
});

test('the connections of a trusted proxy are not counted', { timeout: 20_000 }, async () => {
  const service = await server({ perAddress: 2 }, ['127.0.0.0/8']);
  for (let n = 0; n < 5; n++) await service.open('/slow');
  assert.equal(await service.fetch(), 200);
  await service.close();
});

test('what a connection sends ahead is answered in its order, one request at a time', { timeout: 20_000 }, async () => {
  let [inWork, most, served] = [0, 0, 0];
  const app = fastify({ logger: false, serverFactory: (handle) => createServer(inTurn(handle)) });
  let known = 0;
  app.server.on('request', () => known++);
  app.get('/:n', async (request) => {
    most = Math.max(most, ++inWork);
    await comesToRest();
    inWork--;
    served++;
    return `<${(request.params as { n: string }).n}>`;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (count: number): Promise<string> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const requests = Array.from({ length: count }, (_, n) => {
      const last = n === count - 1 ? 'Connection: close\r\n' : '';
      return `GET /${n} HTTP/1.1\r\nHost: x\r\n${last}\r\n`;
    });
    socket.write(requests.join(''));
    let heard = '';
    socket.on('data', (data) => {
      heard += data;
    });
    await once(socket, 'close');
    return [...heard.matchAll(/<(\d+)>/g)].map(([, n]) => n).join(' ');
  };
  assert.equal(await ask(5), '0 1 2 3 4');
  assert.equal(most, 1);
  const before = { served, known };
  await ask(500);
  assert.ok(served - before.served <= 1, 'a connection that sends hundreds ahead is closed');
  assert.ok(known - before.known < 30, `${known - before.known} of its requests were looked at`);
  await app.close();
});
