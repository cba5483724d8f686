// The tab of a campaign on which its keys for web sites are made, changed, replaced and deleted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip, useWindow } from '../browser.ts';

const PICTURES = process.env.PICTURES;
const { service, rest, window } = useWindow();

test('a key is made, and its line stands ready for the pages; it is changed, replaced, switched off and deleted', {
  skip,
}, async () => {
  const { page } = window;
  const [demo] = await rest.must('GET', '/campaigns?status=RUNNING');
  await page.goto(`${service.apiUrl}/#/campaigns/${demo?.id}?tab=website`);
  await page.getByText('Not on a web site yet').waitFor();
  await page.getByRole('button', { name: 'New website key' }).click();
  const dialog = page.getByRole('dialog');
  window.expectStatus(422);
  await dialog.getByLabel('Pages').fill('https://*.example.com');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.getByText(/must be the scheme, host and port/).waitFor();
  await dialog.getByRole('button', { name: 'Remove https://*.example.com' }).click();
  await dialog.getByLabel('Pages').fill('https://www.example.com');
  await dialog.getByLabel('Calls at once').fill('3');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [key] = await rest.must('GET', '/widget-keys');
  assert.deepEqual([key?.origins, key?.callsAtOnce, key?.callsPerDay], [['https://www.example.com'], 3, 100]);
  const line = page.getByText(`<script src="${service.apiUrl}/widget.js" data-key="${key?.key}" async></script>`);
  await line.waitFor();

  // A page that the key does not name asks, and its owner sees it.
  await fetch(`${service.apiUrl}/api/v1/widget/${key?.key}`, {
    ...{ method: 'POST', body: '{}' },
    headers: { origin: 'https://copy.example', 'content-type': 'application/json' },
  });
  await page.getByText('https://copy.example').waitFor();
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      if (PICTURES === undefined) continue;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${PICTURES}/website-${width}-${colorScheme}.png`, fullPage: true });
    }

  await page.getByRole('button', { name: 'Change Web site' }).click();
  await dialog.getByLabel('Messages a day').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('of 7', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await dialog.getByRole('button', { name: 'Replace the key' }).click();
  await line.waitFor({ state: 'detached' });
  await page.getByText('Taken until').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete Web site' }).click();
  await dialog.getByRole('button', { name: 'Delete the key' }).click();
  await page.getByText('Not on a web site yet').waitFor();
});
