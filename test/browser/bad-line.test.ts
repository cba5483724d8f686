// The dashboard over a line that is slow, and over one that is gone for a while: what is sent is sent once, the page
// says what it is waiting for, and nothing that was entered is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ADMIN } from '../../bench/rig/service/service.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip, type Window } from './browser.ts';

/** A mobile telephone at the edge of its cell. */
const SLOW = { offline: false, latency: 600, downloadThroughput: 50_000, uploadThroughput: 20_000 };

const { service, rest } = useService({}, { skip });

async function slowDown({ context, page }: Window): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
}

/** The requests of that method that the page sends from now on. */
function countOf(page: Page, method: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === method) count++;
  });
  return () => count;
}

/** The impatient press Enter again and again. */
const sendThrice = (page: Page, label: string): Promise<void> =>
  page.getByLabel(label, { exact: true }).evaluate((field) => {
    const { form } = field as unknown as { form: { requestSubmit(): void } };
    for (let n = 0; n < 3; n++) form.requestSubmit();
  });

test('over a slow line each form is sent once, however often it is sent', { skip, timeout: 120_000 }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  await slowDown(window);
  await page.goto(`${service.apiUrl}/`);
  await page.getByLabel('E-mail address').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  const sent = countOf(page, 'POST');
  await sendThrice(page, 'Password');
  await page.getByRole('button', { name: 'Sign in' }).and(page.locator('[aria-busy=true]')).waitFor();
  await page.locator('main.main h1').waitFor();
  assert.equal(sent(), 1);

  await page.goto(`${service.apiUrl}/#/do-not-call`);
  // The loaded part is shown while the rest is on its way.
  await page.getByRole('heading', { level: 1, name: 'Do not call' }).waitFor();
  await page.getByLabel('Phone number').fill('+12025550177');
  const before = sent();
  await sendThrice(page, 'Phone number');
  await page.getByRole('cell', { name: '+12025550177', exact: true }).waitFor();
  assert.equal(sent() - before, 1);
  await window.close();
});

test('what is saved while the line is down stays entered, and is saved when it is back', { skip }, async () => {
  const [voice] = await rest.must('GET', '/voices');
  const agent = await rest.must('POST', '/agents', { name: 'Rowan', voiceId: voice?.id });
  const window = await openBrowser(service.apiUrl);
  const { page, context } = window;
  window.expectStatus(0);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/agents/${agent.id}`);
  await page.getByLabel('Name', { exact: true }).fill('Rowan the second');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The service cannot be reached. Try again in a moment.').first().waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Rowan the second');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Rowan the second' }).waitFor();
  assert.equal((await rest.must('GET', `/agents/${agent.id}`)).name, 'Rowan the second');
  await window.close();
});

test('a page that cannot be loaded says so, and is loaded when the line is back', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page, context } = window;
  window.expectStatus(0);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/do-not-call`);
  await page.getByRole('heading', { level: 1, name: 'Do not call' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Agents' }).click();
  await page.getByText('The service cannot be reached').first().waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  await page.getByRole('link', { name: 'Rowan the second' }).first().waitFor();
  await window.close();
});
