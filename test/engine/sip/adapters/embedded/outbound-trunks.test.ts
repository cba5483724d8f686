// A trunk's demands on a call that we place: digest, session intervals, identity; and which trunk comes next.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import { type ScriptedPeer, sdpOf, trunkConfig, value } from '../../../../support/sip/sip-lab.ts';
import { answering, endOf, type Rule, scene, seen, service } from './outbound-scene.ts';

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

test('a new nonce without `stale` is worth one more try, and no third one', async () => {
  const nonces = ['a', 'b', 'c', 'd'];
  const challenge = (peer: ScriptedPeer, request: SipRequest) =>
    peer.respond(request, service, 407, {
      tag: 'p',
      headers: [`Proxy-Authenticate: Digest realm="r", nonce="${nonces.shift()}", qop="auth"`],
    });
  const trunks = [trunkConfig('trk_0', '10.0.1.1', { username: 'a', password: 'secret' })];
  const forgetful = await scene(
    [
      (request, peer) => {
        if (request.method !== 'INVITE') return;
        if (nonces.length > 2) challenge(peer, request);
        else peer.respond(request, service, 200, { tag: 'p', headers: [peer.contact], body: sdpOf('10.0.1.1') });
      },
    ],
    trunks,
  );
  const leg = forgetful.dial();
  await forgetful.lab.run(200);
  assert.deepEqual(seen(leg), ['answered']);
  nonces.push('e', 'f');
  const wrong = await scene([(request, peer) => request.method === 'INVITE' && challenge(peer, request)], trunks);
  const refused = wrong.dial();
  await wrong.lab.run(200);
  assert.equal(wrong.peers[0]?.requests('INVITE').length, 3);
  assert.equal(endOf(refused)?.sipStatus, 407);
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
