// Strangers at the SIP port, on a virtual clock: what they are told, and what they read. Floods:
// test/long/storms/sip-flood.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import { dialRequest, given, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';
import { requestLines, scene, service } from './strangers-scene.ts';

test('a stranger’s INVITE gets one 403 and nothing more, the same for the same request', async () => {
  const it = await scene();
  const lines = requestLines(it.stranger, 'INVITE', 'x');
  it.stranger.send(service, lines);
  await it.lab.run(40_000);
  assert.deepEqual(it.stranger.statuses(), [403]);
  it.stranger.send(service, lines);
  await it.lab.run(100);
  const [first, again] = it.stranger.responses();
  assert.equal(again?.status, 403);
  assert.notEqual(tagIn(first, 'to'), '');
  assert.equal(tagIn(first, 'to'), tagIn(again, 'to'));
  it.stranger.send(service, requestLines(it.stranger, 'OPTIONS', 'y'));
  await it.lab.run(100);
  assert.equal(it.stranger.statuses().at(-1), 200);
});

test('broken requests of strangers are under the same limit', async () => {
  const it = await scene();
  for (let i = 0; i < 500; i++) {
    it.stranger.send(service, [...requestLines(it.stranger, 'INVITE', `b${i}`), 'Expires: never']);
  }
  await it.lab.run(100);
  assert.ok(it.stranger.statuses().length <= 20);
  assert.ok(it.stranger.statuses().every((status) => status === 400));
});

test('responses and ACKs of strangers, which nobody answers, are under a limit of their own', async () => {
  const it = await scene();
  const response = ['SIP/2.0 200 OK', ...requestLines(it.stranger, 'OPTIONS', 'r').slice(1)];
  const dropped = () => it.endpoint.counts.refused.dropped;
  for (let i = 0; i < 500; i++) it.stranger.send(service, response);
  for (let i = 0; i < 500; i++) it.stranger.send(service, requestLines(it.stranger, 'ACK', `a${i}`));
  await it.lab.run(100);
  assert.equal(dropped(), 900);
  // Few of the longest messages are as much.
  const long = it.lab.peer('192.0.2.8');
  for (let i = 0; i < 100; i++) long.send(service, [...response, `X: ${'x'.repeat(60_000)}`]);
  await it.lab.run(100);
  assert.equal(dropped(), 997);
  for (let i = 0; i < 1_000; i++) it.trunk.send(service, response);
  await it.lab.run(100);
  assert.equal(dropped(), 997, 'a trunk is no stranger');
  const other = it.lab.peer('192.0.2.9');
  other.send(service, requestLines(other, 'OPTIONS', 'o'));
  await it.lab.run(1_000);
  assert.deepEqual(other.statuses(), [200]);
});

test('the callee of a running call is heard, though its address is nobody’s and somebody floods in its name', async () => {
  const it = await scene();
  const callee = it.lab.peer('203.0.113.5');
  callee.onMessage = (message, from) => {
    if (message.kind !== 'request' || message.method !== 'INVITE') return;
    const body = sdpOf('203.0.113.5');
    callee.respond(message, from, 200, { tag: 'callee', headers: [callee.contact], body });
  };
  const to = 'sip:+15551112222@203.0.113.5:5060';
  const leg = recordLeg(it.endpoint.dial(dialRequest([], { to })));
  await it.lab.run(100);
  const invite = given(callee.requests('INVITE')[0]);
  for (let i = 0; i < 300; i++) callee.send(service, requestLines(callee, 'OPTIONS', `c${i}`));
  callee.send(service, [
    'BYE sip:x@10.0.0.1 SIP/2.0',
    'Via: SIP/2.0/UDP 203.0.113.5:5060;branch=z9hG4bKcalleebye;rport',
    'Max-Forwards: 70',
    `From: ${value(invite, 'to')};tag=callee`,
    `To: ${value(invite, 'from')}`,
    `Call-ID: ${value(invite, 'call-id')}`,
    'CSeq: 1 BYE',
  ]);
  await it.lab.run(100);
  assert.deepEqual(callee.statuses('BYE'), [200]);
  assert.equal(leg.events.at(-1)?.type, 'ended');
});

test('the addresses of one IPv6 network share the answers that a stranger gets', async () => {
  const { lab } = await scene();
  const neighbours = Array.from({ length: 60 }, (_, index) => lab.peer(`2001:db8:0:1::${(index + 1).toString(16)}`));
  for (const [index, peer] of neighbours.entries()) peer.send(service, requestLines(peer, 'OPTIONS', `v6-${index}`));
  const farther = lab.peer('2001:db8:0:2::1');
  farther.send(service, requestLines(farther, 'OPTIONS', 'v6-far'));
  await lab.run(50);
  assert.equal(neighbours.filter((peer) => peer.responses().length > 0).length, 20);
  assert.equal(farther.responses().length, 1);
});
