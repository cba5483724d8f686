// Reserved ports: two who reserve get none twice, and the system gives none of them away.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';

/** Loaded again, as another process has it: it begins at the same port, and knows nothing of what was given. */
const other: { reservePort: typeof reservePort } = await import(
  `${new URL('../../bench/rig/network/reserved-port.ts', import.meta.url)}?other`
);

test('no port is given twice, nor is the one beside it', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => [reservePort(), other.reservePort()]).flat());
  for (let count = 0; count < 20; count++) ports.push(await reservePort());
  for (let count = 0; count < 40; count++) ports.push(await other.reservePort());
  assert.equal(new Set(ports).size, 100);
  assert.ok(ports.every((port) => port % 2 === 0 && port < 32_768));
});

test('a port that a program has by now is not given', async () => {
  const first = await reservePort();
  const server = createServer();
  const socket = createSocket('udp4');
  // Where another process has one of them already, it is not given either.
  await new Promise<void>((resolve) => server.once('error', () => resolve()).listen(first + 2, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => socket.once('error', () => resolve()).bind(first + 4, '127.0.0.1', resolve));
  const next = await reservePort();
  assert.ok(next !== first + 2 && next !== first + 4, `${next} after ${first}`);
  server.close();
  socket.close();
});
