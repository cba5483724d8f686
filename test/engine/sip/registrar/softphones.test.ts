// Softphones over the wire, on a virtual clock: who may register, for how long, from where, and which calls that
// allows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedLeg, recordLeg } from '../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../engine/sip/adapters/embedded/endpoint.ts';
import { DigestClient } from '../../../../engine/sip/stack/wire/digest.ts';
import type { SipResponse } from '../../../../engine/sip/stack/wire/message.ts';
import type { InboundLeg, OutboundLeg, SipAccountConfig, SipBinding } from '../../../../engine/sip/telephony.ts';
import { TelephonyError } from '../../../../engine/sip/telephony.ts';
import { ScriptedPhone, SERVICE } from '../../../support/sip/scripted-phone.ts';
import { dialRequest, given, inviteLines, SipLab, sdpOf, trunkConfig, value } from '../../../support/sip/sip-lab.ts';

const ANN: SipAccountConfig = {
  id: 'sip_ann',
  accountId: 'acc_1',
  username: 'ann',
  displayName: 'Ann Lee',
  password: 'a-good-password',
};
const BOB: SipAccountConfig = {
  ...ANN,
  id: 'sip_bob',
  username: 'bob',
  displayName: null,
  password: 'another-password',
};
const CREDENTIALS = { username: 'ann', password: ANN.password };
const AUDIO = { address: '10.0.0.1', port: 20_000 };

interface Scene {
  lab: SipLab;
  endpoint: EmbeddedTelephony;
  legs: RecordedLeg<InboundLeg>[];
  bindings: Map<string, SipBinding | null>;
  phone: ScriptedPhone;
  warned: object[];
}

/** A stranger's address is allowed nothing but what its password gives. */
async function scene(options: { allowed?: string[]; accounts?: SipAccountConfig[] } = {}): Promise<Scene> {
  const lab = new SipLab();
  const warned: object[] = [];
  const endpoint = await lab.endpoint('10.0.0.1', {
    inboundAllow: options.allowed ?? ['10.0.0.200/32'],
    log: { debug() {}, info() {}, warn: (fields) => warned.push(fields), error: (fields) => lab.errors.push(fields) },
  });
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.answer(AUDIO);
  });
  const bindings = new Map<string, SipBinding | null>();
  endpoint.registrar.onBinding((id, binding) => bindings.set(id, binding));
  endpoint.registrar.setSipAccounts(options.accounts ?? [ANN, BOB]);
  return { lab, endpoint, legs, bindings, phone: new ScriptedPhone(lab, '192.0.2.7', CREDENTIALS, 40_000), warned };
}

const statusOf = (response: SipResponse | undefined): number => given(response).status;

function call(endpoint: EmbeddedTelephony, more: object = {}): RecordedLeg<OutboundLeg> {
  return recordLeg(endpoint.dial(dialRequest([], { to: 'sip:Ann', accountId: 'acc_1', ...more })));
}

test('a phone registers by MD5 or SHA-256, is listed with where it is, refreshes and leaves', async () => {
  const it = await scene();
  const first = await it.phone.send({ method: 'REGISTER', headers: ['Contact: <sip:ann@192.168.1.20:5060>'] });
  assert.equal(statusOf(first), 401);
  const offered = given(first).headers.filter(({ name }) => name === 'www-authenticate');
  assert.deepEqual(
    offered.map((entry) => /algorithm=([^,]+)/.exec(entry.value)?.[1]),
    ['SHA-256', 'MD5'],
  );
  for (const challenge of offered) {
    it.phone.digest.challenged({ ...given(first), headers: [challenge] }, true);
    const answer = await it.phone.register(600);
    assert.equal(statusOf(answer), 200);
    assert.equal(value(answer, 'contact'), '<sip:ann@192.168.1.20:5060>;expires=600');
  }
  const binding = given(it.bindings.get('sip_ann'));
  const { address, port, transport, contact, userAgent } = binding;
  assert.deepEqual(
    { address, port, transport, contact, userAgent },
    {
      address: '192.0.2.7',
      port: 40_000,
      transport: 'udp',
      contact: 'sip:ann@192.168.1.20:5060',
      userAgent: 'scripted',
    },
  );
  await it.lab.run(5_000);
  await it.phone.register(600);
  assert.equal(it.bindings.get('sip_ann')?.registeredAtMs, binding.registeredAtMs);
  const query = await it.phone.ask({ method: 'REGISTER' });
  assert.match(value(query, 'contact'), /;expires=(600|599)$/);
  const gone = await it.phone.register(0);
  assert.deepEqual([statusOf(gone), value(gone, 'contact')], [200, '']);
  assert.equal(it.bindings.get('sip_ann'), null);
  assert.deepEqual(it.lab.errors, []);
});

