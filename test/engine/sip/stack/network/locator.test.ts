// From a host to its destinations: the order of SRV records, and failing name servers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderServices, resolveHost } from '../../../../../engine/sip/stack/network/locator.ts';

test('SRV: lower priority first, weights by chance within one', () => {
  const records = [
    { name: 'c', port: 1, priority: 2, weight: 0 },
    { name: 'a', port: 1, priority: 1, weight: 10 },
    { name: 'b', port: 1, priority: 1, weight: 90 },
  ];
  assert.deepEqual(
    orderServices(records, () => 0).map(({ name }) => name),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(
    orderServices(records, () => 0.5).map(({ name }) => name),
    ['b', 'a', 'c'],
  );
});

test('a name server that fails on SRV still gives the address; failing on both is an error', async () => {
  const failing = () => Promise.reject(new Error('SERVFAIL'));
  const found = await resolveHost({ services: failing, addresses: async () => ['192.0.2.1'] }, 'pbx', null, 'tls');
  assert.deepEqual(found, [{ protocol: 'tls', remote: { address: '192.0.2.1', port: 5061 }, serverName: 'pbx' }]);
  await assert.rejects(resolveHost({ services: failing, addresses: failing }, 'pbx', null, 'udp'), /SERVFAIL/);
});
