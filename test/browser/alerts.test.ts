// An owner has an alert made and tried; an administrator writes down prices, by hand and as a carrier's table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });

test('an alert is made, tried and listed; a fault is shown at its field', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(422);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/alerts/new`);
  await page.getByLabel('Name', { exact: true }).fill('Failed calls');
  await page.getByLabel('This many (percent)').fill('7');
  await page.getByLabel('Tell by').selectOption('slack');
  await page.getByLabel('Address from Slack').fill('https://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Create the alert' }).click();
  await page.getByText('private or internal').waitFor();
  await page.getByLabel('Tell by').selectOption('mail');
  await page.getByLabel('Mail address').fill('owner@example.com');
  await page.getByRole('button', { name: 'Create the alert' }).click();
  await page.getByRole('heading', { level: 1, name: 'Failed calls' }).waitFor();
  await page.getByText('It has not fired').waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByRole('button', { name: 'Send an example' }).click();
  await page.getByText('The example went to o…r@example.com.').waitFor();
  const [rule] = await rest.must('GET', '/alert-rules');
  assert.deepEqual([rule?.metric, rule?.value, rule?.to[0]?.by], ['failed_share', 0.07, 'mail']);
  await window.close();
});

test('prices are written down, and a table with a fault says in which row', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(422);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/admin/costs?tab=prices`);
  await page.getByText('No price yet').waitFor();
  await page.getByRole('button', { name: 'Add a price' }).first().click();
  await page.getByLabel('Model').fill('gpt-4.1*');
  await page.getByLabel('A million tokens of prompts').fill('a lot');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('must be a decimal').waitFor();
  await page.getByLabel('A million tokens of prompts').fill('0.4');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('every engine · gpt-4.1*').waitFor();
  await page.getByRole('button', { name: 'Import a table' }).click();
  const bring = async (table: string) => {
    const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
  };
  await bring('prefix,perMinute\n+49,0.01\n+4x,1\n');
  await page.getByText('prices[1].prefix').waitFor();
  await bring('prefix,perMinute\n+49,0.01\n0033,0.02\n');
  await page.getByText('2 prices are added').waitFor();
  await page.getByText('every trunk · Outbound · +33').waitFor();
  await window.close();
});
