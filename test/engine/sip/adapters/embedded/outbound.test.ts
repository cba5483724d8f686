// Outbound calls on a virtual clock, against scripted trunks: forks, CANCEL races, session timers, transports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { StoredDialog } from '../../../../../engine/sip/telephony.ts';
import { dialRequest, given, SipLab, sdpOf, tagIn, trunkConfig, value } from '../../../../support/sip/sip-lab.ts';
import { answering, endOf, scene, seen, service } from './outbound-scene.ts';

test('ringing, answer, ACK, and our BYE along the recorded route', async () => {
  const it = await scene([
    answering(sdpOf('10.0.1.1', { formats: '8 101' }), ['Record-Route: <sip:10.0.1.1;lr>, <sip:edge@10.0.1.1;lr>']),
  ]);
  const order: string[] = [];
  const leg = it.dial({
    beforeInvite: async (dialog: StoredDialog) => {
      order.push(
        `stored ${it.peers[0]?.requests('INVITE').length} ${dialog.state} ${dialog.inviteVia?.includes('z9hG4bK')}`,
      );
    },
  });
  await it.lab.run(50);
  assert.deepEqual(order, ['stored 0 inviting true']);
  assert.deepEqual(seen(leg), ['ringing', 'answered']);
  const answered = leg.events.find((event) => event.type === 'answered');
  assert.ok(answered?.type === 'answered');
  assert.equal(answered.audio.codec, 'PCMA');
  assert.equal(it.peers[0]?.requests('ACK').length, 1);
  leg.leg.hangUp({ q850Cause: 16, text: 'done' });
  await it.lab.run(50);
  const bye = it.peers[0]?.requests('BYE')[0];
  assert.equal(bye?.uri, 'sip:peer@10.0.1.1:5060');
  assert.deepEqual(
    bye?.headers.filter(({ name }) => name === 'route').map((entry) => entry.value),
    ['<sip:edge@10.0.1.1;lr>', '<sip:10.0.1.1;lr>'],
  );
  assert.equal(value(bye, 'reason'), 'Q.850;cause=16;text="done"');
  assert.equal(it.endpoint.counts.dialogs, 0);
  assert.deepEqual(it.lab.errors, []);
});

test('a call that is hung up by who hears that it was answered gets its ACK and its BYE', async () => {
  const it = await scene([answering(sdpOf('10.0.1.1'))]);
  const leg = it.dial();
  let endedBy: string | null = null;
  leg.leg.onEvent((event) => {
    if (event.type === 'answered') leg.leg.hangUp();
    if (event.type === 'ended') endedBy = event.end.by;
  });
  await it.lab.run(50);
  assert.equal(it.peers[0]?.requests('ACK').length, 1);
  assert.equal(it.peers[0]?.requests('BYE').length, 1);
  assert.equal(endedBy, 'local');
  assert.equal(it.endpoint.counts.dialogs, 0);
  assert.deepEqual(it.lab.errors, []);
});

test('each answer that is sent again gets the same ACK again', async () => {
  const it = await scene([
    (request, peer) => {
      if (request.method !== 'INVITE') return;
      const answer = { tag: 'callee', headers: [peer.contact], body: sdpOf('10.0.1.1') };
      for (let n = 0; n < 3; n++) peer.respond(request, service, 200, answer);
    },
  ]);
  it.dial();
  await it.lab.run(50);
  const acks = it.peers[0]?.requests('ACK') ?? [];
  assert.equal(acks.length, 3);
  assert.equal(new Set(acks.map((ack) => value(ack, 'via'))).size, 1);
});

test('a strict router: Request-URI is the route, the target is the last Route', async () => {
  const it = await scene([answering(sdpOf('10.0.1.1'), ['Record-Route: <sip:old@10.0.1.1>'])]);
  const leg = it.dial();
  await it.lab.run(50);
  leg.leg.hangUp();
  await it.lab.run(50);
  const bye = it.peers[0]?.requests('BYE')[0];
  assert.equal(bye?.uri, 'sip:old@10.0.1.1');
  assert.equal(value(bye, 'route'), '<sip:peer@10.0.1.1:5060>');
});

test('a lost INVITE is sent again; without any answer the call ends after 32 s', async () => {
  const it = await scene([() => {}]);
  const leg = it.dial();
  await it.lab.run(33_000);
  const times =
    it.peers[0]?.received
      .filter(({ message }) => message.kind === 'request' && message.method === 'INVITE')
      .map(({ atMs }) => atMs) ?? [];
  assert.deepEqual(
    times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 100) / 10),
    [0.5, 1, 2, 4, 8, 16],
  );
  assert.deepEqual(endOf(leg), { by: 'network', sipStatus: 408, q850Cause: null, reason: 'no response', rang: false });
});