test('a phone that leaves a challenge with SHA-256 unanswered is offered MD5 alone, then and for its calls', async () => {
  const it = await scene();
  const offered = (answer: SipResponse | undefined) =>
    given(answer).headers.flatMap(({ name, value: text }) => (name === 'www-authenticate' ? [text] : []));
  assert.equal(offered(await it.phone.send({ method: 'REGISTER' })).length, 2);
  // A lost answer makes it repeat the question at once, which says nothing about it.
  assert.equal(offered(await it.phone.send({ method: 'REGISTER' })).length, 2);
  await it.lab.run(30_000, 1_000);
  const again = await it.phone.send({ method: 'REGISTER' });
  assert.deepEqual([offered(again).length, /algorithm=MD5/.test(offered(again)[0] ?? '')], [1, true]);
  assert.equal(statusOf(await it.phone.register(3_600)), 200);
  assert.equal(it.bindings.get('sip_ann')?.hash, 'MD5');
  await it.lab.run(11 * 60_000, 60_000);
  const fresh = new ScriptedPhone(it.lab, '192.0.2.7', CREDENTIALS, 40_000);
  assert.equal(offered(await fresh.send({ method: 'INVITE' })).length, 1);
});

test('expiry: 423 below a minute, at most an hour, and then the phone is gone', async () => {
  const it = await scene();
  const brief = await it.phone.register(59);
  assert.deepEqual([statusOf(brief), value(brief, 'min-expires')], [423, '60']);
  assert.match(value(await it.phone.register(86_400), 'contact'), /;expires=3600$/);
  assert.match(value(await it.phone.register(60), 'contact'), /;expires=60$/);
  await it.lab.run(59_000, 500);
  assert.notEqual(it.bindings.get('sip_ann'), null);
  await it.lab.run(2_000);
  assert.equal(it.bindings.get('sip_ann'), null);
  assert.throws(
    () => call(it.endpoint),
    (error) => error instanceof TelephonyError && error.code === 'NOT_REGISTERED',
  );
});

test('one contact an account, the newest; `Contact: *` removes it; an old CSeq changes nothing', async () => {
  const it = await scene();
  await it.phone.register();
  const moved = await it.phone.ask({
    method: 'REGISTER',
    headers: ['Contact: <sip:ann@192.168.1.20:5060>;expires=0, <sip:ann@192.168.1.30:5062>;expires=120'],
  });
  assert.equal(value(moved, 'contact'), '<sip:ann@192.168.1.30:5062>;expires=120');
  const late = await it.phone.ask({ method: 'REGISTER', cseq: 1, headers: ['Contact: <sip:old@192.168.1.20>'] });
  assert.equal(statusOf(late), 500);
  assert.equal(it.bindings.get('sip_ann')?.contact, 'sip:ann@192.168.1.30:5062');
  const half = await it.phone.ask({ method: 'REGISTER', cseq: 20, headers: ['Contact: *', 'Expires: 60'] });
  assert.equal(statusOf(half), 400);
  const all = await it.phone.ask({ method: 'REGISTER', headers: ['Contact: *', 'Expires: 0'] });
  assert.deepEqual([statusOf(all), value(all, 'contact')], [200, '']);
  assert.equal(it.bindings.get('sip_ann'), null);
});

test('nobody registers for somebody else, with a wrong password, or with a Contact that is no SIP URI', async () => {
  const it = await scene();
  const forBob = await it.phone.ask({ method: 'REGISTER', username: 'bob', headers: ['Contact: <sip:a@192.0.2.7>'] });
  assert.equal(statusOf(forBob), 403);
  const wrong = new ScriptedPhone(it.lab, '192.0.2.8', { username: 'ann', password: 'guess' });
  assert.equal(statusOf(await wrong.register()), 401);
  const unknown = new ScriptedPhone(it.lab, '192.0.2.9', { username: 'eve', password: 'guess' });
  assert.equal(statusOf(await unknown.register()), 401);
  assert.equal(statusOf(await it.phone.register(60, '<tel:+15550001111>')), 400);
  assert.equal(it.bindings.size, 0);
});

