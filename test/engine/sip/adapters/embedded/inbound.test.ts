// Inbound calls on a virtual clock: what the caller's side sees on the wire, and what the engine is notified of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { given, inviteLines, SipLab, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';
import { audio, endOf, establish, scene, service, target, typesOf } from './inbound-scene.ts';

test('an answered call: 100, 200 with one codec and the offerer’s event type, then BYE', async () => {
  const it = await scene();
  const tag = await establish(it, {
    sdp: sdpOf('10.0.0.9', { formats: '8 97', lines: ['a=rtpmap:97 telephone-event/8000'] }),
  });
  assert.deepEqual(it.peer.statuses('INVITE'), [100, 200]);
  const body = it.peer.responses('INVITE')[1]?.body.toString() ?? '';
  assert.match(body, /m=audio 20000 RTP\/AVP 8 97\r\n/);
  assert.match(body, /a=ptime:20/);
  it.peer.send(
    service,
    inviteLines(it.peer, target, {
      method: 'BYE',
      branch: 'z9hG4bKbye',
      cseq: 2,
      toTag: tag,
      sdp: false,
      headers: ['Reason: Q.850;cause=16;text="done"'],
    }),
  );
  await it.lab.run(50);
  assert.deepEqual(it.peer.statuses('BYE'), [200]);
  assert.deepEqual(typesOf(it), ['answered', 'ended']);
  assert.deepEqual(endOf(it), { by: 'remote', sipStatus: null, q850Cause: 16, reason: 'done', rang: true });
  assert.deepEqual(it.lab.errors, []);
});

test('a retransmitted INVITE makes one call and gets the last response again', async () => {
  const it = await scene((leg) => leg.ring());
  for (let i = 0; i < 3; i++) {
    it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
    await it.lab.run(500);
  }
  assert.equal(it.legs.length, 1);
  assert.deepEqual(it.peer.statuses('INVITE'), [100, 180, 180, 180]);
});

test('the 200 is sent again at 0.5, 1 and 2 s until the ACK, and after 4 s without one comes BYE', async () => {
  const it = await scene();
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(4_500);
  const times = it.peer.received
    .filter(({ message }) => message.kind === 'response' && message.status === 200)
    .map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 100) / 10);
  assert.deepEqual(gaps, [0.5, 1, 2]);
  assert.equal(it.peer.requests('BYE').length > 0, true);
  assert.deepEqual(endOf(it)?.by, 'network');
});

test('over UDP no audio goes out before the ACK: a forged INVITE sends nothing to whom its SDP names', async () => {
  const it = await scene();
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(2_000);
  const answers = () => it.legs[0]?.events.filter(({ type }) => type === 'answered').length;
  assert.equal(answers(), 0);
  const ok = it.peer.responses('INVITE').find(({ status }) => status === 200);
  const ack = { method: 'ACK', branch: 'z9hG4bKack1', toTag: tagIn(ok, 'to'), sdp: false };
  it.peer.send(service, inviteLines(it.peer, target, ack));
  await it.lab.run(50);
  assert.equal(answers(), 1);
  await it.lab.run(10_000);
  assert.equal(it.peer.requests('BYE').length, 0);
});

test('CANCEL before the answer: 200 and 487, and a later answer does nothing', async () => {
  const it = await scene((leg) => leg.ring());
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(100);
  it.peer.send(
    service,
    inviteLines(it.peer, target, { method: 'CANCEL', sdp: false, headers: ['Reason: Q.850;cause=26'] }),
  );
  await it.lab.run(100);
  it.legs[0]?.leg.answer(audio);
  await it.lab.run(100);
  assert.deepEqual(it.peer.statuses('CANCEL'), [200]);
  assert.deepEqual(it.peer.statuses('INVITE').filter((status) => status >= 200)[0], 487);
  assert.equal(it.peer.statuses('INVITE').includes(200), false);
  assert.deepEqual(endOf(it), { by: 'remote', sipStatus: 487, q850Cause: 26, reason: 'cancelled', rang: true });
});

