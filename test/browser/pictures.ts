// The pictures of README and docs, taken from a running service:
//   node supervise.mjs run test/browser/pictures.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startReceiver, TEST_AUTHORITY } from '../../bench/rig/service/receiver.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { openDatabase } from '../../db/database.ts';
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../support/conversation.ts';
import { savedSites, serveSite } from '../support/sites.ts';
import { openBrowser, signIn } from './browser.ts';
import { seed } from './pages.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const SENTENCES = ['What are your opening hours?', 'How much is a haircut?', 'I would like to book an appointment.'];
const DAYS = 14;
const CALLS = 300;

/** A caller with several questions; the call's id. */
async function conversation(service: Service, rest: Rest): Promise<string> {
  const { caller, number } = await greeted(service);
  for (const sentence of SENTENCES) await say(caller, await renderSpeech(sentence, 'flite-slt'));
  await caller.hangUp();
  return (await rest.endedCall(number)).id;
}

/** Calls of a fortnight, like the one that was made: how they are spread is the same in each picture. */
async function fortnight(service: Service, like: string): Promise<void> {
  const db = openDatabase(join(service.dataDir, 'voice.db'));
  const call = await db.selectFrom('calls').selectAll().where('id', '=', like).executeTakeFirstOrThrow();
  // The record that is kept beside the row is made anew.
  const row = Object.fromEntries(Object.entries(call).filter(([name]) => name !== 'recordJson')) as CallTable;
  let state = 7;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let index = 0; index < CALLS; index++) {
    const hour = 7 + (random() + random()) * 6;
    const startedAt = Math.round(today - (1 + Math.floor(random() * DAYS)) * DAY_MS + hour * 3_600_000);
    const isMissed = random() < 0.12;
    const seconds = isMissed ? 0 : Math.round(15 + random() ** 2 * 300);
    const p50Ms = 340 + Math.round(random() ** 3 * 700);
    const changed: Partial<CallTable> = {
      id: `call_${String(index).padStart(26, '0')}`,
      fromNumber: `+44207946${String(1_000 + index)}`,
      startedAt,
      createdAt: startedAt,
      answeredAt: isMissed ? null : startedAt,
      endedAt: startedAt + seconds * 1_000,
      durationSeconds: seconds,
      latency: isMissed ? null : JSON.stringify({ turns: 3, p50Ms, p95Ms: p50Ms + 200 }),
      ...(isMissed ? ({ status: 'FAILED', outcome: 'no_answer', endReason: 'no_answer' } as const) : {}),
    };
    await db
      .insertInto('calls')
      .values({ ...row, ...changed })
      .execute();
  }
  await db.destroy();
}

async function take(page: Page, name: string): Promise<void> {
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  // Half as large as a PNG; Playwright itself does not offer it.
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  writeFileSync(`${FOLDER}${name}.webp`, Buffer.from(data, 'base64'));
  process.stdout.write(`docs/pictures/${name}.webp\n`);
}

mkdirSync(FOLDER, { recursive: true });
const receiver = await startReceiver();
receiver.behave('/hooks', (response) => response.end('{"received":true}'));
const [saved] = savedSites().filter(({ name }) => name === 'en-dentist-jsonld');
if (saved === undefined) throw new Error('the site that the wizard reads is gone');
const site = await serveSite(saved);
const service = await startService({ WEBHOOK_ALLOW_PRIVATE: '1', NODE_EXTRA_CA_CERTS: TEST_AUTHORITY });
try {
  const rest = await new Rest(service).login();
  const { trunkId } = await seed(service, rest, receiver.url('/hooks'));
  // Nobody answers there: a warning about it would head the first page.
  await rest.must('DELETE', `/admin/trunks/${trunkId}`);
  const callId = await conversation(service, rest);
  await fortnight(service, callId);
  const window = await openBrowser(service.apiUrl, { width: 1200, height: 760 });
  const { page } = window;
  // Its file may be closed a moment after the end.
  window.expectStatus(404);
  await signIn(window, service.apiUrl);
  await page.getByRole('button', { name: 'Do not show again' }).click();
  await page.getByText('When people call').waitFor();
  await take(page, 'overview');
  await page.goto(`${service.apiUrl}/#/calls/${callId}`);
  const chip = page.getByRole('button', { name: /^Answered after/ });
  await chip.first().waitFor();
  await page.locator('.transcript-line:enabled').first().waitFor();
  await chip.first().hover();
  await take(page, 'call');
  await page.goto(`${service.apiUrl}/#/start`);
  await page.getByLabel('Its address').fill(site.url);
  await page.getByRole('button', { name: 'Read my web site' }).click();
  await page.getByText(/pages? (?:was|were) read/).waitFor();
  await take(page, 'start');
  await window.close();
} finally {
  await service.stop();
  await receiver.close();
  site.close();
}
