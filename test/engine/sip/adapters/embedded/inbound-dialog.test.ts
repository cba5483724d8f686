// Requests in the dialog of an inbound call: hold, other codecs, session timers, digits, a transfer, and its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import { given, inviteLines, SipLab, sdpOf, value } from '../../../../support/sip/sip-lab.ts';
import { audio, endOf, establish, scene, service, target } from './inbound-scene.ts';

test('hold and resume by the peer: direction follows, T.38 is 488 and the call goes on', async () => {
  const it = await scene();
  const tag = await establish(it);
  const reInvite = async (cseq: number, body: string) => {
    it.peer.send(service, inviteLines(it.peer, target, { branch: `z9hG4bKre${cseq}`, cseq, toTag: tag }), body);
    await it.lab.run(30);
    const status = it.peer.responses('INVITE').at(-1)?.status ?? 0;
    if (status === 200) {
      it.peer.send(
        service,
        inviteLines(it.peer, target, { method: 'ACK', branch: `z9hG4bKreack${cseq}`, cseq, toTag: tag, sdp: false }),
      );
      await it.lab.run(30);
    }
    return status;
  };
  assert.equal(await reInvite(2, sdpOf('10.0.0.9', { direction: 'sendonly' })), 200);
  assert.match(it.peer.responses('INVITE').at(-1)?.body.toString() ?? '', /a=recvonly/);
  assert.equal(
    await reInvite(3, sdpOf('10.0.0.9').replace('RTP/AVP 0 8 101', 'udptl t38').replace('m=audio', 'm=image')),
    488,
  );
  assert.equal(await reInvite(4, sdpOf('10.0.0.9', { port: 31_000 })), 200);
  const changes = it.legs[0]?.events.filter(({ type }) => type === 'audio-changed') ?? [];
  assert.deepEqual(
    changes.map((event) => event.type === 'audio-changed' && [event.audio.direction, event.audio.remotePort]),
    [
      ['recvonly', 30_000],
      ['sendrecv', 31_000],
    ],
  );
  assert.equal(endOf(it), null);
});

test('a wideband call: the leg knows its rate from the offer, a hold keeps the codec, a re-INVITE may change it', async () => {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { codecs: ['PCMU', 'G722'], prefersWideband: true });
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.answer(audio);
  });
  const it = { lab, endpoint, peer: lab.peer('10.0.0.9'), legs };
  const tag = await establish(it, { sdp: sdpOf('10.0.0.9', { formats: '0 9', lines: [] }) });
  assert.equal(legs[0]?.leg.sampleRateHz, 16_000);
  const offers = [
    sdpOf('10.0.0.9', { formats: '0 9', direction: 'sendonly', lines: [] }),
    sdpOf('10.0.0.9', { formats: '0', lines: [] }),
  ];
  for (const [index, body] of offers.entries()) {
    const cseq = index + 2;
    it.peer.send(service, inviteLines(it.peer, target, { branch: `z9hG4bKre${cseq}`, cseq, toTag: tag }), body);
    await lab.run(30);
    const ack = { method: 'ACK', branch: `z9hG4bKreack${cseq}`, cseq, toTag: tag, sdp: false };
    it.peer.send(service, inviteLines(it.peer, target, ack));
    await lab.run(30);
  }
  const agreed = legs[0]?.events.flatMap((event) =>
    'audio' in event ? [[event.type, event.audio.codec, event.audio.direction]] : [],
  );
  assert.deepEqual(agreed, [
    ['answered', 'G722', 'sendrecv'],
    ['audio-changed', 'G722', 'recvonly'],
    ['audio-changed', 'PCMU', 'sendrecv'],
  ]);
});

