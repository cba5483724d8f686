// The WebSocket server against those who have no token: they get no place that a browser needs.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import type { AudioSocketHandler, AudioSocketServer } from '../../../media/socket/audio-socket.ts';
import { SOCKET_SERVERS, type SocketServerUnderTest } from '../../support/sip/socket-servers.ts';

const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

const handler: AudioSocketHandler = { opened: () => true, audio() {}, text() {}, alive() {}, closed() {} };

function start(
  { start: startServer }: SocketServerUnderTest,
  upgradeDeadlineMs?: number,
  options: { sourceOf?: (address: string) => string | null; acceptsForks?: boolean } = {},
): Promise<AudioSocketServer> {
  return startServer({
    acceptsForks: true,
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

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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

for (const under of SOCKET_SERVERS) {
  const { library, skip, silentForMs } = under;

  test(`${library}: 2,100 refused upgrades that the client leaves open take no place`, {
    skip,
    timeout: 60_000,
  }, async () => {
    const server = await start(under);
    for (let batch = 0; batch < 70; batch++) {
      const peers = await Promise.all(Array.from({ length: 30 }, () => open(server.port, upgrade('bad'), 5_000)));
      for (const { heard } of peers) assert.match(heard, /^HTTP\/1\.1 401 /);
    }
    assert.equal(await join(server.port), 'joined');
    await server.stop();
  });

  test(`${library}: of silent connections 64 an address stay, and another address joins`, { skip }, async () => {
    const server = await start(under);
    const silent = await Promise.all(Array.from({ length: 200 }, () => open(server.port, '', 300)));
    assert.equal(silent.filter(({ closed }) => !closed).length, 64);
    assert.equal(await join(server.port), 'joined');
    await server.stop();
  });

  test(`${library}: addresses of one source are counted together`, { skip }, async () => {
    const server = await start(under, 1_000, { sourceOf: () => 'one customer' });
    const silent = await Promise.all(Array.from({ length: 70 }, () => open(server.port, '', 300)));
    assert.equal(silent.filter(({ closed }) => !closed).length, 64);
    assert.equal(await join(server.port), 'refused');
    await server.stop();
  });

  test(`${library}: without forks nobody is let in at their path, and no place is held`, { skip }, async () => {
    const server = await start(under, 5_000, { acceptsForks: false });
    const fork = ['GET /forks HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const named = [...fork, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
    const text = [...named, 'Sec-WebSocket-Protocol: audio.drachtio.org', '', ''].join('\r\n');
    const tried = await Promise.all(Array.from({ length: 90 }, () => open(server.port, text, 1_000)));
    assert.ok(tried.every(({ heard }) => !heard.startsWith('HTTP/1.1 101')));
    assert.equal(await join(server.port), 'joined');
    await server.stop();
  });

  test(`${library}: a proxy of ours brings more connections than an address`, { skip }, async () => {
    const server = await start(under, 1_000, { sourceOf: () => null });
    const silent = await Promise.all(Array.from({ length: 200 }, () => open(server.port, '', 300)));
    assert.equal(silent.filter(({ closed }) => !closed).length, 200);
    assert.equal(await join(server.port), 'joined');
    await server.stop();
  });

  test(`${library}: a connection that says nothing, or never ends its upgrade, is cut off; a joined socket stays`, {
    skip,
  }, async () => {
    const server = await start(under, 1_000);
    const slow = await open(server.port, 'GET /calls/call_1?token=good HTTP/1.1\r\n', 100);
    const silent = await Promise.all(Array.from({ length: 20 }, () => open(server.port, '', 100)));
    const joined = await open(server.port, upgrade('good'), 1_000);
    assert.match(joined.heard, /^HTTP\/1\.1 101 /);
    await wait(silentForMs + 200);
    assert.ok(silent.every(({ closed }) => closed));
    assert.deepEqual([slow.closed, joined.closed], [true, false]);
    await server.stop();
  });

  test(`${library}: connections that came and went before they joined leave their places`, { skip }, async () => {
    const server = await start(under);
    for (let batch = 0; batch < 4; batch++) {
      await Promise.all(
        Array.from({ length: 30 }, () => open(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 5_000)),
      );
      const silent = await Promise.all(Array.from({ length: 30 }, () => open(server.port, '', 50)));
      assert.equal(silent.filter(({ closed }) => closed).length, 0);
      for (const socket of sockets.splice(0)) socket.destroy();
      await wait(50);
    }
    await server.stop();
  });

  test(`${library}: a port that is taken is an error`, { skip }, async () => {
    const server = await start(under);
    const second = under.start({
      host: '127.0.0.1',
      port: server.port,
      authorize: () => null,
      onFault: (error) => assert.fail(String(error)),
    });
    await assert.rejects(second, { code: 'EADDRINUSE' });
    await server.stop();
  });
}
