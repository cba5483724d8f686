// The pages, read in English and then in German without loading them again: of the texts that both show, all are data
// of the service or the same word in both languages.
// GERMAN_PICTURES=folder takes pictures of each, GERMAN_PAGES=calls,call opens these alone, GERMAN_PAGES=all every one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import german from '../../../api/dashboard/app/words/de/table.ts';
import { nightly } from '../../support/nightly.ts';
import { openBrowser, signIn, skip } from '../browser.ts';
import { openPage, type PageAddress, usePages } from '../pages.ts';

const { service, every } = await usePages();
const PICTURES = process.env.GERMAN_PICTURES;
const WANTED = process.env.GERMAN_PAGES?.split(',');
const WIDTHS = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** Shows what pages are built of, to whoever builds them. */
const ENGLISH = /^\/components\b/;
/** Always read; the others each night. */
const ALWAYS = ['register', 'overview', 'call', 'campaign-settings', 'costs', 'status'];
const SAME: ReadonlySet<string> = new Set(
  Object.entries(german).flatMap(([text, said]) => (text === said ? [text] : [])),
);
/** Names of vendors, of what they call their keys, of protocols. */
const NAMES: ReadonlySet<string> = new Set([
  ...['Twilio', 'Plivo', 'Account SID', 'Auth Token', 'sipgate'],
  ...['HTTP,', 'TCP', 'TLS', 'OPUS', 'P-Asserted-Identity', 'DTMF'],
]);
/** A word; an address, a page, an object and a name as in a program have none. */
const HAS_WORD = /^(?!.*(:\/\/|@|[{}_]|^www\.|\.example\b|\.md$)).*\p{L}{3}/u;
/** Names of data are shown as words: `offered_appointment` as "Offered appointment". */
const plain = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();

const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'];
const nameOf = (code: string): string => new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;

/** All texts that a person sees or hears, but for code, which is no language, and what is said to be English. */
const TEXTS = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest('code, pre, kbd, script, noscript, datalist, q, .transcript, .brand, .foot, :not(html)[lang=en]')) found.push(node.data);
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    for (const name of ['aria-label', 'title', 'placeholder']) found.push(element.getAttribute(name) ?? '');
  return found.map((text) => text.replace(/\\s+/g, ' ').trim());
})()`;

const textsOf = async (page: Page): Promise<string[]> => (await page.evaluate(TEXTS)) as string[];

/** Every text of the service's answers. */
function watchData(page: Page): Set<string> {
  // Languages are named in themselves, and the place is the browser's.
  const data = new Set(['europe/london', ...LANGUAGES.map((code) => plain(nameOf(code)))]);
  const take = (value: unknown): void => {
    if (typeof value === 'string') data.add(plain(value));
    else if (value !== null && typeof value === 'object')
      for (const [name, each] of Object.entries(value)) {
        data.add(plain(name));
        take(each);
      }
  };
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/')) response.json().then(take, () => undefined);
  });
  return data;
}

async function choose(page: Page, language: 'en' | 'de'): Promise<void> {
  await page.setViewportSize(WIDTHS.wide);
  const choices = page.locator('.sidebar .foot select').nth(1);
  if ((await choices.count()) > 0) await choices.selectOption(language);
  else {
    // Nobody is signed in, and so the sidebar is not there.
    await page.evaluate(`localStorage.setItem('voice.language', '${language}')`);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
}

async function takePictures(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const [size, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${PICTURES}/${name}-${size}-${colorScheme}.png`, fullPage: size === 'wide' });
    }
}

const isWanted = ({ name, address }: PageAddress): boolean =>
  !ENGLISH.test(address) &&
  (WANTED === undefined ? nightly === false || ALWAYS.includes(name) : WANTED.includes(name) || WANTED[0] === 'all');

const publicFirst = (one: PageAddress, other: PageAddress): number =>
  Number(other.isPublic ?? false) - Number(one.isPublic ?? false);

test('in German no page shows English', { skip, timeout: 900_000 }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  const data = watchData(page);
  const faults: string[] = [];
  await page.goto(`${service.apiUrl}/#/sign-in`);
  let isSignedIn = false;
  for (const entry of (await every()).filter(isWanted).sort(publicFirst)) {
    await choose(page, 'en');
    if (!entry.isPublic && !isSignedIn) {
      await signIn(window, service.apiUrl);
      isSignedIn = true;
    }
    await openPage(page, service, entry);
    const english = new Set(await textsOf(page));
    await choose(page, 'de');
    const known = [...data];
    for (const text of new Set(await textsOf(page))) {
      if (!english.has(text) || !HAS_WORD.test(text) || SAME.has(text) || NAMES.has(text)) continue;
      const isData = (part: string): boolean => known.some((each) => each.includes(plain(part)));
      if (!text.split(/ · |: /).every(isData)) faults.push(`${entry.name}: ${text}`);
    }
    const tooWide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (tooWide > 0) faults.push(`${entry.name}: ${tooWide} px wider than the screen`);
    await takePictures(page, entry.name);
  }
  await window.close();
  assert.deepEqual(faults, []);
});
