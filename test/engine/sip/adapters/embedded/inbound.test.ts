// Inbound calls on a virtual clock: what the caller's side sees on the wire, and what the engine is notified of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import { given, inviteLines, type ScriptedPeer, SipLab, sdpOf, tagIn, value } from '../../../../support/sip/sip-lab.ts';

const service = { address: '10.0.0.1', port: 5060 };
const target = 'sip:+15559990000@10.0.0.1:5060';
const audio = { address: '10.0.0.1', port: 20_000 };

interface Scene {
  lab: SipLab;
  endpoint: Awaited<ReturnType<SipLab['endpoint']>>;
  peer: ScriptedPeer;
  legs: RecordedLeg<InboundLeg>[];
}

async function scene(onLeg: (leg: InboundLeg) => void = (leg) => leg.answer(audio)): Promise<Scene> {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1');
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    onLeg(leg);
  });
  return { lab, endpoint, peer: lab.peer('10.0.0.9'), legs };
}

function typesOf({ legs }: Scene): string[] {
  return (legs[0]?.events ?? []).map(({ type }) => type).filter((type) => type !== 'dialog-stored');
}

function endOf({ legs }: Scene) {
  const last = legs[0]?.events.at(-1);
  return last?.type === 'ended' ? last.end : null;
}

/** INVITE, 200, ACK; returns the service's tag. */
async function establish({ lab, peer }: Scene, options: { headers?: string[]; sdp?: string } = {}): Promise<string> {
  peer.send(service, inviteLines(peer, target, { headers: options.headers ?? [] }), options.sdp ?? sdpOf('10.0.0.9'));
  await lab.run(50);
  const ok = peer.responses('INVITE').find(({ status }) => status === 200);
  assert.ok(ok, `no 200 among ${peer.statuses()}`);
  const tag = tagIn(ok, 'to');
  peer.send(service, inviteLines(peer, target, { method: 'ACK', branch: 'z9hG4bKack1', toTag: tag, sdp: false }));
  await lab.run(50);
  return tag;
}

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

test('early refusals: codecs 488, content 415, extension 420, accept 406, interval 422, capacity 503', async () => {
  const it = await scene();
  const cases: Array<[number, { headers?: string[]; sdp?: boolean }, string]> = [
    [488, {}, sdpOf('10.0.0.9', { formats: '18' })],
    [415, { sdp: false, headers: ['Content-Type: application/isup'] }, 'x'],
    [420, { headers: ['Require: 100rel'] }, sdpOf('10.0.0.9')],
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
    if (status === 420) assert.equal(value(final, 'unsupported'), '100rel');
    if (status === 422) assert.equal(value(final, 'min-se'), '90');
  }
  assert.equal(it.legs.length, 0);
});

test('beyond the limit 503 with Retry-After, from strangers 403, and neither reaches the engine', async () => {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['10.0.0.0/24'] });
  let heard = 0;
  endpoint.onInvite(() => heard++);
  endpoint.setAdmission(() => false);
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
