// Each page of the dashboard at two widths and in both themes: free of faults by axe-core, used by the keyboard alone,
// without errors in the console, and, but in CI, with a picture of each in test/pictures/ (not committed) to look at.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startReceiver, TEST_AUTHORITY } from '../../bench/rig/receiver.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';
import { walk } from './keyboard.ts';
import { type Ids, type PageAddress, pagesOf, seed } from './pages.ts';

const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const isPictured = process.env.CI === undefined;
const WIDTHS = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

interface Violation {
  id: string;
  nodes: Array<{ html: string; failureSummary: string }>;
}

mkdirSync(PICTURES, { recursive: true });
const receiver = await startReceiver();
receiver.behave('/hooks', (response) => response.end('{"received":true}'));
after(() => receiver.close());
let seeded: Promise<Ids>;
const { service, rest } = useService(
  { WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY },
  {
    skip,
    prepare: async () => {
      seeded = seed(service, rest, receiver.url('/hooks'));
    },
  },
);

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

async function open(page: Page, { address, heading }: PageAddress): Promise<void> {
  await page.goto(`${service.apiUrl}/#${address}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

async function look(page: Page, entry: PageAddress): Promise<string[]> {
  const { name } = entry;
  await page.setViewportSize(WIDTHS.wide);
  await open(page, entry);
  const faults: string[] = [];
  for (const [size, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      if (isPictured) await page.screenshot({ path: `${PICTURES}${name}-${size}-${theme}.png`, fullPage: true });
      // What is hidden on a phone is seen on a wide screen: the themes differ on both alike.
      if (size === 'wide' || theme === 'light') {
        faults.push(...(await violations(page)).map((fault) => `${name}, ${size}, ${theme}: ${fault}`));
      }
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(overflow) > 0) faults.push(`${name}, ${size}: ${overflow} px wider than the screen`);
  }
  return faults;
}

test('every page can be read by everybody, on every screen', { skip, timeout: 240_000 }, async (t) => {
  const window = await openBrowser(service.apiUrl);
  const pages = pagesOf(await seeded);
  const faults: string[] = [];
  for (const page of pages.filter(({ isPublic }) => isPublic)) faults.push(...(await look(window.page, page)));
  await signIn(window, service.apiUrl);
  for (const page of pages.filter(({ isPublic }) => !isPublic)) faults.push(...(await look(window.page, page)));
  t.diagnostic(`${pages.length} pages, ${window.requests.size} operations of the interface used`);
  await window.close();
  assert.deepEqual(faults, []);
});

test('every page is used by the keyboard alone, with a ring of focus', { skip, timeout: 240_000 }, async () => {
  const window = await openBrowser(service.apiUrl);
  await signIn(window, service.apiUrl);
  const faults: string[] = [];
  for (const entry of pagesOf(await seeded).filter(({ isPublic }) => !isPublic)) {
    await open(window.page, entry);
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
  const pages = pagesOf(await seeded);
  for (const each of pages.filter(({ isPublic }) => isPublic)) await enter(each);
  await signIn(window, service.apiUrl);
  for (const each of pages.filter(({ isPublic }) => !isPublic)) await enter(each);
  t.diagnostic(`${fields} fields`);
  await window.close();
  assert.deepEqual(hurt, []);
  assert.ok(fields > 100, `${fields} fields`);
});
