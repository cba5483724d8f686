// Registration: the pure machine, and a trunk against a scripted registrar on the virtual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrunkState } from '../../../../engine/sip/telephony.ts';
import { refreshAfterMs, retryDelayMs, stepRegistration } from '../../../../engine/sip/trunk/registration.ts';
import { dialRequest, given, inviteLines, SipLab, sdpOf, trunkConfig, value } from '../../../support/sip/sip-lab.ts';

test('refreshed before expiry, retried with back-off, rarely after a permanent refusal', () => {
  assert.equal(refreshAfterMs(600), 480_000);
  assert.equal(refreshAfterMs(60), 30_000);
  assert.ok(refreshAfterMs(1) >= 500);
  assert.deepEqual(
    [1, 2, 3, 7, 50].map((failures) => retryDelayMs(failures, false, 0.5)),
    [5_000, 10_000, 20_000, 300_000, 300_000],
  );
  assert.equal(retryDelayMs(1, true, 0.5), 120_000);
});

test('a stop before the answer leaves nothing; 423 raises the interval once, a nonsensical 423 is a failure', () => {
  const [asking] = stepRegistration({ phase: 'off' }, { type: 'started' });
  const [off, effects] = stepRegistration(asking, { type: 'stopped' });
  assert.deepEqual(effects, [{ type: 'disarm' }]);
  assert.deepEqual(stepRegistration(off, { type: 'accepted', grantedSeconds: 60, nowMs: 0 }), [off, []]);
  const [longer, sends] = stepRegistration(asking, { type: 'too-brief', minSeconds: 3_600 });
  assert.deepEqual(sends, [{ type: 'send', expiresSeconds: 3_600 }]);
  assert.equal(stepRegistration(longer, { type: 'too-brief', minSeconds: 60 })[0].phase, 'failed');
});

const service = { address: '10.0.0.1', port: 5060 };

test('a trunk registers with digest, keeps its flow alive every 25 s, refreshes, and unregisters when removed', async () => {
  const lab = new SipLab();
  const registrar = lab.peer('10.0.1.1');
  registrar.onMessage = (message) => {
    if (message.kind !== 'request') return;
    const known = value(message, 'authorization').includes('username="alice"');
    if (message.method !== 'REGISTER') registrar.respond(message, service, 200, { tag: 'r' });
    else if (!known)
      registrar.respond(message, service, 401, {
        tag: 'r',
        headers: ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"'],
      });
    else
      registrar.respond(message, service, 200, {
        tag: 'r',
        headers: [`Contact: ${value(message, 'contact')};expires=120`, 'Contact: <sip:other@10.9.9.9>;expires=7'],
      });
  };
  const endpoint = await lab.endpoint('10.0.0.1');
  const states: TrunkState[] = [];
  endpoint.onTrunkState((state) => states.push(state));
  endpoint.setTrunks([trunkConfig('t', '10.0.1.1', { register: true, username: 'alice', password: 'p' })]);
  await lab.run(200);
  const state = given(states.at(-1));
  assert.equal(state.registration.state, 'registered');
  assert.equal(Math.round((given(state.registration.expiresAtMs) - lab.clock.nowMs()) / 1_000), 120);
  assert.equal(state.health.state, 'up');
  const pings = () => lab.network.packets.filter(({ bytes }) => bytes.toString() === '\r\n\r\n').length;
  const registers = () => registrar.requests('REGISTER');
  const before = registers().length;
  await lab.run(80_000, 100);
  // One with the registration, then one every 25 s.
  assert.equal(pings(), 4);
  assert.equal(registers().length, before);
  await lab.run(20_000, 100);
  assert.equal(registers().length, before + 1);
  assert.equal(new Set(registers().map((request) => value(request, 'call-id'))).size, 1);
  endpoint.setTrunks([]);
  await lab.run(200);
  assert.equal(value(registers().at(-1), 'expires'), '0');
  await lab.run(200_000, 1_000);
  assert.equal(endpoint.counts.transactions, 0);
});

test('a peer that ignores OPTIONS is not asked where optionsPing is false, and calls go to it', async () => {
  const lab = new SipLab();
  const silent = lab.peer('10.0.1.9');
  const asked: string[] = [];
  silent.onMessage = (message) => {
    if (message.kind === 'request') asked.push(message.method);
  };
  const endpoint = await lab.endpoint('10.0.0.1');
  const states = new Map<string, TrunkState>();
  endpoint.onTrunkState((state) => states.set(state.trunkId, state));
  endpoint.setTrunks([trunkConfig('silent', '10.0.1.9', { optionsPing: false })]);
  await lab.run(80_000, 100);
  assert.deepEqual([asked, states.get('silent')?.health.state ?? 'unknown'], [[], 'unknown']);
  endpoint.dial(dialRequest(['silent']));
  await lab.run(200);
  assert.equal(asked[0], 'INVITE');
});

