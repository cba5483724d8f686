// The wizard over all saved sites in Chromium, by a stop-watch: from the address of a site to an agent and a greeting,
// at the pace of the machine. It prints what each took, and what was found.
//   node supervise.mjs run test/nightly/wizard.ts [NAME]
import { loadavg } from 'node:os';
import { Rest } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { openBrowser, signIn } from '../browser/browser.ts';
import { type SavedSite, savedSites, serveSite } from '../support/sites.ts';

const only = process.argv[2];
const service = await startService({ WEBHOOK_ALLOW_PRIVATE: '1' });
const rest = await new Rest(service).login();
const window = await openBrowser(service.apiUrl);
const { page } = window;
const seconds = (fromMs: number): string => ((performance.now() - fromMs) / 1_000).toFixed(1);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function goThrough(site: SavedSite): Promise<string> {
  await rest.request('PATCH', '/account', { setup: null });
  const { url, close } = await serveSite(site);
  try {
    await page.goto(`${service.apiUrl}/#/start`);
    await page.reload();
    const startMs = performance.now();
    await page.getByLabel('Its address').fill(url);
    await press('Read my web site');
    await page.getByText(/pages? (?:was|were) read/).waitFor();
    const readS = seconds(startMs);
    const trade = page.getByLabel('Trade');
    if ((await trade.inputValue()) === '') await trade.fill('shop');
    await press('Yes, that is right');
    await page.getByLabel('Language').selectOption('en');
    await press('This voice it is');
    const greeting = await page.getByText(/It will begin with/).innerText();
    await press('It is good so');
    await press('Later');
    await page.getByRole('heading', { name: 'Ready so far' }).waitFor();
    return `${site.name}: read after ${readS} s, done after ${seconds(startMs)} s; ${greeting}`;
  } finally {
    close();
  }
}

try {
  await signIn(window, service.apiUrl);
  for (const site of savedSites().filter(({ name }) => only === undefined || name === only))
    process.stdout.write(`${await goThrough(site)} (load ${loadavg()[0]?.toFixed(1)})\n`);
  await window.close();
} finally {
  await service.stop();
}
