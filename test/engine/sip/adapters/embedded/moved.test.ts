// A call whose engine was lost with its machine goes on here: what its peer sees on the wire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { InboundLeg, Leg, LegState } from '../../../../../engine/sip/telephony.ts';
import {
  dialRequest,
  inviteLines,
  type ScriptedPeer,
  SipLab,
  sdpOf,
  tagIn,
  trunkConfig,
  value,
} from '../../../../support/sip/sip-lab.ts';

const dead = { address: '10.0.0.1', port: 5060 };
const next = { address: '10.0.0.2', port: 5060 };
const proxy = { address: '10.0.0.5', port: 5060 };
const target = 'sip:+15559990000@10.0.0.1:5060';
const contact = 'Contact: <sip:moved@10.0.0.9:5060>';

interface Answer {
  status: number;
  body?: string;
}

interface Scene {
  lab: SipLab;
  peer: ScriptedPeer;
  edge: ScriptedPeer;
  tag: string;
  leg: RecordedLeg<Leg>;
  /** INVITEs by the way of the call, after the first engine's death. */
  invites(): SipRequest[];
}

/** A call over the proxy that the first engine had. The answers come one after the other, the last one again. */
async function moved(answers: Answer[], offer = sdpOf('10.0.0.9')): Promise<Scene> {
  const lab = new SipLab();
  const first = await lab.endpoint(dead.address);
  const legs: InboundLeg[] = [];
  first.onInvite((leg) => {
    legs.push(leg);
    leg.answer({ address: dead.address, port: 20_000 });
  });
  const [peer, edge] = [lab.peer('10.0.0.9'), lab.peer(proxy.address)];
  const headers = ['Record-Route: <sip:10.0.0.5:5060;lr>', 'Allow: INVITE, ACK, BYE, UPDATE'];
  peer.send(dead, inviteLines(peer, target, { headers }), offer);
  await lab.run(50);
  const tag = tagIn(
    peer.responses('INVITE').find(({ status }) => status === 200),
    'to',
  );
  peer.send(dead, inviteLines(peer, target, { method: 'ACK', branch: 'z9hG4bKack1', toTag: tag, sdp: false }));
  await lab.run(50);
  const state = JSON.parse(JSON.stringify(legs[0]?.state)) as LegState;
  await first.leave();
  const endpoint = await lab.endpoint(next.address);
  let count = 0;
  edge.onMessage = (message, from) => {
    if (message.kind !== 'request' || message.method === 'ACK') return;
    if (message.method !== 'INVITE') return edge.respond(message, from, 200);
    const answer = answers[Math.min(count++, answers.length - 1)];
    if (answer) edge.respond(message, from, answer.status, { headers: [contact], ...bodyOf(answer) });
  };
  const leg = recordLeg(endpoint.move(state, 12_000, { address: next.address, port: 31_000 }));
  await lab.run(100);
  return { lab, peer, edge, tag, leg, invites: () => edge.requests('INVITE') };
}

const bodyOf = ({ body }: Answer) => (body === undefined ? {} : { body });
const AGREED: Answer = { status: 200, body: sdpOf('10.0.0.9', { port: 30_500 }) };
const session = (text = '') => /o=\S+ (\d+) (\d+)/.exec(text) ?? [];

test('the peer is asked in its dialog, by its route, with new media of the same session', async () => {
  const { invites, peer, tag, leg } = await moved([AGREED]);
  const [invite] = invites();
  assert.ok(invite);
  assert.match(value(invite, 'from'), new RegExp(`;tag=${tag}$`));
  assert.match(value(invite, 'to'), /;tag=/);
  assert.equal(invite.uri, 'sip:peer@10.0.0.9:5060');
  assert.match(value(invite, 'route'), /10\.0\.0\.5/);
  assert.match(value(invite, 'contact'), /10\.0\.0\.2:5060/);
  assert.ok(Number.parseInt(value(invite, 'cseq'), 10) > 1_000, 'above whatever the first engine may have sent');
  const sdp = invite.body.toString();
  assert.match(sdp, /c=IN IP4 10\.0\.0\.2\r\n[\s\S]*m=audio 31000 RTP\/AVP 0 /);
  const before = session(
    peer
      .responses('INVITE')
      .find(({ status }) => status === 200)
      ?.body.toString(),
  );
  assert.equal(session(sdp)[1], before[1]);
  assert.ok(Number(session(sdp)[2]) > Number(before[2]));
  const heard = leg.events.flatMap((event) => (event.type === 'audio-changed' ? [event.audio] : []));
  assert.deepEqual(
    heard.map(({ remoteAddress, remotePort, codec }) => [remoteAddress, remotePort, codec]),
    [['10.0.0.9', 30_500, 'PCMU']],
  );
  assert.equal(leg.leg.state?.audio.remotePort, 30_500);
});

