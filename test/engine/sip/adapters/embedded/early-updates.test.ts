// UPDATE before the answer (RFC 3311): a carrier moves the audio of a call that still rings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { InboundLeg, LegEvent, RingingState } from '../../../../../engine/sip/telephony.ts';
import { given, inviteLines, type ScriptedPeer, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';
import * as inbound from './inbound-scene.ts';
import { type Rule, scene, seen, service } from './outbound-scene.ts';

const { audio, target } = inbound;

/** The port of the newest audio that the call was told of. */
const portOf = (events: readonly LegEvent[]): number | null => {
  const told = events.flatMap((event) => {
    if (event.type === 'audio-changed') return [event.audio.remotePort];
    return event.type === 'ringing' && event.earlyAudio !== null ? [event.earlyAudio.remotePort] : [];
  });
  return told.at(-1) ?? null;
};

function updates(peer: ScriptedPeer, more: { cseq: number; body?: string; headers?: string[] }): void {
  const { cseq, body = '', headers = [] } = more;
  const toTag = tagIn(given(peer.responses('INVITE').at(-1)), 'to');
  const about = { method: 'UPDATE', branch: `z9hG4bKupdate${cseq}`, cseq, toTag, sdp: body !== '', headers };
  peer.send(service, inviteLines(peer, target, about), body);
}

test('a caller’s side moves its audio while the call rings here, and is answered', async () => {
  let leg: InboundLeg | undefined;
  const it = await inbound.scene((each) => {
    leg = each;
    each.ring(audio);
  });
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(30);
  updates(it.peer, { cseq: 2, body: sdpOf('10.0.0.9', { port: 30_200 }) });
  await it.lab.run(30);
  const ok = given(it.peer.responses('UPDATE')[0]);
  assert.equal(ok.status, 200);
  assert.match(ok.body.toString(), /m=audio 20000 RTP\/AVP 0/);
  assert.match(value(ok, 'contact'), /10\.0\.0\.1/);
  assert.equal(portOf(given(it.legs[0]).events), 30_200);
  // Without an offer it refreshes; older than the last request it is refused; an unknown extension too.
  updates(it.peer, { cseq: 3 });
  updates(it.peer, { cseq: 1, body: sdpOf('10.0.0.9', { port: 30_400 }) });
  updates(it.peer, { cseq: 4, headers: ['Require: precondition'] });
  await it.lab.run(30);
  assert.deepEqual(it.peer.statuses('UPDATE'), [200, 200, 500, 420]);
  leg?.answer(audio);
  await it.lab.run(30);
  assert.equal(it.peer.responses('INVITE').at(-1)?.status, 200);
  assert.deepEqual(it.lab.errors, []);
});

test('an offer that comes while that of the INVITE has no answer is to wait', async () => {
  const it = await inbound.scene((each) => each.ring());
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(30);
  updates(it.peer, { cseq: 2, body: sdpOf('10.0.0.9', { port: 30_200 }) });
  await it.lab.run(30);
  const refused = given(it.peer.responses('UPDATE')[0]);
  assert.equal(refused.status, 500);
  assert.match(value(refused, 'retry-after'), /^\d$/);
});

/** A callee who rings with a tone. */
const toned: Rule = (request, peer) => {
  const headers = [peer.contact, 'Require: 100rel', 'RSeq: 1'];
  if (request.method === 'INVITE')
    peer.respond(request, service, 183, { tag: 'callee', headers, body: sdpOf('10.0.1.1') });
  else if (request.method === 'PRACK') peer.respond(request, service, 200);
};

function calleeUpdates(peer: ScriptedPeer, invite: SipRequest, tag: string, body: string): void {
  const lines = [
    `UPDATE ${/<(.+?)>/.exec(value(invite, 'contact'))?.[1]} SIP/2.0`,
    `Via: SIP/2.0/UDP ${peer.at.address}:5060;branch=z9hG4bKcallee${tag}`,
    'Max-Forwards: 70',
    `From: ${value(invite, 'to')};tag=${tag}`,
    `To: ${value(invite, 'from')}`,
    `Call-ID: ${value(invite, 'call-id')}`,
    'CSeq: 77 UPDATE',
    peer.contact,
    'Content-Type: application/sdp',
  ];
  peer.send(service, lines, body);
}

test('a callee’s side moves its tone, and a copy of its first answer in the 200 changes nothing', async () => {
  const it = await scene([toned]);
  const leg = it.dial();
  await it.lab.run(50);
  const peer = given(it.peers[0]);
  const invite = given(peer.requests('INVITE')[0]);
  assert.equal(portOf(leg.events), 30_000);
  calleeUpdates(peer, invite, 'other', sdpOf('10.0.1.1', { port: 30_600 }));
  await it.lab.run(30);
  assert.deepEqual(peer.statuses('UPDATE'), [491], 'our offer has no answer from that telephone');
  calleeUpdates(peer, invite, 'callee', sdpOf('10.0.1.1', { port: 30_200 }));
  await it.lab.run(30);
  assert.deepEqual(peer.statuses('UPDATE'), [491, 200]);
  assert.equal(portOf(leg.events), 30_200);
  peer.respond(invite, service, 200, { tag: 'callee', headers: [peer.contact], body: sdpOf('10.0.1.1') });
  await it.lab.run(50);
  assert.equal(seen(leg).at(-1), 'answered');
  const answered = leg.events.at(-1);
  assert.equal(answered?.type === 'answered' && answered.audio.remotePort, 30_200);
  assert.deepEqual(it.lab.errors, []);
});

test('another process that goes on with the ringing keeps the moved audio', async () => {
  const it = await scene([toned]);
  const leg = it.dial();
  await it.lab.run(50);
  const peer = given(it.peers[0]);
  const invite = given(peer.requests('INVITE')[0]);
  calleeUpdates(peer, invite, 'callee', sdpOf('10.0.1.1', { port: 30_200 }));
  await it.lab.run(30);
  const state = JSON.parse(JSON.stringify(given(leg.leg.ringing))) as RingingState;
  it.endpoint.leave();
  const next = await it.lab.endpoint(service.address);
  const resumed = recordLeg(next.resumeRinging(state, 100, undefined));
  await it.lab.run(50);
  peer.respond(invite, service, 200, { tag: 'callee', headers: [peer.contact], body: sdpOf('10.0.1.1') });
  await it.lab.run(50);
  const answered = resumed.events.at(-1);
  assert.equal(answered?.type === 'answered' && answered.audio.remotePort, 30_200);
});