test('CANCEL that crosses the 200: the call stands, and our BYE waits for the ACK', async () => {
  const it = await scene();
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  await it.lab.run(20);
  it.peer.send(service, inviteLines(it.peer, target, { method: 'CANCEL', sdp: false }));
  await it.lab.run(20);
  assert.deepEqual(it.peer.statuses('CANCEL'), [200]);
  it.legs[0]?.leg.hangUp();
  await it.lab.run(300);
  assert.equal(it.peer.requests('BYE').length, 0);
  const ok = it.peer.responses('INVITE').find(({ status }) => status === 200);
  assert.ok(ok);
  it.peer.send(
    service,
    inviteLines(it.peer, target, { method: 'ACK', branch: 'z9hG4bKack1', toTag: tagIn(ok, 'to'), sdp: false }),
  );
  await it.lab.run(50);
  assert.equal(it.peer.requests('BYE').length, 1);
});

test('an INVITE without SDP gets a full offer, and the answer comes with the ACK', async () => {
  const it = await scene();
  it.peer.send(service, inviteLines(it.peer, target, { sdp: false }));
  await it.lab.run(50);
  const ok = it.peer.responses('INVITE').find(({ status }) => status === 200);
  assert.match(ok?.body.toString() ?? '', /m=audio 20000 RTP\/AVP 0 8 101/);
  assert.equal(typesOf(it).includes('answered'), false);
  const ack = inviteLines(it.peer, target, { method: 'ACK', branch: 'z9hG4bKack1', toTag: tagIn(ok, 'to') });
  it.peer.send(service, ack, sdpOf('10.0.0.9', { formats: '8' }));
  await it.lab.run(50);
  const answered = it.legs[0]?.events.find(({ type }) => type === 'answered');
  assert.ok(answered?.type === 'answered');
  assert.equal(answered.audio.codec, 'PCMA');
  assert.equal(answered.audio.telephoneEventPayloadType, null);
});

const multipart = (isup: string[], sdp = sdpOf('10.0.0.9')): string =>
  ['--gw', 'Content-Type: application/sdp', '', sdp.trimEnd(), '--gw', ...isup, '', 'x', '--gw--', ''].join('\r\n');

test('an offer beside ISUP or a location is taken (RFC 5621), unless its sender demands that both are understood', async () => {
  const isup = 'Content-Type: application/isup;version=itu-t92+';
  const cases: Array<[string, string, number]> = [
    ['multipart/mixed;boundary=gw', multipart([isup, 'Content-Disposition: signal;handling=optional']), 180],
    ['multipart/mixed; boundary="gw"', multipart(['Content-Type: application/pidf+xml']), 180],
    ['multipart/mixed;boundary=gw', multipart([isup, 'Content-Disposition: signal;handling=required']), 415],
    ['multipart/mixed;boundary=gw', multipart([isup]).replace('application/sdp', 'text/plain'), 415],
    ['multipart/mixed;boundary=other', multipart([isup]), 415],
    ['multipart/mixed', multipart([isup]), 415],
  ];
  for (const [index, [type, body, expected]] of cases.entries()) {
    const it = await scene();
    const headers = [`Content-Type: ${type}`];
    const branch = `z9hG4bKparts${index}`;
    it.peer.send(
      service,
      inviteLines(it.peer, target, { sdp: false, headers, branch, callId: `parts-${index}` }),
      body,
    );
    await it.lab.run(30);
    if (expected === 180) assert.equal(it.legs.length, 1, type);
    else assert.equal(it.peer.responses('INVITE').at(-1)?.status, expected, type);
  }
});

