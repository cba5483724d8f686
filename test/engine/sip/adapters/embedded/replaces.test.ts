// A PBX completes an attended transfer to the agent: an INVITE with Replaces (RFC 3891) takes the place of its dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LegState } from '../../../../../engine/sip/telephony.ts';
import { given, inviteLines, type ScriptedPeer, sdpOf, tagIn, trunkConfig } from '../../../../support/sip/sip-lab.ts';
import { endOf, establish, type Scene, scene, service, target, typesOf } from './inbound-scene.ts';

/** The same PBX, with its second call leg. */
async function takingOver(
  it: Scene,
  toTag: string,
  more: { peer?: ScriptedPeer; fromTag?: string; flags?: string; callId?: string; sdp?: string; id?: string } = {},
): Promise<ScriptedPeer> {
  const peer = more.peer ?? it.peer;
  const { fromTag = 'peertag', flags = '', callId = 'call-1', id = 'call-2' } = more;
  const replaces = `Replaces: ${callId};to-tag=${toTag};from-tag=${fromTag}${flags}`;
  const headers = [replaces, 'Require: replaces'];
  const sdp = more.sdp ?? sdpOf(peer.at.address, { port: 31_000, formats: '8 101' });
  peer.send(service, inviteLines(peer, target, { callId: id, branch: `z9hG4bK${id}`, headers }), sdp);
  await it.lab.run(50);
  return peer;
}

const answerOf = (peer: ScriptedPeer, id = 'call-2') =>
  peer.responses('INVITE').findLast((each) => each.headers.some(({ value }) => value === id));

function acknowledge(peer: ScriptedPeer, toTag: string, method = 'ACK', cseq = 1): void {
  const id = 'call-2';
  peer.send(
    service,
    inviteLines(peer, target, { callId: id, method, branch: `z9hG4bK${method}2`, cseq, toTag, sdp: false }),
  );
}

test('the call goes on with its new far side on the same socket, and the old dialog gets a BYE', async () => {
  const it = await scene();
  const toTag = await establish(it);
  await takingOver(it, toTag);
  const ok = given(answerOf(it.peer));
  assert.equal(ok.status, 200);
  assert.match(ok.body.toString(), /m=audio 20000 RTP\/AVP 8/);
  assert.equal(it.peer.requests('BYE').length, 1);
  assert.equal(it.legs.length, 1, 'no second call');
  it.peer.respond(given(it.peer.requests('BYE')[0]), service, 200);
  acknowledge(it.peer, tagIn(ok, 'to'));
  await it.lab.run(50);
  assert.deepEqual(typesOf(it), ['answered', 'audio-changed']);
  const changed = it.legs[0]?.events.at(-1);
  assert.ok(changed?.type === 'audio-changed');
  assert.deepEqual([changed.audio.remotePort, changed.audio.codec], [31_000, 'PCMA']);
  assert.equal(it.endpoint.counts.dialogs, 1);
  acknowledge(it.peer, tagIn(ok, 'to'), 'BYE', 2);
  await it.lab.run(50);
  assert.equal(endOf(it)?.by, 'remote');
  assert.equal(it.endpoint.counts.dialogs, 0);
  assert.deepEqual(it.lab.errors, []);
});

test('the one who was replaced hangs up at the same time: the call does not end', async () => {
  const it = await scene();
  const toTag = await establish(it);
  await takingOver(it, toTag);
  acknowledge(it.peer, tagIn(answerOf(it.peer), 'to'));
  it.peer.send(
    service,
    inviteLines(it.peer, target, { method: 'BYE', branch: 'z9hG4bKbye1', cseq: 2, toTag, sdp: false }),
  );
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('BYE'), [200]);
  assert.equal(endOf(it), null);
  // The agent ends it: the BYE goes to the new far side.
  it.legs[0]?.leg.hangUp();
  await it.lab.run(50);
  const byes = it.peer.requests('BYE').map((bye) => bye.headers.find(({ name }) => name === 'call-id')?.value);
  assert.ok(byes.includes('call-2'));
  assert.equal(endOf(it)?.by, 'local');
});

test('who knows no dialog, or is not its far side, gets 481; an early one alone 486; unreadable 400', async () => {
  const it = await scene();
  it.endpoint.setTrunks([trunkConfig('trk_1', '10.0.0.9'), trunkConfig('trk_2', '10.0.0.7')]);
  await it.lab.run(50);
  const toTag = await establish(it);
  const statusOf = async (id: string, tag: string, more: Parameters<typeof takingOver>[2] = {}) =>
    answerOf(await takingOver(it, tag, { ...more, id }), id)?.status;
  assert.equal(await statusOf('a', 'unknown'), 481);
  assert.equal(await statusOf('b', toTag, { fromTag: 'other' }), 481);
  assert.equal(await statusOf('c', toTag, { callId: 'CALL-1' }), 481);
  assert.equal(await statusOf('d', toTag, { peer: it.lab.peer('10.0.0.7') }), 481, 'another trunk');
  assert.equal(await statusOf('e', toTag, { flags: ';early-only' }), 486);
  assert.equal(await statusOf('f', toTag, { flags: '\r\nReplaces: x;to-tag=a;from-tag=b' }), 400);
  assert.equal(await statusOf('g', toTag, { sdp: sdpOf('10.0.0.9', { formats: '18' }) }), 488);
  assert.deepEqual(typesOf(it), ['answered']);
  assert.equal(it.peer.requests('BYE').length, 0);
  // A full house does not matter: the call has its place.
  it.endpoint.setAdmission(() => 'capacity');
  assert.equal(await statusOf('h', toTag), 200);
});

test('a call that rings is not taken over', async () => {
  const it = await scene((leg) => leg.ring());
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(50);
  await takingOver(it, tagIn(it.peer.responses('INVITE').at(-1), 'to'));
  assert.equal(answerOf(it.peer)?.status, 481);
});

test('the process that goes on with the call goes on in the dialog that took over, and may be taken over itself', async () => {
  const it = await scene();
  const toTag = await establish(it);
  await takingOver(it, toTag);
  const secondTag = tagIn(answerOf(it.peer), 'to');
  acknowledge(it.peer, secondTag);
  await it.lab.run(50);
  const state = JSON.parse(JSON.stringify(given(it.legs[0]?.leg.state))) as LegState;
  assert.equal(state.dialog.callId, 'call-2');
  assert.equal(state.audio.remotePort, 31_000);
  it.endpoint.leave();
  const next = await it.lab.endpoint('10.0.0.1');
  const leg = next.resume(state, 100);
  const types: string[] = [];
  leg.onEvent(({ type }) => types.push(type));
  await takingOver(it, secondTag, { callId: 'call-2', id: 'call-3' });
  const ok = given(answerOf(it.peer, 'call-3'));
  assert.equal(ok.status, 200);
  it.peer.send(
    service,
    inviteLines(it.peer, target, { callId: 'call-3', method: 'ACK', toTag: tagIn(ok, 'to'), sdp: false }),
  );
  await it.lab.run(50);
  assert.equal(types.includes('ended'), false);
  assert.equal(leg.state?.dialog.callId, 'call-3');
});