test('without accounts REGISTER is 405, as it ever was', async () => {
  const it = await scene({ accounts: [] });
  assert.equal(statusOf(await it.phone.register()), 405);
});

test('guessing is stopped: a name after 10 tries, a network after 50, and the others of the house go on', async () => {
  const it = await scene();
  /** A phone that forgets each challenge, so that it fails once a try. */
  const attempt = async (username: string, password: string, address = '192.0.2.66'): Promise<number> => {
    const status = statusOf(await new ScriptedPhone(it.lab, address, { username, password }).register());
    await it.lab.run(1_000, 100);
    return status;
  };
  for (let i = 0; i < 10; i++) assert.equal(await attempt('ann', 'guess'), 401);
  assert.equal(await attempt('ann', ANN.password), 403);
  assert.deepEqual(it.warned, [{ sourceAddress: '192.0.2.66', username: 'ann' }]);
  assert.equal(await attempt('bob', BOB.password), 200);
  assert.equal(await attempt('ann', ANN.password, '192.0.2.7'), 200);
  for (let name = 0; name < 4; name++) {
    for (let i = 0; i < 10; i++) await attempt(`x${name}`, 'guess');
  }
  assert.equal(await attempt('bob', BOB.password), 403);
  await it.lab.run(16 * 60_000, 10_000);
  assert.equal(await attempt('bob', BOB.password), 200);
  assert.ok(!JSON.stringify(it.warned).includes('guess'));
});

test('an answer to a nonce that was not given to that network says nothing about its password', async () => {
  const it = await scene();
  const challenge = given(await it.phone.send({ method: 'REGISTER' }));
  const thief = new ScriptedPhone(it.lab, '192.0.2.99', CREDENTIALS);
  thief.digest.challenged(challenge, true);
  const right = await thief.send({ method: 'REGISTER' });
  const guess = new ScriptedPhone(it.lab, '192.0.2.98', { username: 'ann', password: 'guess' });
  guess.digest.challenged(challenge, true);
  const wrong = await guess.send({ method: 'REGISTER' });
  for (const answer of [right, wrong]) {
    assert.equal(statusOf(answer), 401);
    assert.match(value(answer, 'www-authenticate'), /stale=true/);
  }
});

test('a registered phone calls from any network, as its account; who is not registered there reads 403', async () => {
  const it = await scene();
  assert.equal(statusOf(await it.phone.send({ method: 'INVITE' })), 403);
  await it.phone.register();
  const stranger = it.lab.peer('192.0.2.55');
  stranger.send(SERVICE, inviteLines(stranger, 'sip:demo@10.0.0.1:5060', { callId: 'stranger' }), sdpOf('192.0.2.55'));
  const neighbour = it.lab.peer('192.0.2.7', 50_000);
  neighbour.send(
    SERVICE,
    inviteLines(neighbour, 'sip:demo@10.0.0.1:5060', { callId: 'n', branch: 'z9hG4bKn' }),
    sdpOf('192.0.2.7'),
  );
  await it.lab.run(50);
  assert.deepEqual([stranger.statuses('INVITE'), neighbour.statuses('INVITE').at(-1)], [[403], 403]);
  assert.equal(statusOf(await it.phone.ask({ method: 'INVITE' })), 200);
  const { leg } = given(it.legs[0]);
  assert.equal(leg.sipAccountId, 'sip_ann');
  assert.deepEqual(leg.caller, { number: 'ann', name: 'Ann Lee' });
  // Its Contact is behind a NAT: the BYE goes where the phone's packets come from.
  const tag = /;tag=([^;]+)/.exec(value(it.phone.peer.responses('INVITE').at(-1), 'to'))?.[1] ?? '';
  const ack = { method: 'ACK', branch: 'z9hG4bKack', callId: 'INVITE-of-192.0.2.7', cseq: 4, toTag: tag, sdp: false };
  it.phone.peer.send(SERVICE, inviteLines(it.phone.peer, 'sip:demo@10.0.0.1:5060', ack));
  await it.lab.run(50);
  leg.hangUp();
  await it.lab.run(50);
  assert.equal(it.phone.peer.requests('BYE').length, 1);
});