test('the 200 is acknowledged, and what the peer asks then is answered here', async () => {
  const { edge, peer, lab, tag, leg } = await moved([AGREED]);
  assert.equal(edge.requests('ACK').length, 1);
  peer.send(
    next,
    inviteLines(peer, 'sip:10.0.0.2:5060', { method: 'BYE', branch: 'z9hG4bKbye', cseq: 2, toTag: tag, sdp: false }),
  );
  await lab.run(50);
  assert.deepEqual(peer.statuses('BYE'), [200]);
  assert.equal(leg.events.at(-1)?.type, 'ended');
});

test('a peer whose own offer crosses it is asked again, once', async () => {
  const { lab, invites, leg } = await moved([{ status: 491 }, AGREED]);
  // By RFC 3261 14.1 after 0 to 2 s, by chance: the second request may have left already.
  await lab.run(5_000, 50);
  const numbers = invites().map((invite) => Number.parseInt(value(invite, 'cseq'), 10));
  assert.equal(numbers.length, 2);
  assert.equal((numbers[1] ?? 0) - (numbers[0] ?? 0), 1);
  assert.ok(leg.events.some(({ type }) => type === 'audio-changed'));
});

for (const [name, answer] of Object.entries<Answer>({
  'that no longer knows the call': { status: 481 },
  'that wants no new media': { status: 488 },
  'whose proxy does not reach it': { status: 408 },
  'that answers without media': { status: 200 },
})) {
  test(`a peer ${name} is hung up on, and the leg ends once`, async () => {
    const { edge, leg } = await moved([answer]);
    const told = leg.events.filter(({ type }) => type !== 'dialog-stored');
    assert.deepEqual(
      told.map((event) => event.type === 'ended' && event.end.by),
      ['network'],
    );
    assert.equal(edge.requests('BYE').length, 1);
    assert.equal(leg.leg.state, null);
  });
}

test('a carrier that asks for the password gets it, in a call that the first engine had placed', async () => {
  const lab = new SipLab();
  const first = await lab.endpoint(dead.address);
  const carrier = lab.peer('10.0.0.9');
  const challenge = 'Proxy-Authenticate: Digest realm="r", nonce="n1"';
  let asks = false;
  carrier.onMessage = (message, from) => {
    if (message.kind !== 'request' || message.method === 'ACK') return;
    if (message.method === 'OPTIONS') return carrier.respond(message, from, 200, { tag: 'o' });
    const isRefused = asks && value(message, 'proxy-authorization') === '';
    if (isRefused) return carrier.respond(message, from, 407, { tag: 'c', headers: [challenge] });
    carrier.respond(message, from, 200, { tag: 'c', headers: [contact], body: sdpOf('10.0.0.9', { port: 30_500 }) });
  };
  first.setTrunks([trunkConfig('t', '10.0.0.9', { username: 'u', password: 'p' })]);
  await lab.run(50);
  const placed = first.dial(dialRequest(['t']));
  await lab.run(100);
  const state = JSON.parse(JSON.stringify(placed.state)) as LegState;
  first.leave();
  asks = true;
  const endpoint = await lab.endpoint(next.address);
  const leg = recordLeg(endpoint.move(state, 12_000, { address: next.address, port: 31_000 }));
  await lab.run(200);
  const [, refused, granted] = carrier.requests('INVITE');
  assert.equal(value(refused, 'proxy-authorization'), '');
  assert.match(value(granted, 'proxy-authorization'), /username="u".*nonce="n1"/);
  const numbers = [refused, granted].map((invite) => Number.parseInt(value(invite, 'cseq'), 10));
  assert.equal((numbers[1] ?? 0) - (numbers[0] ?? 0), 1);
  assert.equal(leg.leg.state?.audio.remotePort, 30_500);
  assert.equal(leg.leg.direction, 'outbound');
});
