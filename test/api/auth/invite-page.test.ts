// The page behind the link of an invitation: its script runs here as in a browser, against the API itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, logIn, signedIn } from '../../../bench/rig/api/sign-in.ts';
import { assertSealedPage, visit } from '../../support/api/link-page.ts';
import { useApi } from '../../support/api/use-api.ts';

const CHOSEN = { password: 'twelve letters', again: 'twelve letters' };

let token: string;
const api = useApi({ environment: { PUBLIC_URL: 'https://voice.example.com' } }, async () => {
  token = (await signedIn(api)).token;
});

async function invite(email: string) {
  const answer = await api.ask('POST', '/account/users', { email }, bearer(token));
  assert.equal(answer.status, 201, answer.text);
  const mail = api.mails.findLast(({ to }) => to === email);
  const link = /https:\/\/voice\.example\.com(\/accept-invite\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  return { answer, link };
}

const invitationLink = async (email: string): Promise<string> => (await invite(email)).link;

test('the link of an invitation sets the password and verifies the address, once', async () => {
  const link = await invitationLink('carol@example.com');
  const page = await visit(api, link);
  assert.deepEqual([page.text, page.left], ['', '/accept-invite']);
  const done = await page.submit(CHOSEN);
  assert.deepEqual(
    [done.text, done.className],
    ['Your password is set and your e-mail address is verified. You can sign in now.', 'good'],
  );
  assert.ok(done.element('form').hidden);
  assert.equal((await logIn(api, 'carol@example.com', CHOSEN.password)).status, 200);
  assert.match((await (await visit(api, link)).submit(CHOSEN)).text, /^This invitation is used or too old/);
});

test('passwords that differ or are too short do not use the invitation up', async () => {
  const page = await visit(api, await invitationLink('dave@example.com'));
  assert.equal((await page.submit({ ...CHOSEN, again: 'another' })).text, 'The two passwords differ.');
  const short = await page.submit({ password: 'short', again: 'short' });
  assert.equal(short.className, 'bad');
  assert.match(short.text, /12/);
  assert.equal(short.element('send').disabled, false);
  assert.equal((await page.submit(CHOSEN)).className, 'good');
});

test('a broken link and a service that is down are said', async () => {
  const incomplete = await visit(api, '/accept-invite');
  assert.match(incomplete.text, /^This link is incomplete/);
  assert.ok(incomplete.element('form').hidden);
  const down = await visit(api, '/accept-invite?token=x', { isDown: true });
  assert.match((await down.submit(CHOSEN)).text, /cannot be reached/);
});

test('the page runs its own script and nothing else, and leaks its address to nobody', () =>
  assertSealedPage(api, '/accept-invite'));

test('it leads to the sign-in, below whatever path a proxy puts it', async () => {
  assert.match((await api.inject({ url: '/accept-invite' })).text, /<a href="\.\/#\/sign-in">/);
});

test('without a mail server the answers say that mails are files, and the one who invites gets the link', async () => {
  const { answer, link } = await invite('dora@example.com');
  assert.deepEqual(
    [answer.json.data.delivery, answer.json.data.inviteUrl],
    ['file', `https://voice.example.com${link}`],
  );
  const again = await invite('dora@example.com');
  assert.notEqual(again.link, link, 'a second invitation has a link of its own');
  const forgot = await api.ask('POST', '/auth/forgot-password', { email: 'nobody@example.com' });
  assert.equal(forgot.json.data.delivery, 'file');
});

test('a mail server that is set is the only one who tells the link', async (t) => {
  t.mock.property(api.context.config, 'smtpUrl', 'smtp://127.0.0.1:25');
  const { answer, link } = await invite('emil@example.com');
  assert.match(link, /accept-invite/);
  assert.deepEqual([answer.json.data.delivery, answer.json.data.inviteUrl], ['mail', null]);
});
