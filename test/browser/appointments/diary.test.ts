// An owner's diary: a week with the times that are free, one appointment made by hand, moved, cancelled, and one after
// hours; on a telephone the same days as a list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { WEEKDAYS } from '../../../db/domain/hours/weekdays.ts';
import { useService } from '../../support/use-service.ts';
import { openBrowser, signIn, skip, type Window } from '../browser.ts';

const { service, rest } = useService({}, { skip });
const PICTURES = process.env.DIARY_PICTURES;
const ZONE = 'Europe/Berlin';
const TOMORROW = new Date(Date.now() + DAY_MS).toLocaleDateString('sv-SE', { timeZone: ZONE });

const button = ({ page }: Window, name: string | RegExp) => page.getByRole('button', { name });
const booked = async () => (await rest.request('GET', '/appointments')).body.data;

async function setUp(): Promise<void> {
  const id = (await rest.must('GET', '/businesses'))[0]?.id ?? '';
  await rest.must('PATCH', `/businesses/${id}`, {
    timezone: ZONE,
    hours: WEEKDAYS.map((day) => ({ day, open: '09:00', close: '17:00' })),
    services: [
      { name: 'Haircut', duration: 60 },
      { name: 'Beard', duration: 30 },
    ],
    resources: [{ name: 'Anna' }, { name: 'Ben' }],
    appointmentTexts: {},
  });
}

test('an appointment is made by hand in the diary, moved and cancelled there', { skip }, async () => {
  await setUp();
  const window = await openBrowser(service.apiUrl, { width: 1440 });
  const { page } = window;
  window.expectStatus(409);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/appointments`);
  await button(window, 'Book an appointment').click();
  await page.getByLabel('Begins at').fill(`${TOMORROW}T10:00`);
  await button(window, /^10:00/).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Ada Rivera');
  await page.getByLabel('Phone number').fill('+1 415 555 2671');
  await page.getByLabel('Tell them by text').uncheck();
  await button(window, 'Book it').click();
  await button(window, /10:00.*11:00.*Ada Rivera.*Haircut · Anna/).waitFor();
  const [made] = await booked();
  assert.deepEqual([made?.phone, made?.callId, made?.resource], ['+14155552671', null, 'Anna']);

  await button(window, /Ada Rivera/).click();
  await button(window, 'Move').click();
  await page.getByLabel('With whom').last().selectOption('Ben');
  await button(window, /^14:00/).click();
  await button(window, 'Move it').click();
  await button(window, /14:00.*15:00.*Ada Rivera.*Haircut · Ben/).waitFor();

  await button(window, 'Book an appointment').click();
  await page.getByLabel('Begins at').fill(`${TOMORROW}T20:00`);
  await page.getByLabel('What for').selectOption('Beard');
  await page.getByLabel('Name', { exact: true }).fill('Late Guest');
  await button(window, 'Book it').click();
  await page.getByLabel('Book it outside of the opening hours').check();
  await button(window, 'Book it').click();
  await button(window, /20:00.*20:30.*Late Guest/).waitFor();
  if (PICTURES !== undefined) await pictures(window, PICTURES);

  await button(window, /Ada Rivera/).click();
  await button(window, 'Cancel the appointment').click();
  await button(window, 'Cancel the appointment').last().click();
  await button(window, /Ada Rivera.*Cancelled/).waitFor();
  assert.equal((await booked()).find(({ name }) => name === 'Ada Rivera')?.status, 'cancelled');
  await window.close();
});

/** For people to look at: DIARY_PICTURES=/tmp/pictures npm test -- browser/appointments */
async function pictures({ page }: Window, folder: string): Promise<void> {
  for (const language of ['en', 'de'])
    for (const theme of ['light', 'dark'])
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(
          `localStorage.setItem('voice.language', '${language}'); localStorage.setItem('voice.theme', '${theme}'); document.documentElement.dataset.theme = '${theme}'`,
        );
        await page.reload();
        await page.getByText('Ada Rivera').waitFor();
        await page.screenshot({ path: `${folder}/diary-${language}-${theme}-${width}.png`, fullPage: true });
        await page.getByRole('button', { name: language === 'de' ? 'Termin buchen' : 'Book an appointment' }).click();
        await page
          .getByRole('button', { name: /^1[0-9]:00/ })
          .first()
          .waitFor();
        await page.getByRole('dialog').getByRole('textbox').nth(2).fill('+49 30 5550 1770');
        await page.screenshot({ path: `${folder}/booking-${language}-${theme}-${width}.png` });
      }
  await page.evaluate(`localStorage.setItem('voice.language', 'en')`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.getByText('Ada Rivera').waitFor();
}
