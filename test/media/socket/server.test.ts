// The WebSocket server against those who have no token: they get no place that a browser needs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';
import type {
  AudioSocketHandler,
  AudioSocketServer,
  AudioSocketServerOptions,
} from '../../../media/socket/audio-socket.ts';
import { SOCKET_SERVERS, type SocketServerUnderTest } from '../../support/sip/socket-servers.ts';

/** For the upgrade: no test reaches it. */
const NEVER = { ms: 600_000 };

const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

const handler: AudioSocketHandler = { opened: () => true, audio() {}, text() {}, alive() {}, closed() {} };

function start(
  { start: startServer }: SocketServerUnderTest,
  deadline = NEVER,
  options: Partial<Pick<AudioSocketServerOptions, 'sourceOf' | 'acceptsForks' | 'now' | 'authorize'>> = {},
): Promise<AudioSocketServer> {
  return startServer({
    acceptsForks: true,
    authorize: (_callId, token) => (token === 'good' ? handler : null),
    ...options,
    host: '127.0.0.1',
    port: 0,
    onFault: (error) => assert.fail(String(error)),
    get upgradeDeadlineMs() {
      return deadline.ms;
    },
  });
}

interface Peer {
  heard: string;
  closed: boolean;
}

/** A client that never closes its half; resolves when it is connected. */
async function open(port: number, text: string): Promise<Peer> {
  const peer: Peer = { heard: '', closed: false };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    peer.heard += bytes.toString();
  });
  const closed = () => {
    peer.closed = true;
  };
  socket.on('end', closed);
  socket.on('close', closed);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return peer;
}

const openMany = (count: number, port: number, text: string): Promise<Peer[]> =>
  Promise.all(Array.from({ length: count }, () => open(port, text)));
const countClosed = (peers: readonly Peer[]): number => peers.filter(({ closed }) => closed).length;
const isOver = ({ heard, closed }: Peer): boolean => heard !== '' || closed;

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

