// The door that a public key opens: for the origin of the page, and nothing that a page of another origin may read.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { writeWidgetRefusals } from '../../../api/widget/refusals.ts';
import { SITE, useWidget } from '../../support/api/widget-lab.ts';

const lab = useWidget({ WEBHOOK_ALLOW_PRIVATE: '1' });
const { api } = lab;

test('a page of the key’s origins may read every answer, errors too; others none', async () => {
  const { key } = await lab.key({ allows: ['text'] });
  for (const [path, body, status] of [
    ['', {}, 200],
    ['/messages', { text: '' }, 422],
    ['/calls', {}, 403],
    ['/messages/read', { visitor: 'none' }, 404],
  ] as const) {
    const told = await lab.visit(key, path, body);
    assert.equal(told.status, status, path);
    assert.equal(told.headers['access-control-allow-origin'], SITE, path);
    assert.equal(told.headers['access-control-allow-credentials'], undefined);
    assert.match(String(told.headers.vary), /Origin/);
  }
  const others = ['https://www.shop.example.evil.example', 'http://www.shop.example', `${SITE}:8443`, 'null', null];
  for (const origin of [...others, 'https://shop.example', 'https://www.shop.example/', 'HTTPS://WWW.SHOP.EXAMPLE']) {
    const told = await lab.visit(key, '', {}, origin);
    assert.deepEqual([told.status, told.code], [403, 'ORIGIN_NOT_ALLOWED'], String(origin));
    assert.equal(told.headers['access-control-allow-origin'], undefined, String(origin));
  }
});

