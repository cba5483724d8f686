// Forms as a browser, a password manager and a keyboard use them, against the running service.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../bench/rig/eventually.ts';
import { ADMIN } from '../../bench/rig/service/service.ts';
import { openDatabase } from '../../db/database.ts';
import { WEEKDAYS } from '../../db/domain/hours/weekdays.ts';
import { nightly } from '../support/nightly.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });

/** Fills fields by their labels and sends their form in one step of the page; `typed`: with the events of typing. */
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

for (const typed of nightly === false ? [true, false] : [false]) {
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

const isFocusedInSight = async (page: Page, selector: string): Promise<void> => {
  await eventually(() => page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)})`));
  await eventually(() =>
    page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`),
  );
};

/** A number of the account, which serves the campaign if there is one. */
async function own(phoneNumber: string, campaignId?: string): Promise<void> {
  await rest.must('POST', '/admin/inventory', { numbers: [{ phoneNumber }] });
  await rest.request('GET', '/phone-numbers/search?areaCode=212');
  await rest.must('POST', '/phone-numbers/purchase', {
    phoneNumber,
    ...(campaignId === undefined ? {} : { campaignId }),
  });
}

/** On a day on which nobody is called while the test runs, in any zone. */
const far = WEEKDAYS[(new Date().getUTCDay() + 2) % 7] ?? 'monday';

async function campaign(name: string): Promise<string> {
  const agentId = (await rest.must('GET', '/agents'))[0]?.id ?? '';
  const businessId = (await rest.must('GET', '/businesses'))[0]?.id ?? '';
  return (
    (await rest.must('POST', '/campaigns', {
      name,
      agentId,
      businessId,
      callingWindow: { days: [far], start: '09:00', end: '17:00' },
    })) as { id: string }
  ).id;
}

test('the wizard offers no number that it cannot get, and shows at once what was refused', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(409, 422);
  const [running, draft] = [await campaign('Autumn'), await campaign('Winter')];
  await own('+12125550161', running);
  await own('+12125550162', draft);
  await rest.must('POST', `/campaigns/${running}/start`, {});
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/campaigns/new`);
  await page.getByLabel('Name', { exact: true }).fill('Spring');
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Serves Autumn, which is running: pause that campaign first.').waitFor();
  assert.equal(await page.getByLabel('+12125550161').isDisabled(), true);
  await page.getByText('Serves Winter now: choosing it moves it here.').waitFor();
  await page.getByLabel('+12125550162').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Time zone').fill('Nowhere');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await isFocusedInSight(page, 'input[aria-invalid="true"]');
  await page.getByLabel('Time zone').fill('');
  // The other campaign starts while this one is made.
  await rest.must('POST', `/campaigns/${draft}/start`, {});
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByText(/serves the campaign "Winter"/).waitFor();
  await isFocusedInSight(page, '.notice.bad');
  await page.getByLabel('+12125550162').uncheck();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
  await window.close();
});

test('a running campaign shows new contacts and those who are called without a reload', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  const id = await campaign('Summer');
  await own('+12125550163', id);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/campaigns/${id}?tab=contacts`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByText('No contact waits to be called.').waitFor();
  const contacts = [{ phoneNumber: '+12125550143', name: 'Jamie' }];
  await rest.must('POST', `/campaigns/${id}/contacts`, { contacts });
  await page.getByText('Not called: 1 (no trunk to call over)').waitFor();
  await page.getByRole('table', { name: 'Contacts', exact: true }).getByText('Jamie').waitFor();
  const db = openDatabase(join(service.dataDir, 'voice.db'), { synchronous: 'NORMAL' });
  await db.updateTable('contacts').set({ status: 'CALLING' }).where('campaignId', '=', id).execute();
  await db.destroy();
  await page.getByRole('heading', { name: 'Called now: 1' }).waitFor();
  await page.getByRole('table', { name: 'Contacts who are called now' }).getByText('Jamie').waitFor();
  await window.close();
});

test('text that is typed while an answer is on its way stays, whichever button asked', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  const { id } = await rest.must('POST', '/businesses', { name: 'Elm', industry: 'bakery', timezone: 'UTC' });
  await signIn(window, service.apiUrl);
  const open = (tab: string) => page.goto(`${service.apiUrl}/#/businesses/${id}?tab=${tab}`);
  const save = page.getByRole('button', { name: 'Save' });
  /** The PATCH that `ask` sends is answered after `meanwhile`. */
  const answeredAfter = async (ask: () => Promise<void>, meanwhile: () => Promise<void>) => {
    let answer = () => {};
    const isDone = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/businesses/*', async (held) => {
      const response = await held.fetch();
      if (held.request().method() === 'PATCH') await isDone;
      await held.fulfill({ response });
    });
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await ask();
    await meanwhile();
    answer();
    await (await answered).finished();
    await page.unroute('**/businesses/*');
  };
  const drafts = page.getByLabel('Changes wait until they are published');
  await open('versions');
  await answeredAfter(
    () => drafts.check(),
    async () => {
      await open('basics');
      await page.getByLabel('Name', { exact: true }).fill('Elm and Oak');
    },
  );
  await page.getByText('Changes wait until they are published').waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Elm and Oak');
  await answeredAfter(
    () => save.click(),
    () => page.getByLabel('Industry').fill('bakery and café'),
  );
  await page.getByText('Saved as a draft.').waitFor();
  assert.equal(await page.getByLabel('Industry').inputValue(), 'bakery and café');
  await save.click();
  await save.waitFor({ state: 'detached' });
  const draft = await rest.request('GET', `/businesses/${id}/versions`);
  assert.match(JSON.stringify(draft.body.data), /café/);
  await window.close();
});

test('two people who edit one field: the second is told before the first’s change is lost', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  const { id } = await rest.must('POST', '/businesses', { name: 'Ash', industry: 'bakery', timezone: 'UTC' });
  const saved = async () => (await rest.request('GET', `/businesses/${id}`)).body.data;
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/businesses/${id}?tab=basics`);
  const [name, industry] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Industry')];
  const save = page.getByRole('button', { name: 'Save' });
  const told = page.getByText('Somebody else has changed this meanwhile: Industry.');
  await industry.fill('bakery and café');
  await rest.must('PATCH', `/businesses/${id}`, { name: 'Ash and Elm', industry: 'confectioner' });
  await save.click();
  await told.waitFor();
  assert.equal((await saved()).industry, 'confectioner');
  assert.deepEqual([await name.inputValue(), await industry.inputValue()], ['Ash and Elm', 'bakery and café']);
  await page.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await industry.inputValue(), 'confectioner');
  await industry.fill('bakery');
  await rest.must('PATCH', `/businesses/${id}`, { industry: 'tea room' });
  await save.click();
  await told.waitFor();
  await save.click();
  await save.waitFor({ state: 'detached' });
  assert.equal((await saved()).industry, 'bakery');
  await window.close();
});
