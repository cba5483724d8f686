// Each page of the dashboard as somebody uses it: by the keyboard alone, and with script in each field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { nightly } from '../support/nightly.ts';
import { openBrowser, signIn, skip } from './browser.ts';
import { walk } from './keyboard.ts';
import { openPage, type PageAddress, usePages } from './pages.ts';

const { service, every } = await usePages();

/** Of the pages so many-th outside of the nightly run, which takes all: both tests take minutes then. */
const EVERY = 3;

const some = (pages: readonly PageAddress[], first: number): PageAddress[] =>
  pages.filter((_, index) => nightly === false || index % EVERY === first);

test('every page is used by the keyboard alone, with a ring of focus', { skip, timeout: 240_000 }, async () => {
  const window = await openBrowser(service.apiUrl);
  await signIn(window, service.apiUrl);
  const faults: string[] = [];
  for (const entry of some(await every(), 1).filter(({ isPublic }) => !isPublic)) {
    await openPage(window.page, service, entry);
    const { missed, ringless } = await walk(window.page);
    faults.push(...missed.map((html) => `${entry.name}: not reached: ${html}`));
    faults.push(...ringless.map((html) => `${entry.name}: without a ring: ${html}`));
  }
  await window.close();
  assert.deepEqual(faults, []);
});

const SCRIPT = '<img src=x onerror=window.hurt=1>';
const ENTERED =
  'main input:is([type=text], [type=search], [type=tel], [type=email], [type=url], :not([type])), main textarea';

/** Puts script into each field that takes a text, and sends each form that can be sent by Enter. */
async function enterScripts(page: Page): Promise<number> {
  const count = await page.locator(ENTERED).count();
  let entered = 0;
  for (let at = 0; at < count; at++) {
    const field = page.locator(ENTERED).nth(at);
    // A search that has found nothing may have taken the rest of the page with it.
    if (!(await field.isVisible()) || !(await field.isEditable())) continue;
    await field.fill(SCRIPT);
    await field.press((await field.evaluate('(field) => field.tagName')) === 'INPUT' ? 'Enter' : 'Tab');
    entered++;
  }
  return entered;
}

test('script that is entered in any field of any page, and sent, is shown as text', { skip }, async (t) => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(400, 401, 402, 403, 404, 409, 422, 429);
  const hurt: string[] = [];
  let fields = 0;
  const enter = async ({ name, address }: PageAddress) => {
    await page.goto(`${service.apiUrl}/#${address}`);
    await page.locator('h1').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    fields += await enterScripts(page);
    if (await page.evaluate("window.hurt !== undefined || document.querySelector('img[src=x]') !== null"))
      hurt.push(name);
  };
  const pages = some(await every(), 0);
  for (const each of pages.filter(({ isPublic }) => isPublic)) await enter(each);
  await signIn(window, service.apiUrl);
  for (const each of pages.filter(({ isPublic }) => !isPublic)) await enter(each);
  t.diagnostic(`${fields} fields`);
  await window.close();
  assert.deepEqual(hurt, []);
  assert.ok(fields > 100, `${fields} fields`);
});