test('a phone in an allowed network proves its password too, and others there call as they did', async () => {
  const it = await scene({ allowed: ['192.0.2.0/24'] });
  assert.equal(statusOf(await it.phone.send({ method: 'INVITE', callId: 'before' })), 200);
  assert.equal(it.legs.at(-1)?.leg.sipAccountId, null);
  await it.phone.register();
  assert.equal(statusOf(await it.phone.ask({ method: 'INVITE', callId: 'after' })), 200);
  assert.equal(it.legs.at(-1)?.leg.sipAccountId, 'sip_ann');
});

test('a trunk at the address of a phone stays the trunk', async () => {
  const it = await scene();
  it.endpoint.setTrunks([trunkConfig('t', '192.0.2.7')]);
  await it.lab.run(50);
  await it.phone.register();
  const pbx = it.lab.peer('192.0.2.7', 5060);
  const lines = inviteLines(pbx, 'sip:+15559990000@10.0.0.1:5060', { callId: 'pbx' });
  pbx.send(
    SERVICE,
    lines.map((line) => line.replace('+15551230001', 'ann')),
    sdpOf('192.0.2.7'),
  );
  await it.lab.run(50);
  assert.deepEqual([it.legs[0]?.leg.trunkId, it.legs[0]?.leg.sipAccountId], ['t', null]);
  assert.equal(statusOf(await it.phone.ask({ method: 'INVITE' })), 200);
  assert.deepEqual([it.legs[1]?.leg.trunkId, it.legs[1]?.leg.sipAccountId], [null, 'sip_ann']);
});

test('a phone is called at the address its packets come from, for its own tenant only', async () => {
  const it = await scene();
  await it.phone.register();
  const { legs: _, endpoint, lab, phone } = it;
  phone.peer.onMessage = (message, from) => {
    if (message.kind !== 'request' || message.method !== 'INVITE') return;
    const contact = 'Contact: <sip:ann@192.168.1.20:5060>';
    phone.peer.respond(message, from, 200, { tag: 'p', headers: [contact], body: sdpOf('192.168.1.20') });
  };
  const { leg, events } = call(endpoint);
  await lab.run(100);
  assert.ok(events.some(({ type }) => type === 'answered'));
  assert.equal(phone.peer.requests('INVITE')[0]?.uri, 'sip:ann@192.168.1.20:5060');
  assert.equal(phone.peer.requests('ACK').length, 1);
  leg.hangUp();
  await lab.run(50);
  assert.equal(phone.peer.requests('BYE').length, 1);
  assert.throws(() => call(endpoint, { accountId: 'acc_2' }), { code: 'BAD_TARGET' });
  assert.throws(() => call(endpoint, { to: 'sip:nobody' }), { code: 'BAD_TARGET' });
});

test('a phone that is disabled or has another password is unregistered; one that is untouched stays', async () => {
  const it = await scene();
  const bob = new ScriptedPhone(it.lab, '192.0.2.20', { username: 'bob', password: BOB.password });
  await it.phone.register();
  await bob.register();
  it.endpoint.registrar.setSipAccounts([
    { ...ANN, displayName: 'Ann' },
    { ...BOB, password: 'changed-password' },
  ]);
  assert.notEqual(it.bindings.get('sip_ann'), null);
  assert.equal(it.bindings.get('sip_bob'), null);
  it.endpoint.registrar.setSipAccounts([]);
  assert.equal(it.bindings.get('sip_ann'), null);
});

test('what was registered before a restart is called after it, and its NAT is kept open', async () => {
  const before = await scene();
  await before.phone.register();
  const binding = given(before.bindings.get('sip_ann'));
  const it = await scene();
  it.endpoint.registrar.restoreBindings([binding, { ...binding, sipAccountId: 'sip_gone' }]);
  assert.equal(it.bindings.size, 0);
  const sent = it.lab.network.packets.length;
  await it.lab.run(26_000, 500);
  const kept = it.lab.network.packets.slice(sent).filter(({ to }) => to.address === '192.0.2.7' && to.port === 40_000);
  assert.deepEqual(
    kept.map(({ bytes }) => bytes.toString()),
    ['\r\n\r\n'],
  );
  call(it.endpoint);
  await it.lab.run(50);
  assert.equal(it.phone.peer.requests('INVITE').length, 1);
});