test('early refusals: codecs 488, content 415, extension 420, accept 406, interval 422, capacity 503', async () => {
  const it = await scene();
  const cases: Array<[number, { headers?: string[]; sdp?: boolean }, string]> = [
    [488, {}, sdpOf('10.0.0.9', { formats: '18' })],
    [415, { sdp: false, headers: ['Content-Type: application/isup'] }, 'x'],
    [420, { headers: ['Require: precondition'] }, sdpOf('10.0.0.9')],
    [406, { headers: ['Accept: text/plain'] }, sdpOf('10.0.0.9')],
    [422, { headers: ['Supported: timer', 'Session-Expires: 60'] }, sdpOf('10.0.0.9')],
  ];
  for (const [index, [status, options, body]] of cases.entries()) {
    const branch = `z9hG4bKrefused${index}`;
    it.peer.send(service, inviteLines(it.peer, target, { ...options, branch, callId: `refused-${index}` }), body);
    await it.lab.run(30);
    const final = it.peer.responses('INVITE').at(-1);
    assert.equal(final?.status, status);
    assert.ok(tagIn(final, 'to') !== '');
    if (status === 420) assert.equal(value(final, 'unsupported'), 'precondition');
    if (status === 422) assert.equal(value(final, 'min-se'), '90');
  }
  assert.equal(it.legs.length, 0);
});

test('beyond the limit 503 with Retry-After, from strangers 403, and neither reaches the engine', async () => {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['10.0.0.0/24'] });
  let heard = 0;
  endpoint.onInvite(() => heard++);
  endpoint.setAdmission(() => 'capacity');
  const near = lab.peer('10.0.0.9');
  const stranger = lab.peer('192.0.2.7');
  near.send(service, inviteLines(near, target), sdpOf('10.0.0.9'));
  stranger.send(service, inviteLines(stranger, target, { callId: 'other' }), sdpOf('192.0.2.7'));
  await lab.run(50);
  assert.equal(near.statuses().at(-1), 503);
  assert.match(value(near.responses().at(-1), 'retry-after'), /^\d+$/);
  assert.equal(stranger.statuses().at(-1), 403);
  assert.equal(heard, 0);
});

test('without the database the proxy’s OPTIONS and calls are answered by 503 at once', async () => {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['10.0.0.8/32'], edgeProxies: ['10.0.0.9/32'] });
  let isAway = true;
  endpoint.setAdmission(() => (isAway ? 'database' : null));
  const near = lab.peer('10.0.0.9');
  const carrier = lab.peer('10.0.0.8');
  const options = (callId: string) =>
    inviteLines(near, target, { method: 'OPTIONS', callId, branch: `z9hG4bK${callId}` });
  near.send(service, options('first'));
  carrier.send(service, inviteLines(carrier, target), sdpOf('10.0.0.8'));
  await lab.run(50);
  assert.deepEqual([near.statuses('OPTIONS'), carrier.statuses().at(-1)], [[503], 503]);
  isAway = false;
  near.send(service, options('second'));
  await lab.run(50);
  assert.deepEqual(near.statuses('OPTIONS'), [503, 200]);
});

test('of calls over UDP whose ACK is late a network keeps four, and gives up its oldest for a new INVITE', async () => {
  const it = await scene();
  const other = it.lab.peer('10.0.0.8');
  const invite = (peer: typeof it.peer, address: string, callId: string) =>
    peer.send(service, inviteLines(peer, target, { callId, branch: `z9hG4bK${callId}` }), sdpOf(address));
  const ended = () => it.legs.flatMap(({ events }, n) => (events.some(({ type }) => type === 'ended') ? [n] : []));
  // A burst: nobody can have acknowledged it.
  for (const callId of ['a', 'b', 'c', 'd', 'e', 'f']) invite(it.peer, '10.0.0.9', callId);
  await it.lab.run(50);
  const ok = it.peer.responses('INVITE').find((each) => each.status === 200 && value(each, 'call-id') === 'a');
  const ack = { method: 'ACK', callId: 'a', branch: 'z9hG4bKack', toTag: tagIn(ok, 'to'), sdp: false };
  it.peer.send(service, inviteLines(it.peer, target, ack));
  await it.lab.run(1_500);
  assert.deepEqual(ended(), []);
  invite(other, '10.0.0.8', 'g');
  await it.lab.run(50);
  assert.deepEqual(ended(), [], 'another network has late ones of its own');
  invite(it.peer, '10.0.0.9', 'h');
  await it.lab.run(50);
  assert.deepEqual(ended(), [1, 2], 'the oldest without an ACK');
  assert.equal(it.peer.statuses('INVITE').at(-1), 200);
});

