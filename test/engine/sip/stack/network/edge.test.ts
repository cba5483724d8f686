// The sender of a request that came through a proxy of our own, and who is believed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Edge } from '../../../../../engine/sip/stack/network/edge.ts';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';

const edge = new Edge(['10.0.0.0/24', 'fd00::/8']);

const request = (told: string | null, method = 'INVITE'): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:+15551230000@example.com',
  headers: told === null ? [] : [{ name: 'x-edge-source', value: told }],
  body: Buffer.alloc(0),
});

const from = (address: string, told: string | null, method?: string) =>
  edge.sourceOf(request(told, method), { protocol: 'udp', remote: { address, port: 5060 }, connectionId: null });

test('a proxy of ours says who sent the request', () => {
  assert.deepEqual(from('10.0.0.7', '198.51.100.4:5062'), { address: '198.51.100.4', port: 5062, protocol: 'udp' });
  assert.deepEqual(from('fd00::7', '[2001:db8::4]:5060'), { address: '2001:db8::4', port: 5060, protocol: 'udp' });
});

test('anybody else is who sent it, whatever the header says', () => {
  assert.deepEqual(from('198.51.100.9', '10.0.0.7:5060'), { address: '198.51.100.9', port: 5060, protocol: 'udp' });
});

test('what a proxy does not say, or says badly, comes from nobody; its own OPTIONS come from itself', () => {
  for (const told of [
    null,
    '',
    'carrier.example.com:5060',
    '198.51.100.4',
    '999.1.1.1:5060',
    '198.51.100.4:5060, 10.0.0.1:1',
  ])
    assert.equal(from('10.0.0.7', told).address, '0.0.0.0', String(told));
  assert.equal(from('10.0.0.7', null, 'OPTIONS').address, '10.0.0.7');
});

test('it says over which transport too, and its hops are known by address and by name', () => {
  assert.equal(from('10.0.0.7', '198.51.100.4:5062;transport=tls').protocol, 'tls');
  assert.equal(from('10.0.0.7', '198.51.100.4:5062;transport=ws').address, '0.0.0.0');
  const named = new Edge(['10.0.0.0/24', 'fd00::/8'], 'SIP.example.com:5070');
  for (const hop of ['<sip:10.0.0.7;lr;received=sip:192.0.2.7:40000%3Btransport%3Dtcp>', '<sip:[fd00::7]:5062;lr>']) {
    assert.ok(named.isHop(hop), hop);
  }
  assert.ok(named.isHop('<sip:sip.example.com:5070;lr>'));
  for (const hop of ['<sip:10.0.0.7>', '<sip:192.0.2.7;lr>', '<sip:example.com;lr>', '<tel:+1;lr>', 'x', '']) {
    assert.ok(!named.isHop(hop), hop);
  }
  assert.ok(!edge.isHop('<sip:sip.example.com;lr>'));
});
