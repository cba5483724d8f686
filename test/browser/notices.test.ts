// An owner has themselves told of calls, tries it, and sees what went out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });
const PICTURES = process.env.NOTICE_PICTURES;

test('a notice is set, tried and listed; a fault is shown at its field', { skip }, async () => {
  const window = await openBrowser(service.apiUrl, { width: 1440 });
  const { page } = window;
  window.expectStatus(422);
  await signIn(window, service.apiUrl);
  const id = (await rest.must('GET', '/businesses'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/businesses/${id}?tab=notices`);
  await page.getByText('Nobody is told yet.').waitFor();
  await page.getByRole('button', { name: 'Tell somebody' }).click();
  await page.getByLabel('Mail address').fill('owner@example.com');
  await page.getByText('Not at night').click();
  await page.getByRole('button', { name: 'Tell somebody' }).click();
  const chat = page.getByRole('group', { name: 'notice 2' });
  await chat.getByLabel('When this happens').selectOption('call_missed');
  await chat.getByLabel('Tell by').selectOption('slack');
  await chat.getByLabel('Address from Slack').fill('https://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('private or internal').waitFor();
  await chat.getByLabel('Address from Slack').fill('https://hooks.slack.com/services/T0/B0/secret');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  assert.match(await chat.getByLabel('Address from Slack').inputValue(), /^https:\/\/hooks\.slack\.com\/…[\w-]{8}$/);
  await page.getByRole('button', { name: 'Send an example' }).first().click();
  await page.getByText('The example went to o…r@example.com.').waitFor();
  await page.getByRole('cell', { name: 'Mail, o…r@example.com' }).waitFor();
  const kept = (await rest.must('GET', `/businesses/${id}`)).notify;
  assert.deepEqual(
    kept.map(({ on, by, quiet }) => [on, by, quiet]),
    [
      ['call_ended', 'mail', { from: '21:00', to: '07:00' }],
      ['call_missed', 'slack', null],
    ],
  );
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!PICTURES) continue;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${PICTURES}/notices-${width}-${colorScheme}.png`, fullPage: true });
    }
  await window.close();
});
