// An owner connects calendars of Google and Microsoft: by a window and by a code, and again once access was withdrawn.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { FakeAccounts } from '../support/calendars/fake-accounts.ts';
import { openBrowser, signIn, skip, type Window } from './browser.ts';

const PICTURES = process.env.CALENDAR_PICTURES;
const fakes = new FakeAccounts();
let service: Service;
let window: Window;

before(async () => {
  if (skip) return;
  await fakes.listen();
  service = await startService({
    ...{ CALENDAR_API_BASE: fakes.url, GOOGLE_CLIENT_ID: 'google-id', GOOGLE_CLIENT_SECRET: 'google-secret' },
    MICROSOFT_CLIENT_ID: 'microsoft-id',
  });
  window = await openBrowser(service.apiUrl, { width: 1440, otherOrigin: 'https://accounts.google.com' });
  await signIn(window, service.apiUrl);
});
after(async () => {
  await window?.close();
  await service?.stop();
  await fakes.close();
});

async function picture(name: string): Promise<void> {
  if (!PICTURES) return;
  const { page } = window;
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('calendars of Google and Microsoft are connected, and opened again after their access was withdrawn', {
  skip,
}, async () => {
  const { page, context } = window;
  // Google’s page: somebody consents, and is sent back.
  await context.route('https://accounts.google.com/**', async (route) => {
    const { state, code, redirectUri } = fakes.google.consent(route.request().url());
    const location = `${redirectUri}?${new URLSearchParams({ state, code })}`;
    await route.fulfill({
      status: 200,
      contentType: 'text/html',
      body: `<script>location.replace('${location}')</script>`,
    });
  });
  const rest = new Rest(service);
  const id = (await rest.must('GET', '/businesses'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/businesses/${id}?tab=appointments`);
  await page.getByLabel('What it is').selectOption('google');
  await page.getByRole('button', { name: 'Sign in to Google' }).click();
  await page.getByText('Signed in to Google').waitFor();
  await page.getByLabel('Calendar', { exact: true }).selectOption({ label: 'Anna' });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('anna@example.com').waitFor();

  await page.getByLabel('What it is').selectOption('microsoft');
  await page.getByRole('button', { name: 'Sign in to Microsoft' }).click();
  await page.getByText('FJPVCJS9V').waitFor();
  await picture('code');
  fakes.microsoft.person = 'agreed';
  await page.getByText('Signed in to Microsoft').waitFor();
  await page.getByLabel('Calendar', { exact: true }).selectOption({ label: 'Team (read only)' });
  assert.equal(await page.getByLabel('Write appointments there').count(), 0);
  await page.getByLabel('Calendar', { exact: true }).selectOption({ label: 'Calendar' });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('ben@example.com').waitFor();

  fakes.microsoft.isGranted = false;
  await page.getByRole('button', { name: 'Read Calendar now' }).click();
  await page
    .getByText(/does not let us in any more/)
    .first()
    .waitFor();
  await picture('refused');
  await page.getByRole('button', { name: 'Sign in again: Calendar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign in to Microsoft' }).click();
  await dialog.getByText('FJPVCJS9V').waitFor();
  fakes.microsoft.person = 'agreed';
  await dialog.getByText('Signed in to Microsoft').waitFor();
  await dialog.getByRole('button', { name: 'Open it again' }).click();
  await page.getByText('Read Calendar', { exact: true }).waitFor();
  const calendars = await rest.must('GET', `/businesses/${id}/calendars`);
  assert.deepEqual(
    calendars.map(({ kind, state }) => `${kind} ${state}`),
    ['google ok', 'microsoft ok'],
  );
  assert.deepEqual(fakes.faults, []);
});
