// Sign-in, sessions and tabs in a real browser against the running service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ADMIN, type Service, startService } from '../../../bench/service.ts';
import { hasChromium, openBrowser, signIn } from './browser.ts';

const skip = hasChromium ? false : 'Chromium is not installed';
let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

test('a wrong password is refused in words, a right one leads where the reader wanted to go', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(401);
  await page.goto(`${service.apiUrl}/#/agents?page=1`);
  await page.getByLabel('E-mail address').fill(ADMIN.email);
  await page.getByLabel('Password').fill('not the password at all');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('alert')
    .getByText(/password/i)
    .waitFor();
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  assert.match(page.url(), /#\/agents\?page=1$/);
  await window.close();
});

test('two tabs whose token ends at the same time share one refresh, and both stay signed in', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { context, page } = window;
  await signIn(window, service.apiUrl);
  const other = await context.newPage();
  let refreshes = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh')) refreshes++;
  });
  // Both wait where nothing is asked: a page that is left in mid refresh loses the new tokens with it.
  await Promise.all([page.goto(`${service.apiUrl}/docs`), other.goto(`${service.apiUrl}/docs`)]);
  for (let round = 1; round <= 2; round++) {
    // As after 15 minutes: the token has ended by this machine's clock.
    await page.evaluate(`{
      const session = JSON.parse(localStorage.getItem('voice.session'));
      localStorage.setItem('voice.session', JSON.stringify({ ...session, expiresAtMs: 0 }));
    }`);
    await Promise.all([page.goto(`${service.apiUrl}/#/calls`), other.goto(`${service.apiUrl}/#/agents`)]);
    await Promise.all([page.locator('main.main h1').getByText('Calls').waitFor(), other.getByText('Sam').waitFor()]);
    assert.equal(refreshes, round);
    await Promise.all([page.goto(`${service.apiUrl}/docs`), other.goto(`${service.apiUrl}/docs`)]);
  }
  await window.close();
});

test('a token that ends in mid edit is renewed, and nothing that was entered is lost', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { context, page } = window;
  window.expectStatus(401);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/agents/new`);
  await page.getByLabel('Name', { exact: true }).fill('Maya');
  await page.getByRole('radio').first().check();
  let refreshes = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh')) refreshes++;
  });
  // The service takes it no more, though by this machine's clock it holds: the answer is 401.
  await page.evaluate(`{
    const session = JSON.parse(localStorage.getItem('voice.session'));
    localStorage.setItem('voice.session', JSON.stringify({ ...session, token: session.token.slice(0, -4) + 'AAAA' }));
  }`);
  await page.getByLabel('Description').fill('Answers after hours');
  await page.getByRole('button', { name: 'Create the agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'Maya' }).waitFor();
  assert.equal(await page.getByLabel('Description').inputValue(), 'Answers after hours');
  // And once more, found out before anything is asked.
  await page.evaluate(`{
    const session = JSON.parse(localStorage.getItem('voice.session'));
    localStorage.setItem('voice.session', JSON.stringify({ ...session, expiresAtMs: 0 }));
  }`);
  await page.getByLabel('Description').fill('Answers at night');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
  assert.equal(refreshes, 2);
  await window.close();
});

test('a session that was ended elsewhere leads to the sign-in, and back to the page', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(401);
  await signIn(window, service.apiUrl);
  await page.evaluate(`fetch('api/v1/auth/logout', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + JSON.parse(localStorage.getItem('voice.session')).token },
  })`);
  await page.goto(`${service.apiUrl}/#/agents`);
  await page.getByLabel('Password').waitFor();
  assert.match(decodeURIComponent(page.url()), /next=\/agents/);
  await window.close();
});
