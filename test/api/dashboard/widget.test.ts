// The script that pages of others include: small, for every page, and nothing of the service's beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();
const KEY = `pk_${'a'.repeat(32)}`;

test('any page may load it, in less than 40 kB', async () => {
  const { statusCode, headers, rawPayload } = await api.app.inject({
    url: '/widget.js',
    headers: { 'accept-encoding': 'gzip' },
  });
  assert.equal(statusCode, 200);
  assert.ok(rawPayload.length < 40_000, `${rawPayload.length} bytes`);
  assert.match(String(headers['content-type']), /^text\/javascript/);
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.equal(headers['content-security-policy'], "default-src 'none'");
  assert.equal(headers['cache-control'], 'public, max-age=600');
  const again = await api.inject({ url: '/widget.js', headers: { 'if-none-match': String(headers.etag) } });
  assert.equal(again.status, 304);
});

test('it knows the script of its audio thread, and needs nothing that a strict page forbids', async () => {
  const answer = await api.app.inject({ url: '/widget.js', headers: { 'accept-encoding': 'gzip' } });
  const script = gunzipSync(answer.rawPayload).toString();
  const [worklet] = /widget\/worklet-\w+\.js/.exec(script) ?? [];
  const { status, headers, text } = await api.inject({ url: `/${worklet}` });
  assert.equal(status, 200);
  assert.match(text, /registerProcessor/);
  assert.doesNotMatch(text, /\bimport\b/, 'nothing lies beside it');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(String(headers['cache-control']), /immutable/);
  assert.ok(!/\beval\(|new Function|blob:/.test(script));
  assert.equal((await api.inject({ url: '/widget/app.js' })).status, 404);
});

test('a key is tried on a page of our own, which takes nothing else from its address', async () => {
  const { status, headers, text } = await api.inject({ url: `/widget-trial?key=${KEY}` });
  assert.equal(status, 200);
  assert.match(text, new RegExp(`<script src="widget.js" data-key="${KEY}"`));
  assert.match(String(headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/);
  for (const key of ['', 'pk_"><script>alert(1)</script>', `${KEY}"`])
    assert.equal((await api.inject({ url: `/widget-trial?key=${encodeURIComponent(key)}` })).status, 404);
});
