// The page behind the link of a verification mail: its script runs here as in a browser, against the API itself.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { startApi, type TestApi } from '../../support/api.ts';
import { logIn, mailedToken, registered } from '../../support/sign-in.ts';

let api: TestApi;
before(async () => {
  api = await startApi({ environment: { PUBLIC_URL: 'https://voice.example.com' } });
});
after(() => api.close());

const open = (path: string) => api.inject({ url: path });
const partOf = (page: string, tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';

/** Runs the page's script with the address `path`; resolves with what it shows and the address that is left. */
async function visit(
  path: string,
  { isDown = false } = {},
): Promise<{ text: string; className: string; left: string }> {
  const { pathname, search } = new URL(path, 'https://voice.example.com');
  const result = { textContent: '', className: '' };
  let left = path;
  await runInNewContext(partOf((await open(path)).text, 'script'), {
    document: { getElementById: () => result },
    location: { pathname, search },
    history: { replaceState: (_state: null, _title: string, address: string) => (left = address) },
    URLSearchParams,
    fetch: async (
      address: string,
      { method, headers, body }: { method: 'POST'; headers: Record<string, string>; body: string },
    ) => {
      if (isDown) throw new TypeError('fetch failed');
      const answer = await api.inject({
        method,
        url: new URL(address, 'https://x/verify-email').pathname,
        headers,
        payload: body,
      });
      return { ok: answer.status < 300, json: async () => answer.json };
    },
  });
  return { text: result.textContent, className: result.className, left };
}

test('the link of the mail verifies the address, once', async () => {
  const { email } = await registered(api);
  const link = /https:\/\/voice\.example\.com(\/verify-email\?token=\S+)/.exec(api.mails.at(-1)?.text ?? '')?.[1] ?? '';
  assert.ok(link.endsWith(mailedToken(api, email)));
  assert.equal((await logIn(api, email)).status, 403);
  const first = await visit(link);
  assert.deepEqual(first, {
    text: 'Your e-mail address is verified. You can sign in now.',
    className: 'good',
    left: '/verify-email',
  });
  assert.equal((await logIn(api, email)).status, 200);
  assert.match((await visit(link)).text, /^This link is used or too old/);
});

test('a broken link and a service that is down are said', async () => {
  assert.match((await visit('/verify-email')).text, /^This link is incomplete/);
  assert.match((await visit('/verify-email?token=wrong')).text, /^This link is used or too old/);
  assert.match((await visit('/verify-email?token=x', { isDown: true })).text, /cannot be reached/);
});

test('the page runs its own script and nothing else, and leaks its address to nobody', async () => {
  const { text, headers, status } = await open('/verify-email?token="><script>alert(1)</script>');
  assert.equal(status, 200);
  assert.doesNotMatch(text, /alert/);
  const policy = String(headers['content-security-policy']);
  for (const [tag, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const hash = createHash('sha256').update(partOf(text, tag)).digest('base64');
    assert.ok(policy.includes(`${directive} 'sha256-${hash}'`), directive);
  }
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.deepEqual([headers['referrer-policy'], headers['cache-control']], ['no-referrer', 'no-store']);
});
