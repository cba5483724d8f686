// Forms as a browser, a password manager and a keyboard use them, against the running service.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Rest } from '../../bench/rig/rest.ts';
import { ADMIN, type Service, startService } from '../../bench/rig/service.ts';
import { hasChromium, openBrowser, signIn } from './browser.ts';

const skip = hasChromium ? false : 'Chromium is not installed';
let service: Service;
let rest: Rest;
before(async () => {
  if (!hasChromium) return;
  service = await startService();
  rest = await new Rest(service).login();
});
after(() => service?.stop());

/** Fills fields by their labels and sends their form, all in one step of the page; `typed` with the events of typing. */
const fillAndSend = (page: Page, values: Record<string, string>, typed: boolean): Promise<void> =>
  page.evaluate(`{
    let form;
    for (const [label, value] of Object.entries(${JSON.stringify(values)})) {
      const field = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label).control;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value);
      if (${typed}) field.dispatchEvent(new Event('input', { bubbles: true }));
      form = field.form;
    }
    form.requestSubmit();
  }`);

for (const typed of [true, false]) {
  const how = typed ? 'with the events of typing' : 'without an event';
  test(`a password manager fills and sends the sign-in in one step, ${how}`, { skip }, async () => {
    const window = await openBrowser(service.apiUrl);
    const { page } = window;
    await page.goto(`${service.apiUrl}/`);
    await page.getByLabel('Password').waitFor();
    await fillAndSend(page, { 'E-mail address': ADMIN.email, Password: ADMIN.password }, typed);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await window.close();
  });

  test(`one that fills and sends a new account loses nothing, ${how}`, { skip }, async () => {
    const window = await openBrowser(service.apiUrl);
    const { page } = window;
    window.expectStatus(422);
    await page.goto(`${service.apiUrl}/#/register`);
    await page.getByLabel('Password').waitFor();
    const sent = page.waitForRequest(/\/auth\/register$/);
    const values = { 'Name of your company': 'Elm', 'E-mail address': 'elm@example.com', Password: 'short' };
    await fillAndSend(page, values, typed);
    assert.deepEqual((await sent).postDataJSON(), { accountName: 'Elm', email: 'elm@example.com', password: 'short' });
    await window.close();
  });

  test(`fields that make one value together are all sent, ${how}`, { skip }, async () => {
    const window = await openBrowser(service.apiUrl);
    const { page } = window;
    await signIn(window, service.apiUrl);
    const id = (await rest.must('GET', '/campaigns'))[0]?.id ?? '';
    await page.goto(`${service.apiUrl}/#/campaigns/${id}?tab=settings`);
    await page.getByLabel('From').waitFor();
    const [from, to] = typed ? ['08:10', '18:10'] : ['08:20', '18:20'];
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await fillAndSend(page, { From: from, To: to }, typed);
    const { callingWindow } = (await sent).postDataJSON();
    assert.deepEqual([callingWindow.start, callingWindow.end], [from, to]);
    await window.close();
  });
}
