// The pictures of README and docs, taken from a running service:
//   node supervise.mjs run test/browser/pictures.ts
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startReceiver, TEST_AUTHORITY } from '../../bench/rig/service/receiver.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { openBrowser, signIn } from './browser.ts';
import { pagesOf, seed } from './pages.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const SHOWN = ['overview', 'call'];

mkdirSync(FOLDER, { recursive: true });
const receiver = await startReceiver();
receiver.behave('/hooks', (response) => response.end('{"received":true}'));
const service = await startService({ WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY });
try {
  const rest = await new Rest(service).login();
  const ids = await seed(service, rest, receiver.url('/hooks'));
  const window = await openBrowser(service.apiUrl, { width: 1200, height: 760 });
  await signIn(window, service.apiUrl);
  for (const { name, address, heading } of pagesOf(ids).filter((page) => SHOWN.includes(page.name))) {
    await window.page.goto(`${service.apiUrl}/#${address}`);
    await window.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await window.page.locator('.loading').first().waitFor({ state: 'detached' });
    await window.page.screenshot({ path: `${FOLDER}${name}.png` });
    process.stdout.write(`docs/pictures/${name}.png\n`);
  }
  await window.close();
} finally {
  await service.stop();
  await receiver.close();
}
