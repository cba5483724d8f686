// Digest as a client: the RFCs' own examples, choice among challenges, and nonce counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DigestClient, type DigestInput, digestResponse } from '../../../../../engine/sip/stack/wire/digest.ts';
import { parseAuth } from '../../../../../engine/sip/stack/wire/header.ts';
import type { Header, SipRequest, SipResponse } from '../../../../../engine/sip/stack/wire/message.ts';

const example: DigestInput = {
  algorithm: 'MD5',
  username: 'Mufasa',
  realm: 'http-auth@example.org',
  password: 'Circle of Life',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  nc: '00000001',
  qop: 'auth',
  method: 'GET',
  uri: '/dir/index.html',
  body: Buffer.alloc(0),
};

test('RFC 7616 3.9.1, MD5 and SHA-256; RFC 2617 3.5', () => {
  assert.equal(digestResponse(example), '8ca523f5e9506fed4657c9700eebdbec');
  assert.equal(
    digestResponse({ ...example, algorithm: 'SHA-256' }),
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  );
  const older = {
    ...example,
    realm: 'testrealm@host.com',
    password: 'Circle Of Life',
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    cnonce: '0a4f113b',
  };
  assert.equal(digestResponse(older), '6629fae49393a05397450978507c4ef1');
});

function request(headers: Header[] = [], body = ''): SipRequest {
  return {
    kind: 'request',
    method: 'INVITE',
    uri: 'sip:a@b',
    headers,
    body: Buffer.from(body),
  };
}

function refusal(...challenges: string[]): SipResponse {
  return {
    kind: 'response',
    status: 401,
    reason: '',
    headers: challenges.map((value) => ({ name: 'www-authenticate', value })),
    body: Buffer.alloc(0),
  };
}

function answer(client: DigestClient, to = request()) {
  return parseAuth(client.authorize(to)[0]?.value ?? '')?.params ?? new Map<string, string>();
}

test('of several challenges the first supported one is answered', () => {
  const client = new DigestClient({ username: 'u', password: 'p' });
  assert.ok(
    client.challenged(
      refusal(
        'Basic realm="r"',
        'Digest realm="r", nonce="1", algorithm=SHA-512-256',
        'Digest realm="r", nonce="2", algorithm=SHA-256, qop="auth"',
        'Digest realm="r", nonce="3", algorithm=MD5',
      ),
      true,
    ),
  );
  assert.equal(answer(client).get('nonce'), '2');
  assert.equal(answer(client).get('algorithm'), 'SHA-256');
});

test('nc counts the uses of a nonce and restarts with the next', () => {
  const client = new DigestClient({ username: 'u', password: 'p' });
  client.challenged(refusal('Digest realm="r", nonce="1", qop="auth"'), true);
  assert.deepEqual(
    [answer(client), answer(client)].map((params) => params.get('nc')),
    ['00000001', '00000002'],
  );
  assert.ok(client.challenged(refusal('Digest realm="r", nonce="2", qop="auth", stale=TRUE'), false));
  assert.equal(answer(client).get('nc'), '00000001');
});

test('refused credentials are not sent again; without credentials or a known scheme nothing is sent', () => {
  const client = new DigestClient({ username: 'u', password: 'p' });
  const challenge = refusal('Digest realm="r", nonce="1"');
  assert.ok(client.challenged(challenge, true));
  assert.equal(client.challenged(refusal('Digest realm="r", nonce="2"'), false), false);
  assert.equal(new DigestClient(null).challenged(challenge, true), false);
  assert.equal(
    new DigestClient({ username: 'u', password: 'p' }).challenged(
      refusal('Basic realm="r"', 'Digest realm="r", nonce="1", qop="frob"'),
      true,
    ),
    false,
  );
});

test('quotes and backslashes in user and realm survive', () => {
  const client = new DigestClient({ username: 'a"b\\c', password: 'p' });
  client.challenged(refusal('Digest realm="x\\"y", nonce="1"'), true);
  assert.equal(answer(client).get('username'), 'a"b\\c');
  assert.equal(answer(client).get('realm'), 'x"y');
});
