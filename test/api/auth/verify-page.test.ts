// The page behind the link of a verification mail: its script runs here as in a browser, against the API itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logIn, mailedToken, registered } from '../../../bench/rig/api/sign-in.ts';
import { assertSealedPage, visit } from '../../support/api/link-page.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi({ environment: { PUBLIC_URL: 'https://voice.example.com' } });

test('the link of the mail verifies the address, once', async () => {
  const { email } = await registered(api);
  const link = /https:\/\/voice\.example\.com(\/verify-email\?token=\S+)/.exec(api.mails.at(-1)?.text ?? '')?.[1] ?? '';
  assert.ok(link.endsWith(mailedToken(api, email)));
  assert.equal((await logIn(api, email)).status, 403);
  const { text, className, left } = await visit(api, link);
  assert.deepEqual(
    { text, className, left },
    { text: 'Your e-mail address is verified. You can sign in now.', className: 'good', left: '/verify-email' },
  );
  assert.equal((await logIn(api, email)).status, 200);
  assert.match((await visit(api, link)).text, /^This link is used or too old/);
});

test('a broken link and a service that is down are said', async () => {
  assert.match((await visit(api, '/verify-email')).text, /^This link is incomplete/);
  assert.match((await visit(api, '/verify-email?token=wrong')).text, /^This link is used or too old/);
  assert.match((await visit(api, '/verify-email?token=x', { isDown: true })).text, /cannot be reached/);
});

test('the page runs its own script and nothing else, and leaks its address to nobody', () =>
  assertSealedPage(api, '/verify-email'));

test('it leads to the sign-in, below whatever path a proxy puts it', async () => {
  assert.match((await api.inject({ url: '/verify-email' })).text, /<a href="\.\/#\/sign-in">/);
});