test('early media of one fork, then another fork answers: its SDP counts, a third one gets ACK and BYE', async () => {
  const it = await scene([
    (request, peer) => {
      if (request.method !== 'INVITE') return;
      peer.respond(request, service, 183, {
        tag: 'one',
        headers: [peer.contact],
        body: sdpOf('10.0.1.1', { port: 31_000 }),
      });
      peer.respond(request, service, 180, { tag: 'two', headers: [peer.contact] });
      peer.respond(request, service, 200, {
        tag: 'two',
        headers: [peer.contact],
        body: sdpOf('10.0.1.1', { port: 32_000 }),
      });
      peer.respond(request, service, 200, {
        tag: 'three',
        headers: [peer.contact],
        body: sdpOf('10.0.1.1', { port: 33_000 }),
      });
    },
  ]);
  const leg = it.dial();
  await it.lab.run(100);
  const [early] = leg.events.filter((event) => event.type === 'ringing');
  assert.equal(early?.type === 'ringing' && early.earlyAudio?.remotePort, 31_000);
  const answered = leg.events.find((event) => event.type === 'answered');
  assert.equal(answered?.type === 'answered' && answered.audio.remotePort, 32_000);
  assert.deepEqual(
    it.peers[0]
      ?.requests('ACK')
      .map((ack) => tagIn(ack, 'to'))
      .sort(),
    ['three', 'two'],
  );
  assert.deepEqual(
    it.peers[0]?.requests('BYE').map((bye) => tagIn(bye, 'to')),
    ['three'],
  );
  assert.equal(endOf(leg), null);
});

test('hanging up before any response sends nothing; the first 1xx brings CANCEL, the 200 that crossed it ACK and BYE', async () => {
  const it = await scene([
    (request, peer) => {
      if (request.method === 'CANCEL') peer.respond(request, service, 200);
    },
  ]);
  const [peer] = it.peers;
  assert.ok(peer);
  const leg = it.dial();
  await it.lab.run(50);
  leg.leg.hangUp();
  await it.lab.run(300);
  assert.equal(peer.requests('CANCEL').length, 0);
  assert.equal(endOf(leg)?.by, 'local');
  const invite = given(peer.requests('INVITE')[0]);
  peer.respond(invite, service, 180, { tag: 'callee', headers: [peer.contact] });
  await it.lab.run(20);
  assert.equal(peer.requests('CANCEL').length, 1);
  const branch = (message: SipRequest) => /branch=([^;]+)/.exec(value(message, 'via'))?.[1];
  assert.equal(branch(given(peer.requests('CANCEL')[0])), branch(invite));
  peer.respond(invite, service, 200, { tag: 'callee', headers: [peer.contact], body: sdpOf('10.0.1.1') });
  await it.lab.run(50);
  assert.equal(peer.requests('ACK').length, 1);
  assert.equal(peer.requests('BYE').length, 1);
  await it.lab.run(40_000, 100);
  assert.equal(it.endpoint.counts.dialogs, 0);
});

test('a callee that rang and went dark leaves no transaction behind, whether cancelled or hung up in a re-INVITE', async () => {
  const direct = { trunkIds: [], to: 'sip:callee@10.0.1.1' };
  const dark = await scene([(request, peer) => request.method === 'INVITE' && peer.respond(request, service, 180)], []);
  const leg = dark.dial(direct);
  await dark.lab.run(1_000);
  leg.leg.hangUp();
  await dark.lab.run(70_000, 100);
  assert.equal(dark.peers[0]?.requests('CANCEL').length !== 0, true);
  assert.deepEqual([dark.endpoint.counts.transactions, dark.endpoint.counts.dialogs], [0, 0]);

  const timer = ['Session-Expires: 90;refresher=uac', 'Allow: INVITE, ACK, BYE'];
  const answer = answering(sdpOf('10.0.1.1'), timer);
  const mute = await scene(
    [
      (request, peer) => {
        if (request.method !== 'INVITE') return;
        if (peer.requests('INVITE').length === 1) answer(request, peer);
        else peer.respond(request, service, 100);
      },
    ],
    [],
  );
  const call = mute.dial(direct);
  await mute.lab.run(46_000, 100);
  assert.equal(mute.peers[0]?.requests('INVITE').length, 2);
  call.leg.hangUp();
  await mute.lab.run(70_000, 100);
  assert.deepEqual([mute.endpoint.counts.transactions, mute.endpoint.counts.dialogs], [0, 0]);
});