test('a re-INVITE that meets ours is 491, and ours is sent again after the peer’s 491', async () => {
  const it = await scene();
  // Our refresh comes half the interval after the answer; by re-INVITE, as the peer's Allow lacks UPDATE.
  const tag = await establish(it, { headers: ['Session-Expires: 100;refresher=uas', 'Supported: timer'] });
  await it.lab.run(50_100, 100);
  it.peer.send(
    service,
    inviteLines(it.peer, target, { branch: 'z9hG4bKglare', cseq: 2, toTag: tag }),
    sdpOf('10.0.0.9'),
  );
  await it.lab.run(20);
  assert.equal(it.peer.responses('INVITE').at(-1)?.status, 491);
  const ours = given(it.peer.requests('INVITE')[0]);
  assert.match(ours.body.toString(), /a=sendrecv/);
  it.peer.respond(ours, service, 491);
  await it.lab.run(2_500);
  const again = given(it.peer.requests('INVITE').at(-1));
  assert.notEqual(value(again, 'cseq'), value(ours, 'cseq'));
  it.peer.respond(again, service, 200, {
    headers: [it.peer.contact],
    body: sdpOf('10.0.0.9', { direction: 'recvonly' }),
  });
  await it.lab.run(50);
  assert.equal(it.peer.requests('ACK').length, 2);
  const changed = it.legs[0]?.events.at(-1);
  assert.ok(changed?.type === 'audio-changed' || changed?.type === 'dialog-stored');
  assert.equal(endOf(it), null);
});

test('session timer as refresher: UPDATE at half time, and BYE when the peer has forgotten the call', async () => {
  const it = await scene();
  await establish(it, {
    headers: ['Session-Expires: 100;refresher=uas', 'Supported: timer', 'Allow: INVITE, ACK, BYE, UPDATE'],
  });
  assert.equal(value(it.peer.responses('INVITE')[1], 'session-expires'), '100;refresher=uas');
  it.peer.onMessage = (message) => {
    if (message.kind === 'request' && message.method !== 'ACK') {
      it.peer.respond(message, service, message.method === 'UPDATE' ? 481 : 200);
    }
  };
  await it.lab.run(49_000, 100);
  assert.equal(it.peer.requests('UPDATE').length, 0);
  await it.lab.run(2_000, 100);
  assert.equal(it.peer.requests('UPDATE').length, 1);
  assert.equal(it.peer.requests('BYE').length, 1);
  assert.equal(endOf(it)?.by, 'network');
});

test('session timer with the peer as refresher: no refresh, so the call ends a third before the interval is over', async () => {
  const it = await scene();
  const tag = await establish(it, { headers: ['Session-Expires: 90;refresher=uac', 'Supported: timer'] });
  await it.lab.run(50_000, 100);
  it.peer.send(
    service,
    inviteLines(it.peer, target, {
      method: 'UPDATE',
      branch: 'z9hG4bKupd',
      cseq: 2,
      toTag: tag,
      sdp: false,
      headers: ['Session-Expires: 90;refresher=uac', 'Supported: timer'],
    }),
  );
  await it.lab.run(50_000, 100);
  assert.deepEqual(it.peer.statuses('UPDATE'), [200]);
  assert.equal(endOf(it), null);
  await it.lab.run(15_000, 100);
  assert.equal(endOf(it)?.reason, 'session expired');
});

test('BYEs that cross are both answered, and the call ends once', async () => {
  const it = await scene();
  const tag = await establish(it);
  it.legs[0]?.leg.hangUp();
  it.peer.send(
    service,
    inviteLines(it.peer, target, { method: 'BYE', branch: 'z9hG4bKbye', cseq: 2, toTag: tag, sdp: false }),
  );
  await it.lab.run(100);
  assert.deepEqual(it.peer.statuses('BYE'), [200]);
  assert.equal(it.peer.requests('BYE').length, 1);
  it.peer.respond(given(it.peer.requests('BYE')[0]), service, 481);
  await it.lab.run(100);
  assert.equal(it.legs[0]?.events.filter(({ type }) => type === 'ended').length, 1);
});

