// Outbound calls on a virtual clock, against scripted trunks: forks, CANCEL races, digest, redirection, failover.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { SipMessage, SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { DialRequest, OutboundLeg, StoredDialog, TrunkConfig } from '../../../../../engine/sip/telephony.ts';
import {
  dialRequest,
  given,
  type ScriptedPeer,
  SipLab,
  sdpOf,
  tagIn,
  trunkConfig,
  value,
} from '../../../../support/sip/sip-lab.ts';

const service = { address: '10.0.0.1', port: 5060 };

type Rule = (request: SipRequest, peer: ScriptedPeer) => void;

interface Scene {
  lab: SipLab;
  endpoint: EmbeddedTelephony;
  peers: ScriptedPeer[];
  dial(more?: Partial<DialRequest>): RecordedLeg<OutboundLeg>;
}

/** A trunk that answers OPTIONS and BYE automatically; INVITE, CANCEL and the rest follow the test's rule. */
async function scene(rules: Rule[], trunks?: TrunkConfig[]): Promise<Scene> {
  const lab = new SipLab();
  const peers = rules.map((rule, index) => {
    const peer = lab.peer(`10.0.1.${index + 1}`);
    peer.onMessage = (message: SipMessage) => {
      if (message.kind !== 'request') return;
      if (message.method === 'OPTIONS' || message.method === 'BYE') peer.respond(message, service, 200, { tag: 'x' });
      else rule(message, peer);
    };
    return peer;
  });
  const endpoint = await lab.endpoint('10.0.0.1');
  const configs = trunks ?? peers.map((peer, index) => trunkConfig(`trk_${index}`, peer.at.address));
  endpoint.setTrunks(configs);
  await lab.run(50);
  return {
    lab,
    endpoint,
    peers,
    dial: (more = {}) =>
      recordLeg(
        endpoint.dial(
          dialRequest(
            configs.map(({ id }) => id),
            more,
          ),
        ),
      ),
  };
}

function endOf(leg: RecordedLeg<OutboundLeg>) {
  const last = leg.events.at(-1);
  return last?.type === 'ended' ? last.end : null;
}

function seen(leg: RecordedLeg<OutboundLeg>) {
  return leg.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored');
}

function answering(body: string, headers: string[] = []): Rule {
  return (request, peer) => {
    if (request.method !== 'INVITE') return;
    peer.respond(request, service, 180, { tag: 'callee' });
    peer.respond(request, service, 200, { tag: 'callee', headers: [peer.contact, ...headers], body });
  };
}

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

function md5(text: string) {
  return createHash('md5').update(text).digest('hex');
}

function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex');
}

