// Each page of the dashboard at two widths: no wider than the screen, free of faults by axe-core (each night in both
// themes and on a phone, too), without errors in the console, and, but in CI, with a picture of each in test/pictures/
// (not committed) to look at.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { nightly } from '../support/nightly.ts';
import { openBrowser, signIn, skip } from './browser.ts';
import { openPage, type PageAddress, usePages } from './pages.ts';

const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const isPictured = process.env.CI === undefined;
const WIDTHS = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
/** The rules of axe-core about colours, by default. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Violation {
  id: string;
  nodes: Array<{ html: string; failureSummary: string }>;
}

mkdirSync(PICTURES, { recursive: true });
const { service, every } = await usePages();

/** A theme changes colours alone, and so a second look at the same page needs only their rules. */
async function violations(page: Page, rules: 'all' | 'colours'): Promise<string[]> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules === 'colours' ? { runOnly: COLOUR_RULES } : {}) };
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

async function look(page: Page, entry: PageAddress): Promise<string[]> {
  const { name } = entry;
  await page.setViewportSize(WIDTHS.wide);
  await openPage(page, service, entry);
  const faults: string[] = [];
  for (const [size, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      if (isPictured) await page.screenshot({ path: `${PICTURES}${name}-${size}-${theme}.png`, fullPage: true });
      // Elements that are hidden on a phone are seen on a wide screen: the themes differ on both alike.
      const isAlways = size === 'wide' && theme === 'light';
      if (isAlways || (nightly === false && (size === 'wide' || theme === 'light'))) {
        const found = await violations(page, theme === 'light' ? 'all' : 'colours');
        faults.push(...found.map((fault) => `${name}, ${size}, ${theme}: ${fault}`));
      }
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(overflow) > 0) faults.push(`${name}, ${size}: ${overflow} px wider than the screen`);
  }
  return faults;
}

test('every page can be read by everybody, on every screen', { skip, timeout: 240_000 }, async (t) => {
  const window = await openBrowser(service.apiUrl);
  const pages = await every();
  const faults: string[] = [];
  for (const page of pages.filter(({ isPublic }) => isPublic)) faults.push(...(await look(window.page, page)));
  await signIn(window, service.apiUrl);
  for (const page of pages.filter(({ isPublic }) => !isPublic)) faults.push(...(await look(window.page, page)));
  t.diagnostic(`${pages.length} pages, ${window.requests.size} operations of the interface used`);
  await window.close();
  assert.deepEqual(faults, []);
});
