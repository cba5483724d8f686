// An owner names the staff, connects calendars, sees what is wrong with one, and takes the address of their own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CalendarServer } from '../support/api/calendar-server.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({ WEBHOOK_ALLOW_PRIVATE: '1' }, { skip });
const PICTURES = process.env.CALENDAR_PICTURES;

let server: CalendarServer;
before(async () => {
  server = await new CalendarServer().listen();
  server.file = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
});
after(() => server.close());

test('staff are named, calendars connected, read and taken out, and the feed is made', { skip }, async () => {
  const window = await openBrowser(service.apiUrl, { width: 1440 });
  const { page } = window;
  window.expectStatus(422);
  await signIn(window, service.apiUrl);
  const id = (await rest.must('GET', '/businesses'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/businesses/${id}?tab=appointments`);
  await page.getByText('appointments are booked in our own book alone').waitFor();
  await page.getByRole('button', { name: 'Add one' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Anna');
  await page.getByText('Works whenever the business is open').click();
  await page.getByRole('button', { name: 'Add a span' }).click();
  await page.getByText('Confirm what was booked on a call').click();
  await page.getByLabel('Reminder').selectOption('24');
  await page.getByLabel('Minutes between two appointments').fill('10');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  const { resources, bufferMinutes, appointmentTexts } = await rest.must('GET', `/businesses/${id}`);
  assert.deepEqual(
    [resources, bufferMinutes],
    [[{ name: 'Anna', aliases: [], hours: [{ day: 'monday', open: '09:00', close: '17:00' }] }], 10],
  );
  assert.deepEqual(appointmentTexts, { confirm: true, changes: false, remindHoursBefore: 24 });

  // No application at Google or Microsoft is set up here: what works comes first, and the others say what is missing.
  assert.equal(await page.getByLabel('What it is').inputValue(), 'caldav');
  await page.getByLabel('What it is').selectOption('google');
  await page.getByText('Nobody can sign in to Google yet').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sign in to Google' }).count(), 0);
  await page.getByLabel('What it is').selectOption('ics');
  await page.getByLabel('Secret address in iCal format').fill(`${server.origin}/nothing.ics`);
  await page.getByLabel('Whose it is').selectOption('Anna');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText(/does not let us in/).waitFor();
  await page.getByLabel('Secret address in iCal format').fill(`${server.origin}/file.ics`);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('cell', { name: 'Anna' }).waitFor();

  await page.getByLabel('What it is').selectOption('caldav');
  await page.getByLabel('Address of the server').fill(server.origin);
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('App password').fill('secret');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('Read and written', { exact: true }).waitFor();
  server.password = 'another';
  await page.getByRole('button', { name: 'Read Work now' }).click();
  await page.getByText('You have to mend it').waitFor();
  await page
    .getByText(/check the user name and password/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'New password: Work' }).click();
  await page.getByLabel('New app password').fill('another');
  await page.getByRole('button', { name: 'Open it again' }).click();
  await page.getByText('Read Work', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Make the address' }).click();
  const address = (await page.locator('.secret code').textContent()) ?? '';
  assert.match(await (await fetch(address)).text(), /^BEGIN:VCALENDAR/);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!PICTURES) continue;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${PICTURES}/calendars-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.getByLabel('Who calls').selectOption({ index: 1 });
  await page.getByLabel('At', { exact: true }).fill('16:30');
  await page.getByRole('button', { name: 'Set the reminders' }).click();
  await page.getByText('The reminders are set').waitFor();
  assert.equal((await rest.must('GET', `/businesses/${id}/reminders`)).dayBeforeAt, '16:30');
  await page.getByRole('button', { name: 'Take it back' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Took the address back').waitFor();
  assert.equal((await fetch(address)).status, 404);
  await page.getByRole('button', { name: 'Take Work out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take it out' }).click();
  await page.getByText('Took Work out').waitFor();
  assert.equal((await rest.must('GET', `/businesses/${id}/calendars`)).length, 1);
  await window.close();
});
