// The page of a person: found by name, with their calls, and not called any more until it is allowed again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { callRow } from '../../bench/rig/rows/call-row.ts';
import { openDatabase } from '../../db/database.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });
const PICTURES = process.env.PEOPLE_PICTURES;

const NUMBER = '+12025550143';

async function addCall(): Promise<void> {
  const db = openDatabase(join(service.dataDir, 'voice.db'));
  const { id, accountId, agentId, businessId } = await db.selectFrom('campaigns').selectAll().executeTakeFirstOrThrow();
  const nowMs = Date.now();
  const of = { accountId, agentId, businessId, campaignId: id, fromNumber: NUMBER };
  const ended = { status: 'COMPLETED', endedAt: nowMs, durationSeconds: 30 } as const;
  await db
    .insertInto('calls')
    .values(callRow({ ...of, ...ended, createdAt: nowMs - 30_000 }))
    .execute();
  await db.destroy();
}

test('a person is found by name, with calls and campaigns, and is called only as long as they may be', {
  skip,
}, async () => {
  const [campaign] = await rest.must('GET', '/campaigns');
  await rest.must('POST', `/campaigns/${campaign?.id}/contacts`, {
    contacts: [{ phoneNumber: NUMBER, name: 'Jamie <b>Rivera</b>' }],
  });
  await addCall();
  const window = await openBrowser(service.apiUrl, { width: 1440 });
  const { page } = window;
  // The call has no recording.
  window.expectStatus(404);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/calls`);
  await page.locator('main table a').first().click();
  await page.locator('dl').getByRole('link', { name: NUMBER }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'Jamie <b>Rivera</b>' });
  await heading.waitFor();
  await page.getByText(NUMBER, { exact: true }).first().waitFor();
  await page
    .getByRole('link', { name: campaign?.name ?? '' })
    .first()
    .waitFor();
  const calls = page.getByRole('table', { name: 'Calls' }).locator('tbody tr');
  await calls.first().waitFor();
  assert.equal(await calls.count(), 1);
  await page.getByRole('button', { name: 'Do not call' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Do not call' }).click();
  await page.getByText(/Not called since/).waitFor();
  assert.deepEqual(
    (await rest.must('GET', '/do-not-call')).map(({ phoneNumber, source }) => [phoneNumber, source]),
    [[NUMBER, 'api']],
  );
  if (PICTURES)
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `${PICTURES}/person-${width}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Allow calls again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take it off the list' }).click();
  await page.getByText(/Not called since/).waitFor({ state: 'detached' });
  assert.deepEqual(await rest.must('GET', '/do-not-call'), []);
  await page.getByRole('link', { name: 'Place a call' }).click();
  assert.match(page.url(), /#\/calls\/new\?to=/);
  await window.close();
});