test('the browser’s question before a request is answered for those origins alone', async () => {
  const { key } = await lab.key();
  const ask = (origin: string, of = key) =>
    api.inject({
      method: 'OPTIONS',
      url: `/api/v1/widget/${of}/messages/read`,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
  const { status, headers } = await ask(SITE);
  assert.deepEqual(
    [status, headers['access-control-allow-origin'], headers['access-control-allow-headers']],
    [204, SITE, 'content-type'],
  );
  for (const answer of [await ask('https://evil.example'), await ask(SITE, `pk_${'x'.repeat(32)}`)])
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
});

test('a page that may not even ask is counted', async () => {
  const { id, key } = await lab.key();
  await api.inject({ method: 'OPTIONS', url: `/api/v1/widget/${key}`, headers: { origin: 'https://copy.example' } });
  const { refused } = await lab.today(id);
  assert.deepEqual(
    refused.map(({ reason, origin }) => [reason, origin]),
    [['origin', 'https://copy.example']],
  );
});

test('a key that is none is 404, however it looks', async () => {
  for (const key of [`pk_${'x'.repeat(32)}`, 'pk_', 'x'.repeat(3_000), '%27%20or%201=1--', '%00'])
    assert.equal((await lab.visit(key, '')).status, 404, key);
});

test('a key that has expired, or whose campaign is deleted, lets nobody in', async () => {
  const { key } = await lab.key({ expiresAt: new Date(api.clock.now + 60_000).toISOString() });
  const other = await lab.key();
  assert.equal((await lab.visit(key, '')).status, 200);
  api.clock.advance(60_000);
  assert.equal((await lab.visit(key, '/messages', { text: 'Hello' })).code, 'WIDGET_KEY_OFF');
  await api.tenant.ask('POST', `/campaigns/${lab.set.campaign.id}/pause`);
  assert.equal((await api.tenant.ask('DELETE', `/campaigns/${lab.set.campaign.id}`)).status, 200);
  assert.equal((await lab.visit(other.key, '')).status, 404);
});

test('the service’s own pages may try every key, but no name that anybody points at it', async () => {
  const { key } = await lab.key();
  const ask = async (host: string, origin: string) =>
    (
      await api.inject({
        method: 'POST',
        url: `/api/v1/widget/${key}`,
        headers: { host, origin, 'content-type': 'application/json' },
        payload: '{}',
      })
    ).status;
  assert.equal(await ask('192.168.1.7:8080', 'http://192.168.1.7:8080'), 200);
  assert.equal(await ask('localhost:8080', 'http://localhost:8080'), 200);
  assert.equal(await ask('rebound.evil.example:8080', 'http://rebound.evil.example:8080'), 403);
  assert.equal(await ask('192.168.1.7:8080', 'http://192.168.1.8:8080'), 403);
});

test('refusals are counted by their reason, and told in a line of the log for each', async () => {
  const { id, key } = await lab.key({ allows: ['text'] });
  for (let visit = 0; visit < 30; visit++) await lab.visit(key, '', {}, 'https://copy.example');
  await lab.visit(key, '/calls');
  const { refused } = await lab.today(id);
  const told = refused.map(({ reason, requests, origin }) => `${reason} ${requests} ${origin}`);
  assert.deepEqual(told.toSorted(), ['origin 30 https://copy.example', `way 1 ${SITE}`]);
  const before = api.logs.length;
  for (let visit = 0; visit < 30; visit++) await lab.visit(key, '', {}, 'https://copy.example');
  await writeWidgetRefusals(api.context);
  const lines = api.logs.slice(before).filter((line) => line.includes('requests of a widget were refused'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"requests":30/);
  api.clock.advance(86_400_000);
  assert.deepEqual((await lab.today(id)).refused, []);
});

test('a source that asks without end, and pages of another origin, take no requests from other visitors', async () => {
  const { key } = await lab.key();
  const asking = async (origin: string, address: string): Promise<number[]> => {
    const told = await Promise.all(Array.from({ length: 590 }, () => lab.visit(key, '', {}, origin, address)));
    return told.map(({ status }) => status);
  };
  const own = await asking(SITE, '198.51.100.7');
  assert.deepEqual([own.filter((status) => status === 200).length, own.at(-1)], [200, 429]);
  await asking('https://copy.example', '198.51.100.8');
  const honest = Array.from({ length: 60 }, () => lab.visit(key, '', {}, SITE, '203.0.113.7'));
  for (const { status } of await Promise.all(honest)) assert.equal(status, 200);
});

const asked: string[] = [];
let verdict = 204;
const captcha = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  asked.push(body);
  response.writeHead(verdict).end();
});
before(() => new Promise<void>((resolve) => captcha.listen(0, '127.0.0.1', resolve)));
after(() => captcha.close());

test('the account’s own server says whether a visitor is a person, with the captcha’s token', async () => {
  const captchaUrl = `http://127.0.0.1:${(captcha.address() as AddressInfo).port}/check`;
  const { id, key } = await lab.key({ captchaUrl });
  assert.equal((await lab.visit(key, '/calls')).code, 'CAPTCHA_FAILED', 'no token');
  assert.equal(asked.length, 0);
  assert.equal((await lab.visit(key, '/calls', { captcha: 'good' })).status, 201);
  assert.deepEqual(JSON.parse(asked[0] ?? ''), { way: 'call', token: 'good', origin: SITE, address: '127.0.0.1' });
  const begun = await lab.visit(key, '/messages', { text: 'Hello', captcha: 'good' });
  assert.equal(begun.status, 201);
  const { visitor } = begun.data;
  assert.equal((await lab.visit(key, '/messages', { text: 'Again', visitor })).status, 201, 'asked once');
  const full = await lab.key({ captchaUrl, messagesPerDay: 1, callsAtOnce: 1 });
  for (const [path, body] of [
    ['/messages', { text: 'Hello', captcha: 'good' }],
    ['/calls', { captcha: 'good' }],
  ] as const) {
    assert.equal((await lab.visit(full.key, path, body)).status, 201);
    const times: number = asked.length;
    assert.equal((await lab.visit(full.key, path, body)).code, 'WIDGET_LIMIT');
    assert.equal(asked.length, times, 'nobody is asked for a visitor who is refused anyway');
  }
  verdict = 400;
  assert.equal((await lab.visit(key, '/messages', { text: 'Hello', captcha: 'bad' })).code, 'CAPTCHA_FAILED');
  verdict = 302;
  assert.equal((await lab.visit(key, '/messages', { text: 'Hello', captcha: 'bad' })).code, 'CAPTCHA_FAILED');
  verdict = 500;
  const down = await lab.visit(key, '/calls', { captcha: 'good' });
  assert.deepEqual([down.status, down.code], [503, 'CAPTCHA_DOWN']);
  assert.equal((await lab.today(id)).refused[0]?.reason, 'captcha');
});
