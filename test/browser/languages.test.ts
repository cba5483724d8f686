// The languages of an agent, entered as an operator does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const { service, rest } = useService({}, { skip });
const PICTURES = process.env.LANGUAGE_PICTURES;

test('a language is added with voice, key and words; a fault is shown at its field; removed, all of it goes', {
  skip,
}, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(422);
  await signIn(window, service.apiUrl);
  const id = (await rest.must('GET', '/agents'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/agents/${id}`);
  const codes = page.getByLabel('Additional languages');
  await codes.fill('de-DE');
  await codes.press('Enter');
  await codes.fill('es');
  await codes.press('Enter');
  const german = page.getByRole('group', { name: 'German (Germany)' });
  await german.getByLabel('Voice').selectOption('flite-rms');
  await german.getByLabel('Key').selectOption('2');
  await german.getByLabel('Names and terms').fill('Wurzelbehandlung');
  await german.getByLabel('Names and terms').press('Enter');
  const spanish = page.getByRole('group', { name: 'Spanish' });
  await spanish.getByLabel('Key').selectOption('2');
  await page.getByLabel('Key that leads back to').selectOption('1');
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/languages.png`, fullPage: true });
  const save = page.getByRole('button', { name: 'Save' });
  const saved = page.getByText('Saved. It takes effect on the next call.');
  await save.click();
  await spanish.getByText('asks for another language already').waitFor();
  await spanish.getByLabel('Key').selectOption('3');
  await save.click();
  await saved.waitFor();
  const kept = await rest.must('GET', `/agents/${id}`);
  assert.deepEqual(kept.additionalLanguages, ['de-DE', 'es']);
  assert.deepEqual(kept.languages, [
    { language: 'de-DE', voiceId: 'flite-rms', digit: '2', keywords: ['Wurzelbehandlung'] },
    { language: 'es', digit: '3' },
    { language: kept.language, digit: '1' },
  ]);
  await page.reload();
  assert.equal(await german.getByLabel('Voice').inputValue(), 'flite-rms');
  await page.getByRole('button', { name: 'Remove de-DE' }).click();
  await save.click();
  await saved.waitFor();
  const { additionalLanguages, languages } = await rest.must('GET', `/agents/${id}`);
  assert.deepEqual(additionalLanguages, ['es']);
  assert.deepEqual(
    languages.map(({ language }) => language),
    ['es', kept.language],
  );
  await window.close();
});
