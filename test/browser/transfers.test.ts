// The persons of a business and of a campaign, entered as an operator does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../bench/rig/conversation/tones.ts';
import { encodeWav } from '../../media/wav.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });
const PICTURES = process.env.TRANSFER_PICTURES;

test('a person is added to a business, with hours; a fault is shown at its field', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(422);
  await signIn(window, service.apiUrl);
  const id = (await rest.must('GET', '/businesses'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/businesses/${id}?tab=transfers`);
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Billing');
  await page.getByLabel('Number or softphone').fill('sip:nobody');
  await page.getByLabel('When to choose it').fill('Invoices and refunds');
  await page.getByLabel('Once they talk').selectOption('stay');
  await page.getByText('May be called at any hour').click();
  await page.getByRole('button', { name: 'Add a span' }).click();
  await page.getByLabel('Day').selectOption('tuesday');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/business.png`, fullPage: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('There is no softphone of this name').waitFor();
  await page.getByLabel('Number or softphone').fill('+1 (212) 555-0177');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. It takes effect on the next call.').waitFor();
  const [kept] = (await rest.must('GET', `/businesses/${id}`)).destinations;
  assert.deepEqual(kept, {
    name: 'Billing',
    description: 'Invoices and refunds',
    target: '+12125550177',
    hours: [{ day: 'tuesday', open: '09:00', close: '17:00' }],
    extensionDigits: null,
    mode: 'brief',
    accept: 'key',
    after: 'stay',
    ringSeconds: 25,
    order: 1,
  });
  await page.getByText('hear soft tones').waitFor();
  const music = (name: string, buffer: Buffer) =>
    page.getByLabel('Bring your own').setInputFiles({ name, mimeType: 'audio/wav', buffer });
  await music('song.mp3', Buffer.from('ID3'));
  await page.getByText('not a RIFF/WAVE file').waitFor();
  await music('song.wav', encodeWav({ sampleRateHz: 8_000, channels: 1 }, tone([440], 3_000)));
  await page.getByText('your music, 3 seconds').waitFor();
  await page.getByRole('button', { name: '▶ Listen' }).click();
  await page.getByRole('button', { name: '■ Stop' }).waitFor();
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/hold-music.png`, fullPage: true });
  await page.getByRole('button', { name: 'Remove' }).last().click();
  await page.getByText('hear soft tones').waitFor();
  await window.close();
});

test('a campaign has its own; nobody is asked where the call is passed on', { skip }, async () => {
  const window = await openBrowser(service.apiUrl, { width: 420 });
  const { page } = window;
  await signIn(window, service.apiUrl);
  const id = (await rest.must('GET', '/campaigns'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/campaigns/${id}?tab=settings`);
  await page.getByRole('button', { name: 'Add a person' }).click();
  const person = page.getByRole('group', { name: 'person 1' });
  await person.getByLabel('Name', { exact: true }).fill('Kim');
  await person.getByLabel('Number or softphone').fill('+12125550188');
  await person.getByLabel('How', { exact: true }).selectOption('blind');
  assert.equal(await person.getByLabel('Takes the call').inputValue(), 'none');
  if (PICTURES) await person.screenshot({ path: `${PICTURES}/campaign.png` });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. It takes effect on the next call.').waitFor();
  const [kept] = (await rest.must('GET', `/campaigns/${id}`)).destinations;
  assert.deepEqual([kept?.name, kept?.mode, kept?.accept], ['Kim', 'blind', 'none']);
  await window.close();
});
