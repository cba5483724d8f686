// Legs of a dead process, as it has stored them: each gets the request that ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDialog } from '../../../../../engine/sip/telephony.ts';
import { given, tagIn, value } from '../../../../support/sip/sip-lab.ts';
import { scene, service } from './outbound-scene.ts';

test('orphans of a crash: BYE for an answered call, CANCEL for a ringing one, 480 for an offered one', async () => {
  const it = await scene([
    (request, peer) => {
      if (request.method === 'CANCEL') peer.respond(request, service, 200);
    },
  ]);
  const [peer] = it.peers;
  assert.ok(peer);
  const base: StoredDialog = {
    state: 'confirmed',
    role: 'uac',
    transport: 'udp',
    nextHop: '10.0.1.1:5060',
    callId: 'old-call',
    localUri: '<sip:+15559990000@10.0.0.1>',
    localTag: 'mine',
    remoteUri: '<sip:+15551112222@10.0.1.1>',
    remoteTag: 'theirs',
    remoteTarget: 'sip:peer@10.0.1.1:5060',
    routeSet: ['<sip:10.0.1.1;lr>'],
    localCSeq: 3,
    inviteVia: null,
    trunkId: null,
  };
  let done = 0;
  const count = () => {
    done++;
  };
  it.endpoint.endStored(base).then(count, count);
  await it.lab.run(50);
  assert.equal(done, 1);
  const bye = peer.requests('BYE')[0];
  assert.equal(value(bye, 'route'), '<sip:10.0.1.1;lr>');
  assert.equal(tagIn(bye, 'to'), 'theirs');
  assert.ok(Number.parseInt(value(bye, 'cseq'), 10) > 3);

  const ringing: StoredDialog = {
    ...base,
    state: 'inviting',
    callId: 'ringing',
    remoteTag: null,
    remoteTarget: 'sip:+15551112222@10.0.1.1',
    routeSet: [],
    inviteVia: 'SIP/2.0/UDP 10.0.0.1:5060;rport;branch=z9hG4bKold',
  };
  it.endpoint.endStored(ringing).then(count, count);
  await it.lab.run(20);
  const cancel = given(peer.requests('CANCEL')[0]);
  assert.match(value(cancel, 'via'), /branch=z9hG4bKold/);
  assert.equal(value(cancel, 'cseq'), '3 CANCEL');
  peer.respond(
    {
      ...cancel,
      headers: cancel.headers.map((entry) => (entry.name === 'cseq' ? { name: 'cseq', value: '3 INVITE' } : entry)),
    },
    service,
    487,
    { tag: 'theirs' },
  );
  await it.lab.run(50);
  assert.equal(done, 2);
  assert.match(value(peer.requests('ACK')[0], 'via'), /branch=z9hG4bKold/);

  it.endpoint.endStored({ ...ringing, callId: 'answered' }).then(count, count);
  await it.lab.run(20);
  const second = given(peer.requests('CANCEL')[1]);
  const invited = {
    ...second,
    headers: second.headers.map((entry) => (entry.name === 'cseq' ? { name: 'cseq', value: '3 INVITE' } : entry)),
  };
  // The answer crossed our CANCEL, and is repeated before our ACK arrives.
  for (let n = 0; n < 2; n++) peer.respond(invited, service, 200, { tag: 'theirs', headers: [peer.contact] });
  await it.lab.run(50);
  assert.equal(done, 3);
  const [first, repeated] = peer.requests('ACK').slice(1);
  assert.deepEqual(given(repeated).headers, given(first).headers);
  assert.equal(peer.requests('BYE').length, 2);

  const offered: StoredDialog = {
    ...base,
    state: 'inviting',
    role: 'uas',
    callId: 'offered',
    localCSeq: 7,
    inviteVia: 'SIP/2.0/UDP 10.0.1.1:5060;branch=z9hG4bKtheirs',
  };
  it.endpoint.endStored(offered).then(count, count);
  await it.lab.run(20);
  const refusal = peer.responses('INVITE').at(-1);
  assert.equal(refusal?.status, 480);
  assert.equal(tagIn(refusal, 'to'), 'mine');
  assert.equal(value(refusal, 'via'), 'SIP/2.0/UDP 10.0.1.1:5060;branch=z9hG4bKtheirs');
  await it.lab.run(30_000, 100);
  assert.equal(done, 4);
});
