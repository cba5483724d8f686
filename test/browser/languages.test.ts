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
  await german.getByLabel('Voice', { exact: true }).selectOption('flite-rms');
  await german.getByLabel('Voice of the speech-to-speech model').fill('cedar');
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
    { language: 'de-DE', voiceId: 'flite-rms', speechVoice: 'cedar', digit: '2', keywords: ['Wurzelbehandlung'] },
    { language: 'es', digit: '3' },
    { language: kept.language, digit: '1' },
  ]);
  await page.reload();
  assert.equal(await german.getByLabel('Voice', { exact: true }).inputValue(), 'flite-rms');
  assert.equal(await german.getByLabel('Voice of the speech-to-speech model').inputValue(), 'cedar');
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

test('the speech-to-speech settings of an agent are saved, shown again, and taken back', { skip }, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  await signIn(window, service.apiUrl);
  const id = (await rest.must('GET', '/agents'))[0]?.id ?? '';
  await page.goto(`${service.apiUrl}/#/agents/${id}`);
  const model = page.getByLabel('Speech-to-speech model', { exact: true });
  const voice = page.getByLabel('Its voice');
  const answers = page.getByLabel('Answer with the speech-to-speech model');
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It takes effect on the next call.').waitFor();
  };
  await model.fill('gpt-realtime-mini');
  await voice.fill('marin');
  await answers.selectOption({ label: 'No' });
  await save();
  const settings = async () => (await rest.must('GET', `/agents/${id}`)).conversation;
  const { speechModel, speechVoice, speechToSpeech } = await settings();
  assert.deepEqual([speechModel, speechVoice, speechToSpeech], ['gpt-realtime-mini', 'marin', false]);
  await page.reload();
  assert.equal(await model.inputValue(), 'gpt-realtime-mini');
  await model.fill('');
  await voice.fill('');
  await save();
  assert.deepEqual([(await settings()).speechModel, (await settings()).speechVoice], [undefined, undefined]);
  await window.close();
});
