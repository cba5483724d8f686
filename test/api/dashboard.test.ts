// The service's answer to a browser: one page under a strict policy, and the files that it names, compressed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { useApi } from '../support/api/use-api.ts';

let page: string;
const api = useApi({}, async () => {
  page = (await api.inject({ method: 'GET', url: '/' })).text;
});

const named = (): string[] =>
  [...page.matchAll(/(?:src|href|content)="(dashboard\/[\w.-]+)"/g)].map(([, path]) => path ?? '');

test('the page names its files by their content, and each can be had', async () => {
  assert.ok(named().length >= 4, page);
  for (const path of named()) {
    const { status, headers } = await api.inject({ method: 'GET', url: `/${path}` });
    assert.equal(status, 200, path);
    if (!path.endsWith('.svg')) assert.match(String(headers['cache-control']), /immutable/, path);
  }
  const { status } = await api.inject({ method: 'GET', url: '/dashboard/app-OLD.js' });
  assert.equal(status, 404);
});

test("a page without an icon of its own gets the service's", async () => {
  const { status, headers } = await api.inject({ method: 'GET', url: '/favicon.ico' });
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^image\/svg\+xml/);
});

test('nothing runs or is asked for but what comes from this host', async () => {
  const { headers } = await api.inject({ method: 'GET', url: '/', headers: { host: 'voice.example.com:8080' } });
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
  assert.match(policy, /connect-src 'self' ws:\/\/voice\.example\.com:\* wss:\/\/voice\.example\.com:\*;/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.match(policy, /font-src 'self';/);
  assert.match(policy, /frame-ancestors 'none'/);
});

test('a host that is none adds nothing to the policy', async () => {
  const { headers } = await api.inject({ method: 'GET', url: '/', headers: { host: 'x;script-src *' } });
  assert.doesNotMatch(String(headers['content-security-policy']), /script-src \*/);
});

test('a script comes as small as the browser can take it', async () => {
  const url = `/${named().find((path) => path.endsWith('.js'))}`;
  const plain = await api.app.inject({ method: 'GET', url });
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const answer = await api.app.inject({ method: 'GET', url, headers: { 'accept-encoding': `x, ${encoding}` } });
    assert.equal(answer.headers['content-encoding'], encoding);
    assert.equal(decode(answer.rawPayload).toString(), plain.payload);
    assert.ok(answer.rawPayload.length < plain.rawPayload.length);
  }
});

test('a page that has not changed is not sent again', async () => {
  const first = await api.inject({ method: 'GET', url: '/' });
  const again = await api.inject({ method: 'GET', url: '/', headers: { 'if-none-match': String(first.headers.etag) } });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
});

test('the letters come from this host, as they are packed already, and are kept by the browser', async () => {
  const style = await api.app.inject({ method: 'GET', url: `/${named().find((path) => path.endsWith('.css'))}` });
  const fonts = [...style.payload.matchAll(/url\("?\.\/([\w.-]+\.woff2)"?\)/g)].map(([, name]) => name);
  assert.equal(fonts.length, 2, style.payload.slice(0, 2_000));
  assert.doesNotMatch(page, /woff2/, 'the first paint waits for no font');
  for (const name of fonts) {
    const url = `/dashboard/${name}`;
    const { statusCode, headers, rawPayload } = await api.app.inject({
      method: 'GET',
      url,
      headers: { 'accept-encoding': 'br, gzip' },
    });
    assert.deepEqual(
      [statusCode, headers['content-type'], headers['content-encoding']],
      [200, 'font/woff2', undefined],
    );
    assert.match(String(headers['cache-control']), /immutable/);
    assert.equal(rawPayload.subarray(0, 4).toString(), 'wOF2');
  }
});

test('the first page is at most 60 kB with all that it loads at once', async () => {
  let bytes = gzipSync(page).length;
  for (const path of named()) {
    const answer = await api.app.inject({ method: 'GET', url: `/${path}`, headers: { 'accept-encoding': 'gzip' } });
    bytes += answer.rawPayload.length;
  }
  assert.ok(bytes <= 60_000, `${bytes} bytes`);
});