/** A phone over TCP: writes text, keeps what it hears. */
function connected(lab: SipLab, from: string) {
  const stream = lab.network.connect(from, SERVICE);
  const phone = { heard: '', isClosed: false, write: (text: string) => stream.write(Buffer.from(text)) };
  stream.handle({
    connected() {},
    data: (bytes) => {
      phone.heard += bytes.toString('latin1');
    },
    closed: () => {
      phone.isClosed = true;
    },
  });
  return phone;
}

test('over TCP a phone is called on its own connection, which lives as long as the registration', async () => {
  const it = await scene();
  const phone = connected(it.lab, '192.0.2.30');
  const digest = new DigestClient(CREDENTIALS);
  const bare = {
    kind: 'request' as const,
    method: 'REGISTER',
    uri: 'sip:10.0.0.1',
    headers: [],
    body: Buffer.alloc(0),
  };
  for (const cseq of [1, 2]) {
    const lines = [
      'REGISTER sip:10.0.0.1 SIP/2.0',
      `Via: SIP/2.0/TCP 192.168.1.20:5060;branch=z9hG4bKtcp${cseq};rport`,
      'From: <sip:ann@10.0.0.1>;tag=t',
      'To: <sip:ann@10.0.0.1>',
      'Call-ID: tcp-phone',
      `CSeq: ${cseq} REGISTER`,
      'Contact: <sip:ann@192.168.1.20:5060;transport=tcp>;expires=600',
      ...digest.authorize(bare).map((header) => `Authorization: ${header.value}`),
      'Content-Length: 0',
    ];
    phone.write(`${lines.join('\r\n')}\r\n\r\n`);
    await it.lab.run(50);
    const challenge = /WWW-Authenticate: ([^\r]+)/i.exec(phone.heard)?.[1] ?? '';
    const headers = [{ name: 'www-authenticate', value: challenge }];
    digest.challenged({ kind: 'response', status: 401, reason: '', headers, body: Buffer.alloc(0) }, true);
  }
  assert.match(phone.heard, /SIP\/2\.0 200/);
  await it.lab.run(5 * 60_000, 5_000);
  assert.ok(!phone.isClosed, 'nothing was sent for five minutes, and the phone is still registered');
  call(it.endpoint);
  await it.lab.run(50);
  assert.match(phone.heard, /INVITE sip:ann@192\.168\.1\.20:5060;transport=tcp SIP\/2\.0/);
  it.lab.network.breakStreams();
  await it.lab.run(50);
  const { events } = call(it.endpoint);
  await it.lab.run(50);
  assert.equal(events.at(-1)?.type, 'ended');
});

test('a flood in the name of its address does not silence a phone that is registered there', async () => {
  const it = await scene();
  assert.equal(statusOf(await it.phone.register()), 200);
  const forger = it.lab.peer('192.0.2.7', 5_999);
  const flood = (second: number) => {
    for (let n = 0; n < 60; n++)
      forger.send(SERVICE, [
        'OPTIONS sip:10.0.0.1 SIP/2.0',
        `Via: SIP/2.0/UDP 192.0.2.7:5999;branch=z9hG4bKforged${second}x${n};rport`,
        'Max-Forwards: 70',
        'From: <sip:x@192.0.2.7>;tag=f',
        'To: <sip:10.0.0.1>',
        `Call-ID: forged${second}x${n}`,
        'CSeq: 1 OPTIONS',
      ]);
  };
  for (let second = 0; second < 5; second++) {
    flood(second);
    assert.equal(statusOf(await it.phone.register()), 200, `refresh ${second}`);
    await it.lab.run(1_000, 50);
  }
  assert.ok(forger.responses('OPTIONS').length <= 5 * 20 + 20, 'strangers get no more answers than before');
  call(it.endpoint);
  await it.lab.run(50);
  assert.equal(it.phone.peer.requests('INVITE').length, 1);
});
