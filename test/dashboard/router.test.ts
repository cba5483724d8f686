// Addresses of pages, and of requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';

// The browser's own, before the modules look for them.
Object.assign(globalThis, {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { link, match, parseHash } = await import('../../api/dashboard/app/router.ts');
const { addressOf } = await import('../../api/dashboard/app/client.ts');

test('a page is found by its pattern, and its parameters are decoded', () => {
  assert.deepEqual(match('/calls/:id', '/calls/call_1'), { id: 'call_1' });
  assert.deepEqual(match('/do-not-call/:number', '/do-not-call/%2B441632'), { number: '+441632' });
  assert.equal(match('/calls/:id', '/calls'), null);
  assert.equal(match('/calls', '/agents'), null);
});

test('an address says page and query, and leaves out what is empty', () => {
  const address = link('/calls', { status: 'FAILED', page: undefined, startDate: '' });
  assert.equal(address, '#/calls?status=FAILED');
  const { path, query } = parseHash(address);
  assert.equal(path, '/calls');
  assert.equal(query.get('status'), 'FAILED');
  assert.equal(parseHash('').path, '/');
});

test('a request is relative, its parameters cannot leave their place', () => {
  assert.equal(addressOf('/calls/{id}', { id: '../admin?x' }, {}), 'api/v1/calls/..%2Fadmin%3Fx');
  assert.equal(addressOf('/calls', {}, { page: 2, status: undefined }), 'api/v1/calls?page=2');
});
