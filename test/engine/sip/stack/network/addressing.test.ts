// Addresses: who may call, what is private, and which of our addresses a peer sees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressTowards, inRange, isPrivate, parseRange } from '../../../../../engine/sip/stack/network/addressing.ts';

test('addresses: ranges, private networks, and which of ours a peer sees', () => {
  const net = parseRange('192.0.2.0/24') ?? assert.fail();
  assert.ok(inRange('192.0.2.255', net) && !inRange('192.0.3.0', net) && !inRange('::1', net));
  assert.ok(inRange('::ffff:192.0.2.7', net));
  assert.equal(parseRange('192.0.2.0/33'), null);
  assert.equal(parseRange('host'), null);
  for (const address of [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '100.64.0.1',
    '169.254.1.1',
    'fd00::1',
    '::1',
  ]) {
    assert.ok(isPrivate(address), address);
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '2001:4860::1']) assert.ok(!isPrivate(address), address);
  assert.equal(addressTowards('10.0.0.1', '8.8.8.8', '198.51.100.1'), '198.51.100.1');
  assert.equal(addressTowards('10.0.0.1', '10.0.0.2', '198.51.100.1'), '10.0.0.1');
  assert.equal(addressTowards('0.0.0.0', '127.0.0.1', null), '127.0.0.1');
});
