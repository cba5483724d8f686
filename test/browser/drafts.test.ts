// Drafts of a business as an operator meets them: switched on, read, tried on a share of the calls, published.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });
const PICTURES = process.env.DRAFT_PICTURES;

test('changes wait, are told in words, tried on a share of the calls, published and discarded', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  await signIn(window, service.apiUrl);
  const greetingTemplate =
    'Thank you for calling the bakery on the market square, my name is Ann. How may I help you today?';
  const made = { name: 'Bakery', industry: 'bakery', timezone: 'UTC', greetingTemplate };
  const { id } = (await rest.request('POST', '/businesses', made)).body.data;
  const open = (tab: string) => page.goto(`${service.apiUrl}/#/businesses/${id}?tab=${tab}`);
  const confirmed = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await open('versions');
  await page.getByLabel('Changes wait until they are published').check();
  await page.getByText('Changes wait until they are published', { exact: true }).last().waitFor();
  await open('basics');
  await page.getByLabel('Name', { exact: true }).fill('Bakery Ada');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved as a draft.').waitFor();
  await rest.request('PATCH', `/businesses/${id}`, {
    greetingTemplate: greetingTemplate.replace('market square', 'old harbour'),
  });
  await open('versions');
  await page.getByRole('heading', { name: 'Waiting to be published' }).waitFor();
  const card = page.locator('section.card').filter({ hasText: 'Waiting to be published' });
  await card.getByText('business Bakery Ada').waitFor();
  assert.match((await card.locator('.words ins').allInnerTexts()).join(''), /^old\s*harbour$/);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/waiting.png`, fullPage: true });
  await card.getByRole('button', { name: 'Try on 10 % first' }).click();
  await confirmed('Try it');
  await page.getByText('0 of 100 calls have ended').waitFor();
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/canary.png`, fullPage: true });
  await page.getByRole('button', { name: 'Stop it' }).click();
  await confirmed('Stop it');
  await page.getByText('was tried, and stopped').waitFor();
  await card.getByRole('button', { name: 'Publish' }).click();
  await confirmed('Publish');
  await card.waitFor({ state: 'detached' });
  const published = (await rest.request('GET', `/businesses/${id}`)).body.data;
  assert.deepEqual([published.name, published.draftVersion], ['Bakery Ada', null]);
  await rest.request('PATCH', `/businesses/${id}`, { name: 'Bakery Bea' });
  await page.reload();
  await card.getByRole('button', { name: 'Discard' }).click();
  await confirmed('Discard');
  await card.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Bakery Ada' }).waitFor();
  await window.close();
});