for (const [algorithm, hash] of [
  ['MD5', md5],
  ['SHA-256', sha256],
] as const) {
  test(`digest ${algorithm}: INVITE and BYE carry an answer that the far side computes too, stale nonces are renewed`, async () => {
    const nonces = ['n1', 'n2', 'n3'];
    let accepted = 0;
    const fields = (text: string) =>
      Object.fromEntries([...text.matchAll(/(\w+)="?([^",]*)"?/g)].map((match) => [match[1], match[2]]));
    const rule: Rule = (request, peer) => {
      if (request.method === 'ACK') return;
      const given = fields(value(request, 'proxy-authorization').replace(/^Digest /, ''));
      if (given.nonce !== nonces[0]) {
        const stale = given.nonce === undefined ? '' : ', stale=true';
        peer.respond(request, service, 407, {
          tag: 'p',
          headers: [
            'Proxy-Authenticate: NTLM realm="r"',
            `Proxy-Authenticate: Digest realm="carrier", nonce="${nonces[0]}", algorithm=${algorithm}, qop="auth"${stale}`,
          ],
        });
        return;
      }
      const a1 = hash('alice:carrier:secret');
      const a2 = hash(`${request.method}:${request.uri}`);
      const expected = hash(`${a1}:${given.nonce}:${given.nc}:${given.cnonce}:auth:${a2}`);
      assert.equal(given.response, expected);
      accepted++;
      peer.respond(request, service, 200, {
        tag: 'callee',
        headers: [peer.contact],
        ...(request.method === 'INVITE' ? { body: sdpOf('10.0.1.1') } : {}),
      });
    };
    const config = trunkConfig('trk_0', '10.0.1.1', { username: 'alice', password: 'secret' });
    const it = await scene([rule], [config]);
    const [peer] = it.peers;
    assert.ok(peer);
    peer.onMessage = (message) => {
      if (message.kind === 'request') rule(message, peer);
    };
    const leg = it.dial();
    await it.lab.run(100);
    assert.deepEqual(seen(leg), ['answered']);
    nonces.shift();
    leg.leg.hangUp();
    await it.lab.run(100);
    assert.ok(accepted >= 2);
    assert.equal(it.endpoint.counts.dialogs, 0);
  });
}

test('a wrong password is tried only once, and the call ends 407', async () => {
  const it = await scene(
    [
      (request, peer) =>
        request.method === 'INVITE' &&
        peer.respond(request, service, 407, { tag: 'p', headers: ['Proxy-Authenticate: Digest realm="r", nonce="n"'] }),
    ],
    [trunkConfig('trk_0', '10.0.1.1', { username: 'a', password: 'wrong' })],
  );
  const leg = it.dial();
  await it.lab.run(200);
  assert.equal(it.peers[0]?.requests('INVITE').length, 2);
  assert.equal(endOf(leg)?.sipStatus, 407);
});

test('422 raises the interval, and the INVITE is sent again with it', async () => {
  const it = await scene([
    (request, peer) => {
      if (request.method !== 'INVITE') return;
      const interval = Number.parseInt(value(request, 'session-expires'), 10);
      if (interval < 3_600) peer.respond(request, service, 422, { tag: 'p', headers: ['Min-SE: 3600'] });
      else peer.respond(request, service, 486, { tag: 'p' });
    },
  ]);
  it.dial();
  await it.lab.run(300);
  assert.deepEqual(
    it.peers[0]?.requests('INVITE').map((invite) => value(invite, 'min-se')),
    ['', '3600'],
  );
});

function refusing(status: number, ringFirst = false): Rule {
  return (request, peer) => {
    if (request.method !== 'INVITE') return;
    if (ringFirst) peer.respond(request, service, 180, { tag: 'r', headers: [peer.contact] });
    peer.respond(request, service, status, { tag: 'r', headers: ['Reason: Q.850;cause=34'] });
  };
}

for (const [status, ringFirst, goesOn] of [
  [503, false, true],
  [408, false, true],
  [500, false, true],
  [486, false, false],
  [404, false, false],
  [603, false, false],
  [600, false, false],
  [503, true, false],
  [408, true, false],
] as const) {
  test(`failover: ${status}${ringFirst ? ' after ringing' : ''} ${goesOn ? 'goes to the next trunk' : 'ends the call'}`, async () => {
    const it = await scene([refusing(status, ringFirst), answering(sdpOf('10.0.1.2'))]);
    const stored: Array<string | null> = [];
    const leg = it.dial({ beforeInvite: async ({ trunkId }) => void stored.push(trunkId) });
    await it.lab.run(200);
    assert.equal(it.peers[1]?.requests('INVITE').length, goesOn ? 1 : 0);
    if (goesOn) {
      assert.ok(seen(leg).includes('answered'));
      assert.deepEqual(stored, ['trk_0', 'trk_1']);
    } else {
      assert.deepEqual(endOf(leg), {
        by: 'remote',
        sipStatus: status,
        q850Cause: 34,
        reason: 'Scripted',
        rang: ringFirst,
      });
    }
  });
}

test("if the backup fails too, the first trunk's outcome stands", async () => {
  const it = await scene([refusing(503), refusing(404)]);
  const leg = it.dial();
  await it.lab.run(500);
  assert.equal(it.peers[1]?.requests('INVITE').length, 1);
  assert.equal(endOf(leg)?.sipStatus, 503);
});

test('silence by timer B goes to the next trunk; a rejected store dials nothing', async () => {
  const it = await scene([() => {}, answering(sdpOf('10.0.1.2'))]);
  const leg = it.dial();
  await it.lab.run(33_000);
  assert.ok(seen(leg).includes('answered'));
  const refused = it.dial({ beforeInvite: async () => Promise.reject(new Error('disk full')) });
  const before = it.peers[1]?.requests('INVITE').length;
  await it.lab.run(500);
  assert.equal(it.peers[1]?.requests('INVITE').length, before);
  assert.equal(endOf(refused)?.by, 'network');
});

test('identity, dial string and proxy as the trunk requires', async () => {
  const config = trunkConfig('trk_0', '10.0.9.9', {
    username: 'acct7',
    password: 'x',
    fromDomain: 'carrier.example',
    outboundProxy: '10.0.1.1',
    country: 'US',
    dialFormat: 'national',
    dialPrefix: '9',
    callerIdHeader: 'pai',
  });
  const it = await scene([() => {}], [config]);
  it.dial({ to: '+16502530000' });
  it.dial({ to: '+442079460000', from: 'anonymous' });
  await it.lab.run(100);
  const [home, abroad] = it.peers[0]?.requests('INVITE') ?? [];
  assert.equal(home?.uri, 'sip:96502530000@10.0.9.9');
  assert.match(value(home, 'from'), /^<sip:acct7@carrier\.example>;tag=/);
  assert.equal(value(home, 'p-asserted-identity'), '<sip:+15559990000@carrier.example>');
  assert.equal(value(home, 'route'), '<sip:10.0.1.1;lr>');
  assert.equal(abroad?.uri, 'sip:900442079460000@10.0.9.9');
  assert.match(value(abroad, 'from'), /anonymous\.invalid/);
  assert.equal(value(abroad, 'privacy'), 'id');
});

test('an INVITE with digest and P-Asserted-Identity fits a datagram', async () => {
  const nonce = 'a'.repeat(64);
  const config = trunkConfig('trk_0', '10.0.1.1', {
    username: 'account-7',
    password: 'secret',
    callerIdHeader: 'both',
    fromDomain: 'sip.carrier.example',
  });
  const it = await scene(
    [
      (request, peer) =>
        request.method === 'INVITE' &&
        value(request, 'authorization') === '' &&
        peer.respond(request, service, 401, {
          tag: 'p',
          headers: [
            `WWW-Authenticate: Digest realm="sip.carrier.example", nonce="${nonce}", opaque="${nonce.slice(32)}", algorithm=SHA-256, qop="auth"`,
          ],
        }),
    ],
    [config],
  );
  it.dial();
  await it.lab.run(100);
  const sizes = it.lab.network.packets
    .filter(({ bytes }) => bytes.toString().startsWith('INVITE'))
    .map(({ bytes }) => bytes.length);
  assert.equal(sizes.length, 2);
  assert.ok((sizes[1] ?? 9_999) <= 1_300, `${sizes}`);
});

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
