// Digest as a server: what is accepted, only once, and what is challenged again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DigestServer } from '../../../../../engine/sip/stack/transaction/digest-server.ts';
import { DigestClient } from '../../../../../engine/sip/stack/wire/digest.ts';
import type { Header, SipRequest, SipResponse } from '../../../../../engine/sip/stack/wire/message.ts';

function request(body = ''): SipRequest {
  return {
    kind: 'request',
    method: 'INVITE',
    uri: 'sip:a@b',
    headers: [],
    body: Buffer.from(body),
  };
}

function refusal(headers: Header[]): SipResponse {
  return { kind: 'response', status: 401, reason: '', headers, body: Buffer.alloc(0) };
}

test('our own client passes, with auth and auth-int, MD5 and SHA-256; each answer counts once', () => {
  const server = new DigestServer('here', (user) => (user === 'ann' ? 'secret' : null));
  for (const algorithm of [0, 1]) {
    for (const qop of ['auth', 'auth-int']) {
      const challenge = server.check(request(), 0, '192.0.2.7');
      assert.ok(challenge.type === 'challenge');
      const only = challenge.headers[algorithm] ?? assert.fail();
      const client = new DigestClient({ username: 'ann', password: 'secret' });
      client.challenged(refusal([{ ...only, value: only.value.replace('auth,auth-int', qop) }]), true);
      const first = request('body');
      const credentials = client.authorize(first);
      assert.deepEqual(server.check({ ...first, headers: credentials }, 1_000, '192.0.2.7'), {
        type: 'authenticated',
        username: 'ann',
      });
      const replay = server.check({ ...first, headers: credentials }, 1_000, '192.0.2.7');
      assert.ok(replay.type === 'challenge' && replay.headers[0]?.value.includes('stale=true'));
    }
  }
});

test('wrong password, unknown user, another body under auth-int, another URI, an old or forged nonce', () => {
  const server = new DigestServer('here', (user) => (user === 'ann' ? 'secret' : null));
  const attempt = (
    credentials: { username: string; password: string },
    change: (made: SipRequest) => SipRequest,
    laterMs = 0,
    qop = 'auth-int',
  ) => {
    const challenge = server.check(request(), 0, '192.0.2.7');
    assert.ok(challenge.type === 'challenge');
    const client = new DigestClient(credentials);
    const headers = challenge.headers.map((entry) => ({ ...entry, value: entry.value.replace('auth,auth-int', qop) }));
    client.challenged(refusal(headers), true);
    const made = request('body');
    return server.check(change({ ...made, headers: client.authorize(made) }), laterMs, '192.0.2.7');
  };
  const good = { username: 'ann', password: 'secret' };
  const asIs = (made: SipRequest) => made;
  assert.equal(attempt(good, asIs).type, 'authenticated');
  assert.equal(attempt({ ...good, password: 'x' }, asIs).type, 'challenge');
  assert.equal(attempt({ ...good, username: 'bob' }, asIs).type, 'challenge');
  assert.equal(attempt(good, (made) => ({ ...made, body: Buffer.from('other') })).type, 'challenge');
  assert.equal(attempt(good, (made) => ({ ...made, uri: 'sip:c@d' })).type, 'challenge');
  const old = attempt(good, asIs, 200_000);
  assert.ok(old.type === 'challenge' && old.headers.every(({ value }) => value.includes('stale=true')));
  const forged = new DigestClient(good);
  forged.challenged(
    refusal([{ name: 'www-authenticate', value: 'Digest realm="here", nonce="0.aa.bb", qop="auth"' }]),
    true,
  );
  assert.equal(server.check({ ...request(), headers: forged.authorize(request()) }, 0, '192.0.2.7').type, 'challenge');
});

test('engines that share a key: the first answer to a young nonce is taken by any, once; the rest is stale', () => {
  const key = Buffer.alloc(32, 7);
  const passwordOf = (user: string) => (user === 'ann' ? 'secret' : null);
  const [one, other] = [new DigestServer('here', passwordOf, key), new DigestServer('here', passwordOf, key)];
  const stranger = new DigestServer('here', passwordOf, Buffer.alloc(32, 8));
  const answerTo = (server: DigestServer, method = 'INVITE') => {
    const asked = { ...request(), method };
    const challenge = server.check(asked, 0, '192.0.2.7');
    assert.ok(challenge.type === 'challenge');
    const client = new DigestClient({ username: 'ann', password: 'secret' });
    client.challenged(refusal(challenge.headers), true);
    return () => ({ ...asked, headers: client.authorize(asked) });
  };
  const at = (server: DigestServer, asked: SipRequest, laterMs = 100, address = '192.0.2.7') => {
    const verdict = server.check(asked, laterMs, address);
    return verdict.type === 'challenge' ? verdict.reason : verdict.username;
  };
  const next = answerTo(one);
  const first = next();
  assert.equal(at(other, first), 'ann');
  assert.equal(at(other, first), 'stale', 'not twice');
  assert.equal(at(other, next()), 'stale', 'a later count');
  assert.equal(at(other, answerTo(one)(), 10_001), 'stale', 'an older nonce');
  assert.equal(at(other, answerTo(one)(), 100, '198.51.100.1'), 'stale', 'from another network');
  assert.equal(at(other, answerTo(one, 'REGISTER')()), 'stale', 'a REGISTER');
  assert.equal(at(stranger, answerTo(one)()), 'stale', 'of another installation');
  assert.equal(at(one, answerTo(one, 'REGISTER')()), 'ann');
});
