// The wizard, as a shopkeeper goes through it: from a web site, or from nothing, to an agent that answers a number;
// left in the middle, and gone on with.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { savedSites, serveSite } from '../support/sites.ts';
import { skip, useWindow } from './browser.ts';

const NUMBER = '+493055501770';
const { service, rest, window } = useWindow({ WEBHOOK_ALLOW_PRIVATE: '1' }, async () => {
  await rest.request('POST', '/admin/inventory', { numbers: [{ phoneNumber: NUMBER }] });
});
const saved = savedSites().find(({ name }) => name === 'de-salon-wordpress');
assert.ok(saved);
const { url: site, close } = await serveSite(saved);
after(close);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The steps above the card are links as well. */
const inCard = (page: Page, name: string) => page.locator('.card').getByRole('link', { name, exact: true });
const ofNow = (page: Page) => page.locator('[aria-current="step"]').innerText();
const setupOf = async () => (await rest.request('GET', '/account')).body.data.setup;

test('a web site becomes a business, an agent and a campaign that answers a number', { skip }, async () => {
  const { page } = window;
  await page.goto(`${service.apiUrl}/#/`);
  await page.getByRole('link', { name: 'Set up your telephone' }).click();
  window.expectStatus(400);
  await page.getByLabel('Its address').fill('http://127.0.0.1:1/');
  await button(page, 'Read my web site').click();
  await page.getByText(/The page cannot be read/).waitFor();
  await page.getByLabel('Its address').fill(site);
  await button(page, 'Read my web site').click();
  await page.getByText('3 pages were read').waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Haarwerk Köln');
  await page.getByText('“Damenschnitt (45 Min.) | 48,00 €”').waitFor();
  await button(page, 'Remove service 3').click();

  // The machine is left, and another one goes on: the site is read again.
  await page.reload();
  await page.getByText('3 pages were read').waitFor();
  await button(page, 'Remove service 3').click();
  await button(page, 'Yes, that is right').click();

  await page.getByText('No voice here speaks German yet.').waitFor();
  assert.equal(await button(page, 'This voice it is').isDisabled(), true);
  await page.getByLabel('Language').selectOption('en');
  const preview = page.waitForResponse(/\/voices\/[^/]+\/preview$/);
  await button(page, 'Listen to Sally').click();
  assert.equal((await preview).status(), 200);
  await page.getByRole('radio', { name: /Sally/ }).check();
  await page.getByLabel('Name', { exact: true }).fill('Sally');
  await button(page, 'This voice it is').click();

  await page.getByText(/Thank you for calling Haarwerk Köln, this is Sally/).waitFor();

  // Back, and on again: what was saved is there.
  await page.getByRole('link', { name: 'Your business' }).click();
  assert.equal(await page.getByLabel('Trade').inputValue(), 'hair salon');
  assert.equal(await page.getByLabel('Service', { exact: true }).count(), 3);
  await page.goBack();
  await page.getByText(/Thank you for calling Haarwerk Köln, this is Sally/).waitFor();
  await button(page, 'It is good so').click();
  await page.getByLabel('Number', { exact: true }).selectOption(NUMBER);
  await button(page, 'Answer this number').click();
  await page.getByRole('heading', { name: 'It answers' }).waitFor();

  const setup = await setupOf();
  assert.deepEqual(setup?.skipped, []);
  const business = (await rest.request('GET', `/businesses/${setup?.businessId}`)).body.data;
  assert.equal(business.phone, '+49221530127');
  assert.equal(business.hours.length, 5);
  assert.deepEqual(
    business.services.map(({ name }) => name),
    ['Damenschnitt', 'Herrenschnitt', 'Strähnen'],
  );
  assert.equal(business.services[2]?.price, null, 'from 75 € is no price');
  assert.equal(business.currency, 'EUR');
  const campaign = (await rest.request('GET', `/campaigns/${setup?.campaignId}`)).body.data;
  assert.equal(campaign.status, 'RUNNING');
  await page.getByRole('link', { name: 'To the overview' }).click();
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  assert.equal(await page.getByRole('link', { name: /set-up|Set up your telephone/ }).count(), 0);
});

test('without a web site it is typed in, and what is skipped can be done later', { skip }, async () => {
  const { page } = window;
  await rest.request('PATCH', '/account', { setup: null });
  await page.goto(`${service.apiUrl}/#/start`);
  await page.reload();
  await button(page, 'I have none: type it in').click();
  await page.getByLabel('Name', { exact: true }).fill('Corner Shop');
  await page.getByLabel('Trade').fill('grocer');
  await button(page, 'Open on Monday').click();
  await button(page, 'Yes, that is right').click();
  await page.getByLabel('Language').waitFor();
  await button(page, 'Skip for now').click();
  assert.match(await ofNow(page), /Talk to it/);
  await page.getByText('Something is still missing').waitFor();
  await inCard(page, 'Voice').click();
  await button(page, 'This voice it is').click();
  await page.getByText(/Thank you for calling Corner Shop/).waitFor();
  await button(page, 'Skip for now').click();
  await button(page, 'Later').click();
  await page.getByRole('heading', { name: 'Ready so far' }).waitFor();
  const setup = await setupOf();
  assert.deepEqual(setup?.skipped, ['website', 'talk', 'number']);
  await inCard(page, 'Number').waitFor();
});

test('it speaks the language of its reader, as the pages beside it do from then on', { skip }, async () => {
  const { page } = window;
  await rest.request('PATCH', '/account', { setup: null });
  await page.goto(`${service.apiUrl}/#/start`);
  await page.reload();
  await page.getByLabel('This page in').selectOption('de');
  await page.getByRole('heading', { level: 1, name: 'Ihr Telefon einrichten' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await button(page, 'Ich habe keine: selbst eintragen').click();
  await page.getByLabel('Name', { exact: true }).fill('Bäckerei Schmidt');
  await page.getByLabel('Branche').fill('bakery');
  await button(page, 'Am Montag öffnen').click();
  await page.getByText('Mo 09:00–17:00.').waitFor();
  await page.reload();
  assert.match(await ofNow(page), /Ihr Betrieb/, 'the choice is remembered');
  await page.getByRole('link', { name: 'Anrufe', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Anrufe' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await page.goBack();
  await page.getByLabel('Diese Seite auf').selectOption('pt');
  await page.getByText('O seu negócio').first().waitFor();
});