for (const under of SOCKET_SERVERS) {
  const { library, skip } = under;

  test(`${library}: 2,100 refused upgrades that the client leaves open take no place`, {
    skip,
    timeout: 60_000,
  }, async () => {
    const server = await start(under);
    for (let batch = 0; batch < 70; batch++) {
      const peers = await openMany(30, server.port, upgrade('bad'));
      await eventually(() => peers.every(isOver));
      for (const { heard } of peers) assert.match(heard, /^HTTP\/1\.1 401 /);
    }
    assert.equal(await join(server.port), 'joined');
    await server.stop();
  });

  test(`${library}: of silent connections 64 an address stay, and another address joins`, { skip }, async () => {
    const server = await start(under);
    const silent = await openMany(200, server.port, '');
    await eventually(() => countClosed(silent) === 136);
    assert.equal(await join(server.port), 'joined');
    assert.equal(countClosed(silent), 136);
    await server.stop();
  });

  test(`${library}: addresses of one source are counted together`, { skip }, async () => {
    const server = await start(under, NEVER, { sourceOf: () => 'one customer' });
    const silent = await openMany(70, server.port, '');
    await eventually(() => countClosed(silent) === 6);
    assert.equal(await join(server.port), 'refused');
    assert.equal(countClosed(silent), 6);
    await server.stop();
  });

  test(`${library}: without forks nobody is let in at their path, and no place is held`, { skip }, async () => {
    const server = await start(under, NEVER, { acceptsForks: false });
    const fork = ['GET /forks HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const named = [...fork, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
    const text = [...named, 'Sec-WebSocket-Protocol: audio.drachtio.org', '', ''].join('\r\n');
    const tried = await openMany(90, server.port, text);
    await eventually(() => tried.every(isOver));
    assert.ok(tried.every(({ heard }) => !heard.startsWith('HTTP/1.1 101')));
    assert.equal(await join(server.port), 'joined');
    await server.stop();
  });

  test(`${library}: a proxy of ours brings more connections than an address`, { skip }, async () => {
    const server = await start(under, NEVER, { sourceOf: () => null });
    const silent = await openMany(200, server.port, '');
    assert.equal(await join(server.port), 'joined');
    assert.equal(countClosed(silent), 0);
    await server.stop();
  });

  test(`${library}: a connection that says nothing, or never ends its upgrade, is cut off; a joined socket stays`, {
    skip,
  }, async () => {
    const deadline = { ...NEVER };
    const server = await start(under, deadline);
    const joined = await open(server.port, upgrade('good'));
    await eventually(() => /^HTTP\/1\.1 101 /.test(joined.heard));
    deadline.ms = 1;
    const slow = await open(server.port, 'GET /calls/call_1?token=good HTTP/1.1\r\n');
    const silent = await openMany(20, server.port, '');
    await eventually(() => slow.closed && countClosed(silent) === 20);
    assert.equal(joined.closed, false);
    await server.stop();
  });

  test(`${library}: connections that came and went before they joined leave their places`, { skip }, async () => {
    const server = await start(under);
    for (let batch = 0; batch < 4; batch++) {
      const peers = await openMany(30, server.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await eventually(() => peers.every(isOver));
      const silent = await openMany(30, server.port, '');
      await comesToRest();
      assert.equal(countClosed(silent), 0);
      for (const socket of sockets.splice(0)) socket.destroy();
      await comesToRest();
    }
    await server.stop();
  });

  test(`${library}: a joined socket that floods is closed, whatever with, and not heard any more`, {
    skip,
  }, async () => {
    const floods: Array<[what: string, times: number, send: (socket: WebSocket) => void]> = [
      ['samples', 17_000, (socket) => socket.send(Buffer.alloc(1))],
      ['nothing', 17_000, (socket) => socket.send(Buffer.alloc(0))],
      ['texts', 17_000, (socket) => socket.send('x')],
      ['pings', 17_000, (socket) => socket.ping()],
      ['pongs', 17_000, (socket) => socket.pong()],
      ['bytes', 30, (socket) => socket.send(Buffer.alloc(60_000))],
    ];
    const heard = new Map<string, number>();
    const counting = (callId: string): AudioSocketHandler => {
      const count = () => void heard.set(callId, (heard.get(callId) ?? 0) + 1);
      return { ...handler, audio: count, text: count, alive: count };
    };
    const server = await start(under, NEVER, { now: () => 0, authorize: counting });
    const flood = async ([what, times, send]: (typeof floods)[number]): Promise<void> => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/calls/${what}?token=good`).on('error', () => {});
      await once(socket, 'open');
      const closed = once(socket, 'close');
      for (let n = 0; n < times; n++) send(socket);
      const [code] = await closed;
      // A client that reads too slowly to be told is cut off.
      assert.ok(code === 1008 || code === 1006, `${what}: ${code}`);
      assert.ok((heard.get(what) ?? 0) <= 16_000, `${heard.get(what)} ${what} were heard`);
    };
    await Promise.all(floods.map(flood));
    await server.stop();
  });

  test(`${library}: what waited for thirty seconds comes at once, and a fast sound card goes on sending`, {
    skip,
  }, async () => {
    let nowMs = 0;
    let heard = 0;
    const counting = { ...handler, audio: () => void heard++ };
    const server = await start(under, NEVER, { now: () => nowMs, authorize: () => counting });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/calls/call_1?token=good`);
    await once(socket, 'open');
    const block = Buffer.alloc(84);
    for (let n = 0; n < 11_250; n++) socket.send(block);
    await eventually(() => heard === 11_250);
    for (let second = 1; second <= 20; second++) {
      nowMs += 1_000;
      for (let n = 0; n < 1_500; n++) socket.send(Buffer.alloc(22));
      await eventually(() => heard === 11_250 + second * 1_500);
    }
    assert.equal(socket.readyState, WebSocket.OPEN);
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
