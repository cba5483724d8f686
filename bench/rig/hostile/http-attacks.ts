// Attacks by strangers on the API and on the door of browser calls.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pause } from '../conversation/scenario.ts';
import { type Attack, ask, count, type Request, repeatedly, type Target, within } from './attack.ts';

function open({ apiUrl }: Target, from: string): Socket {
  const { hostname, port } = new URL(apiUrl);
  return connect({ host: hostname, port: Number(port), localAddress: from }).on('error', () => {});
}

export const unreadPages: Attack = {
  name: 'a stranger asks for the reference page 150 times on each of 20 connections, and reads nothing',
  async strike(target, untilMs) {
    const sockets = Array.from({ length: 20 }, () => {
      const socket = open(target, '127.0.0.66').pause();
      socket.write('GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(150));
      return socket;
    });
    await pause(untilMs - performance.now());
    for (const socket of sockets) socket.destroy();
    return { words: '3,000 requests', succeeded: false };
  },
};

/** The connections that one address may hold, and some that are closed and of which the other side has not heard. */
const HELD_MAX = 300;

export const connections: Attack = {
  name: 'a stranger holds 2,000 connections to the API',
  async strike(target, untilMs) {
    const sockets = Array.from({ length: 2_000 }, () => open(target, '127.0.0.67'));
    await pause(untilMs - performance.now());
    const held = () => sockets.filter(({ readyState }) => readyState === 'open');
    // A slow machine closes them late; one that holds them for good has been overcome.
    for (let seconds = 0; held().length > HELD_MAX && seconds < 30; seconds++) {
      // Under a flood the kernel keeps nothing of a connection whose last packet found no room (SYN cookies), and its
      // far side learns by the answer to what it sends that there is none. Half a line is no request.
      for (const socket of held()) socket.write('G');
      await pause(1_000);
    }
    const atEnd = held().length;
    for (const socket of sockets) socket.destroy();
    return { words: `held at the end: ${atEnd}`, succeeded: atEnd > HELD_MAX };
  },
};

export const registrations: Attack = {
  name: 'four addresses register accounts',
  async strike(target, untilMs) {
    const statuses = await repeatedly(8, untilMs, async (n) => {
      const body = { email: `nobody${n}@example.com`, password: 'correct horse battery' };
      const from = `127.0.0.${61 + (n % 4)}`;
      return (await ask(target, { method: 'POST', path: '/api/v1/auth/register', from, body })).status;
    });
    // Five an hour from each network.
    return { words: count(statuses), succeeded: statuses.filter((status) => status === 201).length > 4 * 5 };
  },
};

export const guesses: Attack = {
  name: 'eight addresses guess passwords of invented users',
  async strike(target, untilMs) {
    const statuses = await repeatedly(8, untilMs, async (n) => {
      const body = { email: `guess${n}@example.com`, password: `guess number ${n}` };
      return (await ask(target, { method: 'POST', path: '/api/v1/auth/login', from: `127.0.0.${81 + (n % 8)}`, body }))
        .status;
    });
    return { words: count(statuses), succeeded: statuses.includes(200) };
  },
};

export const oddBodies: Attack = {
  name: 'a stranger sends bodies of 1,800 unknown fields, nested a thousand deep, and broken JSON',
  async strike(target, untilMs) {
    const wide = Object.fromEntries(Array.from({ length: 1_800 }, (_, n) => [`field${n}`, 'x'.repeat(400)]));
    const nested = Buffer.from(`${'{"a":['.repeat(1_000)}1${']}'.repeat(1_000)}`);
    const requests: Array<Pick<Request, 'body' | 'bytes'>> = [
      { body: wide },
      { bytes: { type: 'application/json', payload: nested } },
      { bytes: { type: 'application/json', payload: Buffer.from(`{"email":"${'\\u0041'.repeat(100_000)}`) } },
    ];
    const statuses = await repeatedly(3, untilMs, async (n) => {
      const request = { method: 'POST', path: '/api/v1/auth/login', from: '127.0.0.69', ...requests[n % 3] };
      return (await ask(target, request)).status;
    });
    return { words: count(statuses), succeeded: statuses.some((status) => status >= 500) };
  },
};

/** Of `mod_audio_fork`, which shows its token only after the upgrade. */
const FORK_UPGRADE = [
  'GET /forks HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Protocol: audio.drachtio.org',
  '\r\n',
].join('\r\n');

export const upgrades: Attack = {
  name: 'a stranger upgrades 70 connections at a time at the door of browser calls, without a token',
  async strike({ mediaPort }, untilMs) {
    let opened = 0;
    const statuses = await repeatedly(
      70,
      untilMs,
      async () => {
        const socket = connect({ host: '127.0.0.1', port: mediaPort }).on('error', () => {});
        socket.write(FORK_UPGRADE);
        const answer = once(socket, 'data') as Promise<[Buffer]>;
        // A connection that is reset was refused, like one that hears nothing.
        const [heard] = await within(1_000, answer, ['']).catch(() => ['']);
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(heard.toString())?.[1] ?? 0);
        if (status === 101) opened++;
        if (status === 101) await pause(Math.max(0, Math.min(4_000, untilMs - performance.now())));
        socket.destroy();
        return status;
      },
      // 140 a second.
      500,
    );
    return { words: count(statuses), succeeded: opened > 0 };
  },
};
