// The frame of the pages: navigation, focus, messages, for the mouse, the keyboard and a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../bench/rig/eventually.ts';
import { skip, useWindow } from './browser.ts';

const { service, rest, window } = useWindow();
const PICTURES = process.env.SHELL_PICTURES;

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const outline = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.activeElement).outlineStyle + " " + document.activeElement.tagName');

test('the navigation fits a window of 900 px, whichever group is open', { skip }, async () => {
  const { page } = window;
  for (const [group, link, title] of [
    ['Administration', 'Trunks', 'Trunks'],
    ['Set-up', 'Agents', 'Agents'],
  ] as const) {
    const button = pages(page).getByRole('button', { name: group });
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
    const overflow = `(() => {
      const nav = document.querySelector('.sidebar nav');
      const signOut = document.querySelector('.sidebar .foot button').getBoundingClientRect().bottom;
      return [nav.scrollHeight > nav.clientHeight, signOut <= innerHeight];
    })()`;
    assert.deepEqual(await page.evaluate(overflow), [false, true], group);
    await pages(page).getByRole('link', { name: link }).click();
    await heading(page, title).waitFor();
    assert.equal(await pages(page).getByRole('link', { name: link }).getAttribute('aria-current'), 'page');
  }
});

test('a new page’s heading has a ring of focus for the keyboard only', { skip }, async () => {
  const { page } = window;
  await pages(page).getByRole('link', { name: 'Appointments' }).click();
  await heading(page, 'Appointments').waitFor();
  await eventually(() => page.evaluate<boolean>('document.activeElement.tagName === "H1"'));
  assert.equal(await outline(page), 'none H1');
  await pages(page).getByRole('link', { name: 'Campaigns' }).focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Campaigns').waitFor();
  await eventually(() => page.evaluate<boolean>('document.activeElement.tagName === "H1"'));
  assert.equal(await outline(page), 'solid H1');
});

test('on a phone a message lies over the bar, not over the page, and the menu works beneath it', { skip }, async () => {
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.apiUrl}/#/do-not-call`);
  await page.getByLabel('Phone number').fill('+1 212 555 0199');
  await page.getByRole('button', { name: 'Add the number' }).click();
  const toast = page.locator('.toast');
  await toast.waitFor();
  const { y, height } = (await toast.boundingBox()) ?? { y: 0, height: 0 };
  const bar = (await page.locator('.topbar').boundingBox())?.height ?? 0;
  assert.ok(y + height <= bar + 4, `the message ends at ${y + height}, the bar at ${bar}`);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await pages(page).getByRole('link', { name: 'Overview' }).waitFor();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('how many calls the installation carries stands where people look', { skip }, async () => {
  const { page } = window;
  await page.goto(`${service.apiUrl}/#/`);
  await page.getByText(/^Live calls, \d+ at most$/).waitFor();
  // Before the first call no axes are empty: it is said what will be there.
  await page.getByRole('heading', { name: 'After the first call you see here' }).waitFor();
  assert.equal(await page.locator('.plot').count(), 0);
  await page.goto(`${service.apiUrl}/#/admin/status`);
  await page.getByRole('heading', { name: 'Calls now' }).waitFor();
  // The page that it names can be read.
  const [guide] = await Promise.all([
    page.waitForResponse(/\/docs\/capacity\.md$/),
    page.getByRole('link', { name: 'docs/capacity.md' }).click(),
  ]);
  assert.equal(guide.status(), 200);
  await page.getByText('How many calls a machine carries').waitFor();
});

test('by Ctrl K a page, a record, a person and the calls with a number are found by typing', { skip }, async () => {
  const { page } = window;
  await page.goto(`${service.apiUrl}/#/`);
  await heading(page, 'Overview').waitFor();
  const field = page.getByRole('combobox', { name: /^A page, an agent/ });
  const chosen = page.locator('[role=option][aria-selected=true]');
  await page.keyboard.press('Control+k');
  await field.waitFor();
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/palette.png` });
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await pages(page).locator('..').getByRole('button', { name: 'Go to' }).click();
  await page.keyboard.type('appoint');
  await eventually(async () => /^Appointments/.test((await chosen.textContent()) ?? ''));
  await page.keyboard.press('Enter');
  await heading(page, 'Appointments').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('demo');
  await page.getByRole('option', { name: /^Demo reception/ }).waitFor();
  while (!/^Demo reception/.test((await chosen.textContent()) ?? '')) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually(() => page.evaluate<boolean>('location.hash.startsWith("#/campaigns/")'));
  const [campaign] = await rest.must('GET', '/campaigns');
  await rest.must('POST', `/campaigns/${campaign?.id}/contacts`, {
    contacts: [{ phoneNumber: '+12025550143', name: 'Jamie <b>Rivera</b>' }],
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rivera');
  await eventually(async () => /^Jamie <b>Rivera<\/b>, \+12025550143/.test((await chosen.textContent()) ?? ''));
  await page.keyboard.press('Enter');
  await heading(page, 'Jamie <b>Rivera</b>').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('+44 20 7946 0123');
  await eventually(async () => /^\+442079460123/.test((await chosen.textContent()) ?? ''));
  await page.keyboard.press('ArrowDown');
  await eventually(async () => /^Calls with \+442079460123/.test((await chosen.textContent()) ?? ''));
  await page.keyboard.press('Enter');
  await heading(page, 'Calls').waitFor();
  await page.getByText('No call fits').waitFor();
  assert.equal(await page.getByLabel('Caller or called').inputValue(), '+442079460123');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/calls-with.png` });
  await page.getByLabel('Caller or called').fill('');
  await page.keyboard.press('Enter');
  await page.getByText('No call fits').waitFor({ state: 'detached' });
});

test('what is typed before the palette is loaded is in its field', { skip }, async () => {
  const { page } = window;
  const typed = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/palette-[^/]+\.js$/, async (route) => {
    asked.resolve();
    await typed.promise;
    await route.continue();
  });
  await page.goto(`${service.apiUrl}/#/calls`);
  await page.reload();
  await page.getByLabel('Caller or called').focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('appox');
  await page.keyboard.press('Backspace');
  await asked.promise;
  await page.keyboard.type('int');
  typed.resolve();
  const field = page.getByRole('combobox', { name: /^A page, an agent/ });
  await field.waitFor();
  assert.equal(await field.inputValue(), 'appoint');
  await page.keyboard.type('m');
  assert.equal(await field.inputValue(), 'appointm');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Caller or called').inputValue(), '');
});
