// A call that another process has answered goes on here: what its peer sees on the wire. The state goes through JSON,
// as on its way over the disk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { InboundLeg, Leg, LegState } from '../../../../../engine/sip/telephony.ts';
import { inviteLines, type ScriptedPeer, SipLab, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';

const dead = { address: '10.0.0.1', port: 5060 };
const next = { address: '10.0.0.2', port: 5060 };
const target = 'sip:+15559990000@10.0.0.1:5060';

interface Scene {
  lab: SipLab;
  peer: ScriptedPeer;
  /** The service's tag. */
  tag: string;
  endpoint: EmbeddedTelephony;
  resume(elapsedMs?: number): RecordedLeg<Leg>;
}

/** A call over UDP that the first engine has answered. */
async function answeredCall(invite: { headers?: string[]; sdp?: string } = {}): Promise<Scene> {
  const lab = new SipLab();
  const first = await lab.endpoint(dead.address);
  const legs: InboundLeg[] = [];
  first.onInvite((leg) => {
    legs.push(leg);
    leg.answer({ address: dead.address, port: 20_000 });
  });
  const peer = lab.peer('10.0.0.9');
  peer.send(dead, inviteLines(peer, target, { headers: invite.headers ?? [] }), invite.sdp ?? sdpOf('10.0.0.9'));
  await lab.run(50);
  const tag = tagIn(
    peer.responses('INVITE').find(({ status }) => status === 200),
    'to',
  );
  assert.equal(legs[0]?.state, null, 'not before both sides have agreed');
  peer.send(dead, inviteLines(peer, target, { method: 'ACK', branch: 'z9hG4bKack1', toTag: tag, sdp: false }));
  await lab.run(50);
  const state = JSON.parse(JSON.stringify(legs[0]?.state)) as LegState;
  const endpoint = await lab.endpoint(next.address);
  return { lab, peer, tag, endpoint, resume: (elapsedMs = 0) => recordLeg(endpoint.resume(state, elapsedMs)) };
}

const inDialog = ({ peer, tag }: Scene, method: string, cseq: number): string[] =>
  inviteLines(peer, target, { method, branch: `z9hG4bK${method}${cseq}`, cseq, toTag: tag, sdp: false });

test('its peer hangs up: the BYE is answered, and the leg ends once', async () => {
  const it = await answeredCall();
  const leg = it.resume();
  it.peer.send(next, inDialog(it, 'BYE', 2));
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('BYE'), [200]);
  assert.deepEqual(
    leg.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored'),
    ['ended'],
  );
});

test('a BYE that comes before the call is taken over has no answer; the same sent again ends the call', async () => {
  const it = await answeredCall();
  it.endpoint.expectCalls(true);
  it.peer.send(next, inDialog(it, 'BYE', 2));
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('BYE'), []);
  const leg = it.resume();
  it.endpoint.expectCalls(false);
  it.peer.send(next, inDialog(it, 'BYE', 2));
  it.peer.send(
    next,
    inviteLines(it.peer, target, { method: 'BYE', branch: 'z9hG4bKother', cseq: 2, toTag: 'nobody', sdp: false }),
  );
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('BYE').sort(), [200, 481], 'a call that nobody has is refused again');
  assert.ok(leg.events.some(({ type }) => type === 'ended'));
});

test('we hang up: BYE in the same dialog, with a number that the first engine cannot have used', async () => {
  const it = await answeredCall();
  it.resume().leg.hangUp();
  await it.lab.run(50);
  const [bye] = it.peer.requests('BYE');
  assert.match(value(bye, 'from'), new RegExp(`;tag=${it.tag}$`));
  assert.ok(Number.parseInt(value(bye, 'cseq'), 10) > 1);
  assert.equal(value(bye, 'call-id'), value(it.peer.responses('INVITE')[0], 'call-id'));
});

test('the peer puts us on hold: the offer is answered with the same port and a session that goes on', async () => {
  const it = await answeredCall();
  const leg = it.resume();
  const hold = sdpOf('10.0.0.9', { direction: 'sendonly' });
  it.peer.send(next, inviteLines(it.peer, target, { branch: 'z9hG4bKhold', cseq: 2, toTag: it.tag }), hold);
  await it.lab.run(50);
  const answers = it.peer.responses('INVITE').filter(({ status }) => status === 200);
  const session = (at: number) => /o=\S+ (\d+) (\d+)/.exec(answers[at]?.body.toString() ?? '');
  assert.match(answers.at(-1)?.body.toString() ?? '', /m=audio 20000 /);
  assert.equal(session(-1 + answers.length)?.[1], session(0)?.[1]);
  assert.deepEqual(
    leg.events.flatMap((event) => (event.type === 'audio-changed' ? [event.audio.direction] : [])),
    ['recvonly'],
  );
});

test('a peer that no longer knows the call is asked, and the leg ends', async () => {
  const it = await answeredCall({ headers: ['Allow: INVITE, ACK, BYE, UPDATE'] });
  const leg = it.resume();
  it.peer.onMessage = (message, from) => {
    if (message.kind === 'request' && message.method === 'UPDATE') it.peer.respond(message, from, 481);
  };
  leg.leg.refresh?.();
  await it.lab.run(50);
  const last = leg.events.at(-1);
  assert.deepEqual(last?.type === 'ended' && [last.end.by, last.end.reason], ['network', 'peer answered 481']);
});

test('the session timer runs on from where it was', async () => {
  const it = await answeredCall({ headers: ['Supported: timer', 'Session-Expires: 100;refresher=uas'] });
  // The first engine refreshed at half of the interval; 40 s of it had passed when it was last heard of.
  it.resume(40_000);
  await it.lab.run(9_000, 100);
  assert.equal(it.peer.requests('INVITE').length + it.peer.requests('UPDATE').length, 0);
  await it.lab.run(1_500, 100);
  assert.equal(it.peer.requests('INVITE').length + it.peer.requests('UPDATE').length > 0, true);
});

test('a leg that has ended has no state', async () => {
  const it = await answeredCall();
  const { leg } = it.resume();
  assert.notEqual(leg.state, null);
  leg.hangUp();
  assert.equal(leg.state, null);
});
