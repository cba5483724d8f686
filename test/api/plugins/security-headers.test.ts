// The headers that are taken from helmet once are those that it would give each answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import helmet from '@fastify/helmet';
import fastify from 'fastify';
import { startApi } from '../../../bench/rig/api/api.ts';

test('every answer, also of an unknown route, has the headers of helmet', async () => {
  const plain = fastify();
  await plain.register(helmet, {
    contentSecurityPolicy: { useDefaults: true, directives: { upgradeInsecureRequests: null } },
    hsts: false,
  });
  const {
    'content-type': _type,
    'content-length': _length,
    date: _date,
    connection: _connection,
    ...wanted
  } = (await plain.inject('/')).headers;
  await plain.close();
  assert.ok(Object.keys(wanted).length > 8);
  const api = await startApi();
  for (const url of ['/healthz', '/api/v1/calls', '/api/v1/nothing']) {
    const { headers } = await api.inject({ url });
    assert.deepEqual({ ...headers, ...wanted }, headers, url);
  }
  await api.close();
});