test('digits by INFO, an unknown INFO is 415, requests of no dialog are 481, old CSeq is 500', async () => {
  const it = await scene();
  const tag = await establish(it);
  const request = (method: string, cseq: number, headers: string[], body: string, toTag = tag) =>
    it.peer.send(
      service,
      inviteLines(it.peer, target, {
        method,
        cseq,
        branch: `z9hG4bK${method}${cseq}${toTag}`,
        toTag,
        sdp: false,
        headers,
      }),
      body,
    );
  request('INFO', 5, ['Content-Type: application/dtmf-relay'], 'Signal=5\r\nDuration=120\r\n');
  request('INFO', 6, ['Content-Type: application/x-y'], 'z');
  await it.lab.run(20);
  request('INFO', 3, ['Content-Type: application/dtmf-relay'], 'Signal=1\r\n');
  request('INFO', 7, [], '', 'nobody');
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('INFO'), [200, 415, 500, 481]);
  assert.deepEqual(
    it.legs[0]?.events.filter(({ type }) => type === 'digit'),
    [{ type: 'digit', digit: '5', durationMs: 120 }],
  );
});

test('a REFER from the other side is taken where the call says so, and is told at once that it is over', async () => {
  const it = await scene();
  const tag = await establish(it);
  const targets: string[] = [];
  let takes = false;
  it.legs[0]?.leg.onEvent((event) => {
    if (event.type !== 'refer-asked') return;
    targets.push(event.target);
    if (takes) event.accept();
  });
  let cseq = 2;
  const refer = async (to: string): Promise<number | undefined> => {
    const headers = [`Refer-To: ${to}`];
    const about = { method: 'REFER', cseq, branch: `z9hG4bKrefer${cseq++}`, toTag: tag, sdp: false, headers };
    it.peer.send(service, inviteLines(it.peer, target, about));
    await it.lab.run(20);
    return it.peer.statuses('REFER').at(-1);
  };
  assert.equal(await refer('<sip:+15557770000@10.0.0.1>'), 603, 'nobody takes it');
  takes = true;
  assert.equal(await refer('<sip:kitchen@10.0.0.1?Replaces=other%3Bto-tag%3D1>'), 603, 'on another line');
  assert.equal(await refer('<sip:007@10.0.0.1>'), 603);
  assert.equal(it.peer.requests('NOTIFY').length, 0);
  assert.equal(await refer('<sip:kitchen@10.0.0.1;transport=udp>'), 202);
  assert.deepEqual(targets, ['+15557770000', 'sip:kitchen']);
  const [notify] = it.peer.requests('NOTIFY');
  assert.match(value(notify, 'subscription-state'), /^terminated/);
  assert.match(String(notify?.body), /^SIP\/2\.0 200/);
  assert.ok(it.legs[0]?.events.every(({ type }) => type !== 'ended'));
  assert.deepEqual(it.lab.errors, []);
});

test('a transfer: REFER goes out, its NOTIFYs come back as progress', async () => {
  const it = await scene();
  const tag = await establish(it);
  it.legs[0]?.leg.refer('+15557770000');
  await it.lab.run(20);
  const refer = given(it.peer.requests('REFER')[0]);
  assert.match(value(refer, 'refer-to'), /^<sip:\+15557770000@/);
  it.peer.respond(refer, service, 202);
  for (const [index, line] of ['SIP/2.0 100 Trying', 'SIP/2.0 200 OK'].entries()) {
    const headers = ['Event: refer', 'Subscription-State: active', 'Content-Type: message/sipfrag'];
    it.peer.send(
      service,
      inviteLines(it.peer, target, {
        method: 'NOTIFY',
        cseq: 10 + index,
        branch: `z9hG4bKn${index}`,
        toTag: tag,
        sdp: false,
        headers,
      }),
      line,
    );
    await it.lab.run(20);
  }
  const progress = it.legs[0]?.events
    .filter(({ type }) => type === 'refer-progress')
    .map((event) => event.type === 'refer-progress' && event.status);
  assert.deepEqual(progress, [100, 100, 200]);
  assert.deepEqual(it.peer.statuses('NOTIFY'), [200, 200]);
});
