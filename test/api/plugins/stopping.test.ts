// An API that stops: a request that comes on a connection with another one still in work is refused in the envelope.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../api/frame/app.ts';
import { registerEnvelope } from '../../../api/plugins/envelope.ts';
import { eventually } from '../../../bench/rig/eventually.ts';

test('a request that comes while the API stops is told to come again', async () => {
  const app = fastify({ return503OnClosing: false });
  registerEnvelope(app as unknown as App);
  let release: (() => void) | undefined;
  app.get('/slow', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return { data: 'done' };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'connect');
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => release !== undefined);
  const closed = app.close();
  await eventually(() => !app.server.listening);
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  release?.();
  await once(socket, 'close');
  await closed;
  assert.match(text, /^HTTP\/1.1 200 OK/);
  const second = text.slice(text.indexOf('HTTP/1.1', 1));
  assert.match(second, /^HTTP\/1.1 503 .*retry-after: 1\r\n/is);
  assert.match(second, /"success":false.*"code":"API_STOPPING"/);
});
