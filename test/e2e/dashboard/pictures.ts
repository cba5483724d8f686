// The pictures of README, taken from a running service:
//   node supervise.mjs run test/e2e/dashboard/pictures.ts
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startService } from '../../../bench/service.ts';
import { Rest } from '../../support/rest.ts';
import { openBrowser, signIn } from './browser.ts';
import { pagesOf, seed } from './pages.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const SHOWN = ['overview', 'call', 'agent'];

mkdirSync(FOLDER, { recursive: true });
const service = await startService();
try {
  const rest = await new Rest(service).login();
  const ids = await seed(service, rest);
  const window = await openBrowser(service.apiUrl, { width: 1200, height: 760 });
  await signIn(window, service.apiUrl);
  for (const { name, address, heading } of pagesOf(ids).filter((page) => SHOWN.includes(page.name))) {
    await window.page.goto(`${service.apiUrl}/#${address}`);
    await window.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await window.page.waitForFunction("document.querySelector('.loading') === null");
    await window.page.screenshot({ path: `${FOLDER}${name}.png` });
    process.stdout.write(`docs/pictures/${name}.png\n`);
  }
  await window.close();
} finally {
  await service.stop();
}