test('a wrong password, a dead host and an unknown name show in the trunk’s state, and calls are refused with the reason', async () => {
  const lab = new SipLab();
  const registrar = lab.peer('10.0.1.1');
  registrar.onMessage = (message) => {
    if (message.kind !== 'request') return;
    const challenge = ['WWW-Authenticate: Digest realm="r", nonce="n"'];
    registrar.respond(message, service, message.method === 'REGISTER' ? 401 : 200, { tag: 'r', headers: challenge });
  };
  const endpoint = await lab.endpoint('10.0.0.1');
  const states = new Map<string, TrunkState>();
  endpoint.onTrunkState((state) => states.set(state.trunkId, state));
  endpoint.setTrunks([
    trunkConfig('wrong', '10.0.1.1', { register: true, username: 'a', password: 'x' }),
    trunkConfig('dead', '10.0.1.9'),
    trunkConfig('nameless', 'nowhere.example'),
  ]);
  await lab.run(80_000, 100);
  assert.equal(states.get('wrong')?.registration.state, 'failed');
  assert.match(states.get('wrong')?.lastError ?? '', /wrong user name or password/);
  assert.deepEqual(
    [states.get('dead')?.health.state, states.get('dead')?.lastError],
    ['down', '10.0.1.9 does not answer'],
  );
  assert.match(states.get('nameless')?.lastError ?? '', /cannot be resolved/);
  const dial = (id: string) => () => endpoint.dial(dialRequest([id]));
  for (const id of ['wrong', 'dead', 'nameless']) assert.throws(dial(id), { code: 'TRUNK_DOWN' });
  assert.throws(dial('other'), { code: 'TRUNK_UNKNOWN' });
  const revived = lab.peer('10.0.1.9');
  revived.onMessage = (message) => message.kind === 'request' && revived.respond(message, service, 405, { tag: 'r' });
  await lab.run(40_000, 100);
  assert.deepEqual([states.get('dead')?.health.state, states.get('dead')?.lastError], ['up', null]);
});

test('SRV and A: by priority, each address belongs to the trunk, the next is tried when one is silent', async () => {
  const lab = new SipLab();
  lab.network.srv.set('_sip._udp.carrier.example', [
    { name: 'b.carrier.example', port: 5070, priority: 20, weight: 0 },
    { name: 'a.carrier.example', port: 5062, priority: 10, weight: 0 },
  ]);
  lab.network.hosts.set('a.carrier.example', ['10.0.1.1']);
  lab.network.hosts.set('b.carrier.example', ['10.0.1.2']);
  lab.network.hosts.set('carrier.example', ['10.0.1.3']);
  const second = lab.peer('10.0.1.2', 5070);
  second.onMessage = (message) =>
    message.kind === 'request' &&
    second.respond(message, service, message.method === 'INVITE' ? 486 : 200, { tag: 's' });
  const endpoint = await lab.endpoint('10.0.0.1', { inboundAllow: ['127.0.0.1'] });
  let rang = 0;
  endpoint.onInvite((leg) => {
    rang++;
    assert.equal(leg.trunkId, 't');
  });
  endpoint.setTrunks([trunkConfig('t', 'carrier.example')]);
  await lab.run(100);
  endpoint.dial(dialRequest(['t']));
  await lab.run(33_000, 50);
  const tried = lab.network.packets
    .filter(({ bytes }) => bytes.toString().startsWith('INVITE'))
    .map(({ to }) => `${to.address}:${to.port}`);
  assert.equal(tried[0], '10.0.1.1:5062');
  assert.equal(tried.at(-1), '10.0.1.2:5070');
  for (const [index, address] of ['10.0.1.1', '10.0.1.2', '10.0.1.3'].entries()) {
    const peer = lab.peer(address, 6_000);
    peer.send(
      service,
      inviteLines(peer, 'sip:+15559990000@10.0.0.1', { callId: `in-${index}`, branch: `z9hG4bKin${index}` }),
      sdpOf(address),
    );
  }
  await lab.run(50);
  assert.equal(rang, 3);
});

test('a registration over TCP is renewed when its connection is lost', async () => {
  const lab = new SipLab();
  const registrar = await lab.endpoint('10.0.1.1');
  const endpoint = await lab.endpoint('10.0.0.1');
  const streams: Array<{ destroy(): void }> = [];
  const host = lab.network.hostAt('10.0.1.1');
  await registrar.stop();
  let registers = 0;
  const anybody = () => () => {};
  await host.listen({ address: '10.0.1.1', port: 5060 }, null, anybody, (stream) => {
    streams.push(stream);
    stream.handle({
      connected() {},
      closed() {},
      data: (bytes) => {
        for (const request of bytes.toString('latin1').split(/(?=REGISTER |OPTIONS )/)) {
          if (request.startsWith('REGISTER')) registers++;
          const copied = request.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line));
          if (copied.length === 0) continue;
          stream.write(
            Buffer.from(`SIP/2.0 200 OK\r\n${copied.join('\r\n')}\r\nExpires: 600\r\nContent-Length: 0\r\n\r\n`),
          );
        }
      },
    });
  });
  endpoint.setTrunks([trunkConfig('t', '10.0.1.1', { transport: 'tcp', register: true, username: 'alice' })]);
  await lab.run(1_000);
  assert.equal(registers, 1);
  await lab.run(20_000, 100);
  for (const stream of streams) stream.destroy();
  await lab.run(100_000, 100);
  assert.equal(registers, 2);
});

test('however long a registrar grants, it is asked again within a day', async () => {
  for (const granted of ['4000000', '4294967295']) {
    const lab = new SipLab();
    const registrar = lab.peer('10.0.1.1');
    registrar.onMessage = (message, from) => {
      if (message.kind !== 'request') return;
      registrar.respond(message, from, 200, { tag: 'r', headers: [`Expires: ${granted}`] });
    };
    const endpoint = await lab.endpoint('10.0.0.1');
    endpoint.setTrunks([trunkConfig('t', '10.0.1.1', { register: true, username: 'alice', optionsPing: false })]);
    await lab.run(1_000);
    assert.equal(registrar.requests('REGISTER').length, 1);
    await lab.run(86_390_000, 30_000);
    assert.equal(registrar.requests('REGISTER').length, 1, granted);
    await lab.run(20_000, 1_000);
    assert.equal(registrar.requests('REGISTER').length, 2, granted);
  }
});
