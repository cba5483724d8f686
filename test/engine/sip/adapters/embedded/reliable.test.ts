// Provisional responses that must arrive (RFC 3262), as carriers and gateways demand them: ours to a caller who
// requires it, and those of a callee.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { InboundLeg, RingingState } from '../../../../../engine/sip/telephony.ts';
import { given, inviteLines, type ScriptedPeer, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';
import * as inbound from './inbound-scene.ts';
import { endOf, type Rule, scene, seen, service } from './outbound-scene.ts';

const { audio, target } = inbound;
const demanding = { headers: ['Require: 100rel'] };

/** The PRACK of our last provisional response. */
function prack(peer: ScriptedPeer, more: { rack?: string; cseq?: number; body?: string } = {}): void {
  const provisional = given(peer.responses('INVITE').findLast(({ status }) => status > 100 && status < 200));
  const rack = more.rack ?? `${value(provisional, 'rseq')} 1 INVITE`;
  const { cseq = 2, body = '' } = more;
  const lines = inviteLines(peer, target, {
    method: 'PRACK',
    branch: `z9hG4bKprack${cseq}`,
    cseq,
    toTag: tagIn(provisional, 'to'),
    sdp: body !== '',
    headers: [`RAck: ${rack}`],
  });
  peer.send(service, lines, body);
}

test('a caller who requires it: ringing is repeated until its PRACK, and the next response has the next number', async () => {
  let leg: InboundLeg | undefined;
  const it = await inbound.scene((each) => {
    leg = each;
    each.ring();
  });
  it.peer.send(service, inviteLines(it.peer, target, demanding), sdpOf('10.0.0.9'));
  await it.lab.run(4_000);
  const ringing = it.peer.responses('INVITE').filter(({ status }) => status === 180);
  assert.equal(ringing.length, 4, 'at 0, 0.5, 1.5 and 3.5 s');
  assert.equal(new Set(ringing.map((each) => value(each, 'rseq'))).size, 1);
  assert.equal(value(ringing[0], 'require'), '100rel');
  prack(it.peer, { rack: '1 1 INVITE', cseq: 2 });
  await it.lab.run(30);
  assert.deepEqual(it.peer.statuses('PRACK'), [481], 'of nothing that we sent');
  prack(it.peer, { cseq: 3 });
  await it.lab.run(5_000);
  assert.deepEqual(it.peer.statuses('PRACK'), [481, 200]);
  assert.equal(it.peer.responses('INVITE').filter(({ status }) => status === 180).length, 4);
  leg?.ring(audio);
  await it.lab.run(30);
  const early = given(it.peer.responses('INVITE').at(-1));
  assert.equal(early.status, 183);
  assert.equal(Number(value(early, 'rseq')), Number(value(ringing[0], 'rseq')) + 1);
  leg?.answer(audio);
  await it.lab.run(30);
  assert.equal(it.peer.responses('INVITE').at(-1)?.status, 183, 'no 200 before the PRACK of an answer');
  prack(it.peer, { cseq: 4 });
  await it.lab.run(30);
  assert.equal(it.peer.responses('INVITE').at(-1)?.status, 200);
  // Sent once more by the network: the call is established.
  prack(it.peer, { rack: `${value(early, 'rseq')} 1 INVITE`, cseq: 5 });
  await it.lab.run(30);
  assert.equal(it.peer.statuses('PRACK').at(-1), 200);
  assert.deepEqual(it.lab.errors, []);
});

test('without a PRACK the INVITE is refused after 32 s; a call that is answered at once needs none', async () => {
  const silent = await inbound.scene((leg) => leg.ring());
  silent.peer.send(service, inviteLines(silent.peer, target, demanding), sdpOf('10.0.0.9'));
  await silent.lab.run(33_000, 100);
  assert.equal(silent.peer.responses('INVITE').at(-1)?.status, 504);
  assert.deepEqual(inbound.endOf(silent)?.sipStatus, 504);
  const prompt = await inbound.scene();
  await inbound.establish(prompt, demanding);
  assert.deepEqual(inbound.typesOf(prompt), ['answered']);
  // An INVITE without an offer: the first reliable response would have to bring ours.
  const late = await inbound.scene((leg) => {
    leg.ring();
    leg.answer(audio);
  });
  late.peer.send(service, inviteLines(late.peer, target, { ...demanding, sdp: false }));
  await late.lab.run(30);
  assert.deepEqual(late.peer.statuses('INVITE'), [100, 200]);
});

test('an offer in the PRACK of our answer is answered with it', async () => {
  const it = await inbound.scene((leg) => leg.ring(audio));
  it.peer.send(service, inviteLines(it.peer, target, demanding), sdpOf('10.0.0.9'));
  await it.lab.run(30);
  prack(it.peer, { body: sdpOf('10.0.0.9', { port: 30_200 }) });
  await it.lab.run(30);
  const ok = given(it.peer.responses('PRACK')[0]);
  assert.equal(ok.status, 200);
  assert.match(ok.body.toString(), /m=audio 20000 RTP\/AVP 0/);
  const changed = it.legs[0]?.events.findLast(({ type }) => type === 'audio-changed');
  assert.equal(changed?.type === 'audio-changed' && changed.audio.remotePort, 30_200);
});

const reliably = (rseq: number, peer: ScriptedPeer) => ({
  tag: 'callee',
  headers: [peer.contact, 'Require: 100rel', `RSeq: ${rseq}`],
});

test('a callee’s reliable responses get one PRACK each; repeated and skipped ones get none', async () => {
  let invite: SipRequest | undefined;
  const rule: Rule = (request, peer) => {
    if (request.method === 'INVITE') {
      invite = request;
      peer.respond(request, service, 183, { ...reliably(700, peer), body: sdpOf('10.0.1.1') });
    } else if (request.method === 'PRACK') peer.respond(request, service, 200);
  };
  const it = await scene([rule]);
  const leg = it.dial();
  await it.lab.run(50);
  const peer = given(it.peers[0]);
  const sent = given(invite);
  assert.match(value(sent, 'supported'), /\b100rel\b/);
  peer.respond(sent, service, 183, { ...reliably(700, peer), body: sdpOf('10.0.1.1') });
  peer.respond(sent, service, 180, reliably(702, peer));
  await it.lab.run(50);
  assert.equal(peer.requests('PRACK').length, 1);
  peer.respond(sent, service, 180, reliably(701, peer));
  await it.lab.run(50);
  const numbers = peer.requests('PRACK').map((each) => [value(each, 'rack'), value(each, 'cseq')]);
  assert.deepEqual(numbers, [
    ['700 1 INVITE', '2 PRACK'],
    ['701 1 INVITE', '3 PRACK'],
  ]);
  assert.match(value(peer.requests('PRACK')[0], 'to'), /;tag=callee/);
  // The answer came with the 183, and the dialog goes on with its next number.
  peer.respond(sent, service, 200, { tag: 'callee', headers: [peer.contact] });
  await it.lab.run(50);
  assert.deepEqual(seen(leg), ['ringing', 'ringing', 'answered']);
  assert.equal(value(peer.requests('ACK')[0], 'cseq'), '1 ACK');
  leg.leg.hangUp();
  await it.lab.run(50);
  assert.equal(value(peer.requests('BYE')[0], 'cseq'), '4 BYE');
  assert.equal(endOf(leg)?.by, 'local');
  assert.deepEqual(it.lab.errors, []);
});

test('another process that goes on with the ringing knows which responses had their PRACK', async () => {
  const rule: Rule = (request, peer) => {
    if (request.method === 'INVITE') peer.respond(request, service, 180, reliably(9, peer));
    else if (request.method === 'PRACK') peer.respond(request, service, 200);
  };
  const it = await scene([rule]);
  const leg = it.dial();
  await it.lab.run(50);
  const state = JSON.parse(JSON.stringify(given(leg.leg.ringing))) as RingingState;
  const peer = given(it.peers[0]);
  const invite = given(peer.requests('INVITE')[0]);
  it.endpoint.leave();
  const next = await it.lab.endpoint(service.address);
  const resumed = recordLeg(next.resumeRinging(state, 100, undefined));
  await it.lab.run(50);
  peer.respond(invite, service, 180, reliably(9, peer));
  peer.respond(invite, service, 183, { ...reliably(10, peer), body: sdpOf('10.0.1.1') });
  await it.lab.run(50);
  const racks = peer.requests('PRACK').map((each) => [value(each, 'rack'), value(each, 'cseq')]);
  assert.deepEqual(racks.at(-1), ['10 1 INVITE', '3 PRACK']);
  assert.equal(racks.length, 2);
  peer.respond(invite, service, 200, { tag: 'callee', headers: [peer.contact] });
  await it.lab.run(50);
  assert.equal(seen(resumed).at(-1), 'answered');
});