test('the parties: P-Asserted-Identity before From, Diversion kept, anonymous if privacy is requested', async () => {
  const it = await scene((leg) => leg.reject(480));
  it.peer.send(
    service,
    inviteLines(it.peer, target, {
      headers: [
        'P-Asserted-Identity: "Carol" <sip:+16502530000@carrier.example>',
        'Diversion: <sip:+14155552671@carrier.example>;reason=unconditional',
      ],
    }),
    sdpOf('10.0.0.9'),
  );
  it.peer.send(
    service,
    inviteLines(it.peer, target, {
      callId: 'private',
      branch: 'z9hG4bKprivate',
      headers: ['P-Asserted-Identity: <sip:+16502530000@carrier.example>', 'Privacy: id'],
    }),
    sdpOf('10.0.0.9'),
  );
  await it.lab.run(30);
  const [first, second] = it.legs.map(({ leg }) => leg);
  assert.equal(first?.called, '+15559990000');
  assert.deepEqual(first?.caller, { number: '+16502530000', name: 'Carol' });
  assert.deepEqual(first?.divertedFrom, ['+14155552671']);
  assert.deepEqual(second?.caller, { number: 'anonymous', name: null });
});

test('a public peer sees EXTERNAL_IP in Contact and SDP, a private one does not', async () => {
  for (const [peerAddress, shown] of [
    ['8.8.8.8', '198.51.100.20'],
    ['10.0.0.9', '10.0.0.1'],
  ] as const) {
    const lab = new SipLab();
    const endpoint = await lab.endpoint('10.0.0.1', { externalIp: '198.51.100.20' });
    endpoint.onInvite((leg) => leg.answer(audio));
    const peer = lab.peer(peerAddress);
    peer.send(service, inviteLines(peer, target), sdpOf(peerAddress));
    await lab.run(50);
    const ok = given(peer.responses('INVITE').at(-1));
    assert.equal(value(ok, 'contact').includes('@'), false);
    assert.ok(value(ok, 'contact').includes(shown));
    assert.ok(ok.body.toString().includes(`c=IN IP4 ${shown}`));
  }
});

test('a merged request is 482, an unknown method 501, a known but unsupported one 405 with Allow', async () => {
  const it = await scene((leg) => leg.ring());
  it.peer.send(service, inviteLines(it.peer, target), sdpOf('10.0.0.9'));
  it.peer.send(service, inviteLines(it.peer, target, { branch: 'z9hG4bKother' }), sdpOf('10.0.0.9'));
  it.peer.send(service, inviteLines(it.peer, target, { method: 'FROB', branch: 'z9hG4bKfrob', sdp: false }));
  it.peer.send(service, inviteLines(it.peer, target, { method: 'MESSAGE', branch: 'z9hG4bKmsg', sdp: false }));
  await it.lab.run(50);
  assert.equal(it.legs.length, 1);
  assert.ok(it.peer.statuses('INVITE').includes(482));
  assert.deepEqual(it.peer.statuses('FROB'), [501]);
  assert.match(value(it.peer.responses('MESSAGE')[0], 'allow'), /INVITE/);
});

test('a session interval beyond a day is read as a day, by Min-SE and by Session-Expires', async () => {
  for (const headers of [
    ['Min-SE: 3000000'],
    ['Session-Expires: 3000000;refresher=uas', 'Min-SE: 999999999', 'Supported: timer'],
  ]) {
    const it = await scene();
    await establish(it, { headers });
    const ok = it.peer.responses('INVITE').find(({ status }) => status === 200);
    assert.match(value(ok, 'session-expires'), /^86400;/);
    await it.lab.run(60_000, 1_000);
    assert.equal(it.peer.requests('BYE').length, 0);
    assert.deepEqual(typesOf(it), ['answered']);
  }
});
