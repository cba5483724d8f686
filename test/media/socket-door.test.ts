// The WebSocket server of browser calls against those who have no token: they get no place that a browser needs.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { type AudioSocketHandler, AudioSocketServer } from '../../media/socket/ws.ts';

const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

const handler: AudioSocketHandler = { opened: () => true, audio() {}, alive() {}, closed() {} };

function start(
  upgradeDeadlineMs?: number,
  options: { sourceOf?: (address: string) => string } = {},
): Promise<AudioSocketServer> {
  return AudioSocketServer.start({
    ...options,
    host: '127.0.0.1',
    port: 0,
    authorize: (_callId, token) => (token === 'good' ? handler : null),
    onFault: (error) => assert.fail(String(error)),
    ...(upgradeDeadlineMs === undefined ? {} : { upgradeDeadlineMs }),
  });
}

interface Peer {
  heard: string;
  closed: boolean;
}

/** A client that never closes its half; resolves when it has heard something, was closed, or after `waitMs`. */
function open(port: number, text: string, waitMs: number): Promise<Peer> {
  return new Promise((resolve) => {
    const peer: Peer = { heard: '', closed: false };
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('connect', () => text !== '' && socket.write(text));
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      peer.heard += bytes.toString();
      resolve(peer);
    });
    const closed = () => {
      peer.closed = true;
      resolve(peer);
    };
    socket.on('end', closed);
    socket.on('close', closed);
    setTimeout(() => resolve(peer), waitMs);
  });
}

/** Joins from another address of this machine. */
function join(port: number): Promise<'joined' | 'refused'> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/calls/call_1?token=good`, { localAddress: '127.0.0.5' });
  return new Promise((resolve) => {
    socket.on('open', () => {
      resolve('joined');
      socket.terminate();
    });
    socket.on('error', () => resolve('refused'));
  });
}

function upgrade(token: string): string {
  return [
    `GET /calls/call_1?token=${token} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '\r\n',
  ].join('\r\n');
}

test('2,100 refused upgrades that the client leaves open take no place', { timeout: 60_000 }, async () => {
  const server = await start();
  for (let batch = 0; batch < 70; batch++) {
    const peers = await Promise.all(Array.from({ length: 30 }, () => open(server.port, upgrade('bad'), 5_000)));
    for (const { heard } of peers) assert.match(heard, /^HTTP\/1\.1 401 /);
  }
  assert.equal(await join(server.port), 'joined');
  await server.stop();
});

test('silent connections: 64 an address, until the deadline, and another address joins meanwhile', async () => {
  const server = await start(1_000);
  const silent = await Promise.all(Array.from({ length: 200 }, () => open(server.port, '', 300)));
  assert.equal(silent.filter(({ closed }) => !closed).length, 64);
  assert.equal(await join(server.port), 'joined');
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  assert.equal(silent.filter(({ closed }) => !closed).length, 0);
  await server.stop();
});

test('addresses of one source are counted together', async () => {
  const server = await start(1_000, { sourceOf: () => 'one customer' });
  const silent = await Promise.all(Array.from({ length: 70 }, () => open(server.port, '', 300)));
  assert.equal(silent.filter(({ closed }) => !closed).length, 64);
  assert.equal(await join(server.port), 'refused');
  await server.stop();
});

test('an upgrade that never ends is cut off; a joined socket stays', async () => {
  const server = await start(500);
  const slow = await open(server.port, 'GET /calls/call_1?token=good HTTP/1.1\r\n', 100);
  const joined = await open(server.port, upgrade('good'), 1_000);
  assert.match(joined.heard, /^HTTP\/1\.1 101 /);
  await new Promise((resolve) => setTimeout(resolve, 900));
  assert.deepEqual([slow.closed, joined.closed], [true, false]);
  await server.stop();
});
