// An SBC that writes a host name into the c= line of its SDP: it is looked up, and what follows in the call waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import { given, inviteLines, SipLab, sdpOf, trunkConfig } from '../../../../support/sip/sip-lab.ts';
import { audio, establish, type Scene, scene, service, target, typesOf } from './inbound-scene.ts';
import * as outbound from './outbound-scene.ts';

const named = (address: string, more = {}) =>
  sdpOf(address, more).replace(`c=IN IP4 ${address}`, 'c=IN IP4 media.example.net');

/** The name service of our host, as the test says; counts the questions. */
function names(it: { lab: SipLab }, answer: (host: string) => Promise<string[]>): string[] {
  const asked: string[] = [];
  it.lab.network.hosts.get = (host) => {
    asked.push(host);
    return answer(host) as never;
  };
  return asked;
}

function audioOf(it: Scene): string | undefined {
  const event = it.legs[0]?.events.findLast(({ type }) => type === 'answered' || type === 'audio-changed');
  return event?.type === 'answered' || event?.type === 'audio-changed' ? event.audio.remoteAddress : undefined;
}

test('an offer with a name is answered once the name has its address; it is asked for once a minute', async () => {
  const it = await scene();
  const asked = names(it, async () => ['2001:db8::7', '10.0.0.77']);
  const toTag = await establish(it, { sdp: named('10.0.0.9') });
  assert.equal(audioOf(it), '10.0.0.77');
  const again = inviteLines(it.peer, target, { branch: 'z9hG4bKre', cseq: 2, toTag });
  it.peer.send(service, again, named('10.0.0.9', { port: 30_100 }));
  await it.lab.run(50);
  assert.equal(it.peer.responses('INVITE').at(-1)?.status, 200);
  assert.deepEqual(asked, ['media.example.net']);
});

test('a name without an address is refused with 488 and a line in the log, at the latest after 2 s', async () => {
  for (const answer of [async () => [], () => new Promise<string[]>(() => undefined)]) {
    const it = await scene();
    names(it, answer);
    it.peer.send(service, inviteLines(it.peer, target), named('10.0.0.9'));
    await it.lab.run(2_100);
    assert.equal(it.peer.responses('INVITE').at(-1)?.status, 488);
    assert.equal(it.legs.length, 0);
    assert.equal(it.lab.notes.filter((note) => note === 'the host name of an SDP has no address').length, 1);
  }
});

test('a CANCEL that comes meanwhile waits behind its INVITE, and ends the call', async () => {
  const it = await scene((leg) => leg.ring());
  const found = Promise.withResolvers<string[]>();
  names(it, () => found.promise);
  it.peer.send(service, inviteLines(it.peer, target), named('10.0.0.9'));
  it.peer.send(service, inviteLines(it.peer, target, { method: 'CANCEL', sdp: false }));
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses(), []);
  found.resolve(['10.0.0.77']);
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('INVITE'), [100, 180, 487]);
  assert.deepEqual(it.peer.statuses('CANCEL'), [200]);
  assert.deepEqual(typesOf(it), ['ended']);
});

test('a callee’s answer with a name, too; a stranger makes us ask no name server', async () => {
  const it = await outbound.scene([outbound.answering(named('10.0.1.1'))]);
  names(it, async () => ['10.0.1.77']);
  const leg = it.dial();
  await it.lab.run(50);
  const answered = leg.events.find(({ type }) => type === 'answered');
  assert.equal(answered?.type === 'answered' && answered.audio.remoteAddress, '10.0.1.77');
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['127.0.0.0/8'] });
  endpoint.setTrunks([trunkConfig('trk_1', '10.0.0.9')]);
  endpoint.onInvite((each) => recordLeg(each).leg.answer(audio));
  await lab.run(50);
  const asked = names({ lab }, async () => ['10.0.0.77']);
  for (const address of ['10.0.0.66', '10.0.0.9']) {
    const peer = lab.peer(address);
    peer.send(service, inviteLines(peer, target, { callId: address }), named(address));
    await lab.run(50);
    assert.equal(given(peer.responses('INVITE').at(-1)).status, address === '10.0.0.9' ? 200 : 403);
    assert.equal(asked.length, address === '10.0.0.9' ? 1 : 0);
  }
});
