// A client that asks for much at once waits for itself: others' requests are begun between its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../api/frame/app.ts';
import { beginFairly } from '../../../api/plugins/fair-turns.ts';

/** One connection is accepted in each turn of the event loop. */
async function accepted(app: Pick<App, 'server'>, count: number): Promise<void> {
  const connections = (): Promise<number> => new Promise((done) => app.server.getConnections((_, now) => done(now)));
  while ((await connections()) < count) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends each request on a connection of its own, all in the same turn of the event loop. */
async function orderOf(
  requests: ReadonlyArray<{ from: string; path?: string; headers?: string }>,
  trustProxy: string[] = [],
): Promise<string[]> {
  const app = fastify({ logger: false, trustProxy: trustProxy.length > 0 ? trustProxy : false });
  beginFairly(app as unknown as App);
  const begun: string[] = [];
  const take = async (request: { ip: string; url: string }) => begun.push(`${request.ip} ${request.url}`);
  app.get('/list', take);
  app.get('/healthz', take);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sockets = await Promise.all(
    requests.map(async ({ from }) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: from }).on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }),
  );
  await accepted(app, requests.length);
  const answered = Promise.all(sockets.map((socket) => once(socket, 'data')));
  for (const [index, { path = '/list', headers = '' }] of requests.entries())
    sockets[index]?.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  await answered;
  for (const socket of sockets) socket.destroy();
  await app.close();
  return begun;
}

const many = (from: string, headers = '') => Array.from({ length: 40 }, () => ({ from, headers }));

test('one request of another address is begun after the next of forty', async () => {
  const order = await orderOf([...many('127.0.0.2'), { from: '127.0.0.3' }]);
  assert.equal(order.length, 41);
  assert.ok(order.indexOf('127.0.0.3 /list') <= 2, String(order.indexOf('127.0.0.3 /list')));
});

test('the question of a monitor is begun so, from the same address too', async () => {
  const order = await orderOf([...many('127.0.0.2'), { from: '127.0.0.2', path: '/healthz' }]);
  assert.ok(order.indexOf('127.0.0.2 /healthz') <= 2, String(order.indexOf('127.0.0.2 /healthz')));
});

test('the question of a monitor waits for one request, however many networks bring some', async () => {
  const networks = Array.from({ length: 40 }, (_, n) => ({ from: `127.0.0.${100 + n}` }));
  const order = await orderOf([...networks, { from: '127.0.0.2', path: '/healthz' }]);
  assert.ok(order.indexOf('127.0.0.2 /healthz') <= 2, String(order.indexOf('127.0.0.2 /healthz')));
});

test('a flood of such questions has every other turn', async () => {
  const flood = Array.from({ length: 40 }, (_, n) => ({ from: `127.0.0.${100 + n}`, path: '/healthz' }));
  const order = await orderOf([...flood, { from: '127.0.0.2' }]);
  assert.ok(order.indexOf('127.0.0.2 /list') <= 3, String(order.indexOf('127.0.0.2 /list')));
});

test('behind a trusted proxy its clients are told apart', async () => {
  const busy = many('127.0.0.1', 'X-Forwarded-For: 203.0.113.7\r\n');
  const other = { from: '127.0.0.1', headers: 'X-Forwarded-For: 203.0.113.8\r\n' };
  const order = await orderOf([...busy, other], ['127.0.0.1']);
  assert.ok(order.indexOf('203.0.113.8 /list') <= 2, String(order.indexOf('203.0.113.8 /list')));
});

test('a client that has gone is not worked for', async () => {
  const app = fastify({ logger: false });
  beginFairly(app as unknown as App);
  let begun = 0;
  app.get('/list', async () => {
    begun++;
    // Meanwhile the others' connections are closed; their requests wait.
    for (const socket of sockets) socket.destroy();
    const deadline = performance.now() + 30;
    while (performance.now() < deadline);
    return 'x';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await accepted(app, sockets.length);
  for (const socket of sockets) socket.write('GET /list HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  await app.close();
  assert.ok(begun < 5, String(begun));
});
