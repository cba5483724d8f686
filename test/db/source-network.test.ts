// Whom a limit per source counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceNetwork } from '../../db/shared/source-network.ts';

test('an IPv4 address counts for itself, an IPv6 address for its /64', () => {
  assert.equal(sourceNetwork('203.0.113.7'), '203.0.113.7');
  assert.equal(sourceNetwork('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(sourceNetwork('2001:db8:1:2:aaaa:bbbb:cccc:dddd'), '2001:db8:1:2::/64');
  assert.equal(sourceNetwork('2001:DB8:1:2::1'), '2001:db8:1:2::/64');
  assert.equal(sourceNetwork('::1'), '0:0:0:0::/64');
  assert.notEqual(sourceNetwork('2001:db8:1:3::1'), sourceNetwork('2001:db8:1:2::1'));
  assert.equal(sourceNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(sourceNetwork('not an address'), 'not an address');
});