test('ring time-out: CANCEL, 487 is acknowledged, the end says that it rang', async () => {
  const it = await scene([
    (request, peer) => {
      if (request.method === 'INVITE') peer.respond(request, service, 180, { tag: 'callee', headers: [peer.contact] });
      if (request.method !== 'CANCEL') return;
      peer.respond(request, service, 200);
      peer.respond(peer.requests('INVITE')[0] ?? request, service, 487, { tag: 'callee' });
    },
  ]);
  const leg = it.dial({ ringTimeoutMs: 5_000 });
  await it.lab.run(6_000);
  assert.deepEqual(endOf(leg), {
    by: 'local',
    sipStatus: 408,
    q850Cause: null,
    reason: 'not answered in time',
    rang: true,
  });
  assert.equal(it.peers[0]?.requests('ACK').length, 1);
});

test('session timer as UAC: re-INVITE at half time if UPDATE is not allowed, and the call goes on', async () => {
  const it = await scene([answering(sdpOf('10.0.1.1'), ['Session-Expires: 120;refresher=uac', 'Require: timer'])]);
  const leg = it.dial();
  await it.lab.run(59_000, 100);
  assert.equal(it.peers[0]?.requests('INVITE').length, 1);
  await it.lab.run(2_000, 100);
  const [, refresh] = it.peers[0]?.requests('INVITE') ?? [];
  assert.equal(value(refresh, 'session-expires'), '120;refresher=uac');
  await it.lab.run(200_000, 100);
  assert.equal(endOf(leg), null);
  assert.equal(it.peers[0]?.requests('INVITE').length, 5);
});

test('a refused transfer is reported, and the call goes on', async () => {
  const it = await scene([
    (request, peer) => {
      answering(sdpOf('10.0.1.1'))(request, peer);
      if (request.method === 'REFER') peer.respond(request, service, 603);
    },
  ]);
  const leg = it.dial();
  await it.lab.run(50);
  leg.leg.refer('sip:human@10.0.0.50');
  await it.lab.run(50);
  const progress = leg.events.find((event) => event.type === 'refer-progress');
  assert.deepEqual(progress, { type: 'refer-progress', status: 603, reason: 'Scripted' });
  assert.equal(endOf(leg), null);
});

test('a public trunk sees EXTERNAL_IP in Via, Contact and SDP', async () => {
  const lab = new SipLab();
  const peer = lab.peer('8.8.8.8');
  const endpoint = await lab.endpoint('10.0.0.1', { externalIp: '198.51.100.20' });
  endpoint.setTrunks([trunkConfig('t', '8.8.8.8')]);
  await lab.run(20);
  endpoint.dial(dialRequest(['t']));
  await lab.run(50);
  const [invite] = peer.requests('INVITE');
  assert.match(value(invite, 'via'), /^SIP\/2\.0\/UDP 198\.51\.100\.20:5060;/);
  assert.match(value(invite, 'contact'), /198\.51\.100\.20:5060/);
  assert.match(invite?.body.toString() ?? '', /c=IN IP4 198\.51\.100\.20/);
});

test('past 1,300 bytes a direct call uses TCP, or UDP after all if nothing listens there', async () => {
  const long = 'x'.repeat(900);
  const lab = new SipLab();
  const near = await lab.endpoint('10.0.0.1');
  const far = await lab.endpoint('10.0.0.2');
  const flows: string[] = [];
  far.onInvite((leg) => {
    flows.push('far');
    leg.answer({ address: '10.0.0.2', port: 30_000 });
  });
  const udpOnly = lab.peer('10.0.0.3');
  const leg = recordLeg(near.dial(dialRequest([], { to: 'sip:a@10.0.0.2', fromName: long })));
  near.dial(dialRequest([], { to: 'sip:a@10.0.0.3', fromName: long }));
  await lab.run(300);
  assert.equal(
    lab.network.packets.some(({ to, bytes }) => to.address === '10.0.0.2' && bytes.toString().startsWith('INVITE')),
    false,
  );
  assert.deepEqual(flows, ['far']);
  assert.ok(leg.events.some(({ type }) => type === 'answered'));
  assert.equal(udpOnly.requests('INVITE').length > 0, true);
  leg.leg.hangUp();
  await lab.run(300);
  assert.deepEqual(lab.errors, []);
});

test('a callee that wants a session of two months is refreshed after half a day', async () => {
  const interval = ['Session-Expires: 5000000;refresher=uac', 'Allow: INVITE, UPDATE, BYE'];
  const it = await scene([answering(sdpOf('10.0.1.1'), interval)], []);
  const leg = it.dial({ trunkIds: [], to: 'sip:callee@10.0.1.1' });
  await it.lab.run(1_000);
  await it.lab.run(43_190_000, 10_000);
  assert.equal(it.peers[0]?.requests('UPDATE').length, 0);
  await it.lab.run(20_000);
  assert.notEqual(it.peers[0]?.requests('UPDATE').length, 0);
  assert.match(value(given(it.peers[0]?.requests('UPDATE')[0]), 'session-expires'), /^86400;/);
  leg.leg.hangUp();
});
