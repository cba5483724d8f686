// Strangers at the SIP port, on a virtual clock: what they cost, what they read, and that trunks and calls go on beside
// them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import {
  dialRequest,
  given,
  inviteLines,
  type ScriptedPeer,
  SipLab,
  sdpOf,
  tagIn,
  trunkConfig,
  value,
} from '../../../../support/sip/sip-lab.ts';

const service = { address: '10.0.0.1', port: 5060 };
const target = 'sip:+15559990000@10.0.0.1:5060';
const audio = { address: '10.0.0.1', port: 20_000 };

interface Scene {
  lab: SipLab;
  endpoint: EmbeddedTelephony;
  legs: RecordedLeg<InboundLeg>[];
  trunk: ScriptedPeer;
  stranger: ScriptedPeer;
  logged: object[];
}

async function scene(options: { allowed?: string[] } = {}): Promise<Scene> {
  const lab = new SipLab();
  const logged: object[] = [];
  lab.network.hosts.set('trunk.example', ['10.0.0.9']);
  const endpoint = await lab.endpoint('10.0.0.1', {
    inboundAllow: options.allowed ?? ['10.0.0.200/32'],
    log: { debug() {}, info: (fields) => logged.push(fields), warn() {}, error: (fields) => lab.errors.push(fields) },
  });
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.answer(audio);
  });
  endpoint.setTrunks([trunkConfig('t', 'trunk.example')]);
  const trunk = lab.peer('10.0.0.9');
  trunk.onMessage = (message, from) => {
    if (message.kind === 'request' && message.method === 'OPTIONS') trunk.respond(message, from, 200, { tag: 'o' });
  };
  await lab.run(50);
  return { lab, endpoint, legs, trunk, stranger: lab.peer('192.0.2.7'), logged };
}

function requestLines(peer: ScriptedPeer, method: string, id: string): string[] {
  return inviteLines(peer, target, { method, branch: `z9hG4bK${id}`, callId: `call-${id}`, sdp: false });
}

/** INVITE, 200, ACK; returns the tag of the service. */
async function establish({ lab }: Scene, peer: ScriptedPeer, callId: string): Promise<string> {
  peer.send(service, inviteLines(peer, target, { callId, branch: `z9hG4bK${callId}` }), sdpOf(peer.at.address));
  await lab.run(50);
  const ok = peer.responses('INVITE').find((each) => each.status === 200 && value(each, 'call-id') === callId);
  const toTag = tagIn(given(ok, `200 of ${callId}`), 'to');
  const ack = { method: 'ACK', branch: `z9hG4bKack${callId}`, callId, toTag, sdp: false };
  peer.send(service, inviteLines(peer, target, ack));
  await lab.run(20);
  return toTag;
}

async function hangUp({ lab }: Scene, peer: ScriptedPeer, callId: string, toTag: string): Promise<number[]> {
  const bye = { method: 'BYE', branch: `z9hG4bKbye${callId}`, cseq: 2, callId, toTag, sdp: false };
  peer.send(service, inviteLines(peer, target, bye));
  await lab.run(20);
  return peer.statuses('BYE');
}

test('25,000 requests of strangers in half a minute leave no state, and a trunk’s calls come and go beside them', async () => {
  const it = await scene();
  const running = await establish(it, it.trunk, 'running');
  const before = it.endpoint.counts.transactions;
  for (let second = 0, id = 0; second < 30; second++) {
    for (let i = 0; i < 833; i++, id++) {
      const method = ['OPTIONS', 'INVITE', 'REGISTER', 'BYE', 'CANCEL'][id % 5] ?? 'OPTIONS';
      const lines = requestLines(it.stranger, method, `s${id}`);
      it.stranger.send(service, lines);
    }
    await it.lab.run(1_000);
    assert.ok(it.endpoint.counts.transactions <= before, `${it.endpoint.counts.transactions} transactions`);
  }
  const fresh = await establish(it, it.trunk, 'fresh');
  assert.deepEqual(await hangUp(it, it.trunk, 'fresh', fresh), [200]);
  assert.deepEqual(await hangUp(it, it.trunk, 'running', running), [200, 200]);
  assert.equal(it.legs.length, 2);
  assert.deepEqual(it.lab.errors, []);
});

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

test('strangers are answered a few times a second each, counted by reason and logged once a minute', async () => {
  const it = await scene();
  for (let second = 0; second < 70; second++) {
    for (let i = 0; i < 100; i++) it.stranger.send(service, requestLines(it.stranger, 'INVITE', `${second}-${i}`));
    await it.lab.run(1_000, 100);
  }
  const { stranger, dropped } = it.endpoint.counts.refused;
  assert.equal(stranger + dropped, 7_000);
  assert.ok(stranger <= 72 * 20, `${stranger} answered`);
  assert.equal(it.stranger.statuses().length, stranger);
  assert.equal(it.logged.length, 2);
  assert.deepEqual(
    it.logged.map((fields) => ('addresses' in fields ? fields.addresses : null)),
    [['192.0.2.7'], ['192.0.2.7']],
  );
});

test('forged sources by the thousand get a bounded number of answers a second', async () => {
  const it = await scene();
  const lines = requestLines(it.stranger, 'INVITE', 'f').join('\r\n');
  const before = it.lab.network.packets.length;
  for (let i = 0; i < 6_000; i++) {
    const from = { address: `198.18.${i >> 8}.${i & 255}`, port: 5060 };
    const socket = it.lab.network.bind(from, () => {});
    socket.send(Buffer.from(`${lines.replace('z9hG4bKf', `z9hG4bKf${i}`)}\r\n\r\n`), service, () => {});
    socket.close();
  }
  await it.lab.run(500);
  assert.ok(it.lab.network.packets.length - before - 6_000 <= 500);
});

test('an allowed address that floods uses up its own share only', async () => {
  const it = await scene({ allowed: ['10.0.0.200/32', '10.0.0.201/32'] });
  const [greedy, other] = [it.lab.peer('10.0.0.200'), it.lab.peer('10.0.0.201')];
  const running = await establish(it, greedy, 'running');
  for (let id = 0; id < 25_000; id++) {
    greedy.send(service, requestLines(greedy, 'OPTIONS', `g${id}`));
    if (id % 1_000 === 0) await it.lab.run(20);
  }
  await it.lab.run(100);
  assert.ok(greedy.statuses('OPTIONS').includes(503));
  assert.ok(it.endpoint.counts.refused.overload > 0);
  assert.ok(it.endpoint.counts.transactions < 20_000);
  await establish(it, other, 'other');
  await establish(it, it.trunk, 'trunk');
  assert.deepEqual(await hangUp(it, greedy, 'running', running), [200]);
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
