// The engines of the installation, as an admin chooses, tries and saves them in a real browser.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OpenAiRealtimeServer } from '../../bench/rig/fakes/openai-realtime-server.ts';
import { FakeOpenAi, refusal } from '../support/models/fake-openai.ts';
import { skip, useWindow } from './browser.ts';

const KEY = 'sk-typed-by-hand-7788';
const model = await FakeOpenAi.start([{ type: 'text', pieces: ['We open', ' at nine.'] }]);
const { service, window } = useWindow({ TTS: 'flite' });
const speech = await new OpenAiRealtimeServer({
  apiKey: KEY,
  model: 'talks',
  script: () => ({ text: 'Nine.' }),
}).start();
after(() => Promise.all([model.stop(), speech.stop()]));

test('a dialogue model is chosen, tried and saved, and is in use; what a variable sets is disabled', {
  skip,
}, async () => {
  const { page } = window;
  await page.goto(`${service.apiUrl}/#/admin/models`);
  const dialogue = page.getByRole('form', { name: 'Dialogue' });
  await dialogue.getByLabel('Engine').selectOption('openai');
  await dialogue.getByLabel('Address of the server').fill('http://127.0.0.1:9/v1');
  await dialogue.getByLabel('API key', { exact: true }).fill(KEY);
  await dialogue.getByRole('button', { name: 'Test Dialogue' }).click();
  await dialogue.getByText(/does not work/).waitFor();
  await dialogue.getByText(/cannot be reached/).waitFor();
  await dialogue.getByLabel('Address of the server').fill(model.baseUrl);
  await dialogue.getByLabel('Model', { exact: true }).fill('small');
  await dialogue.getByRole('button', { name: 'Test Dialogue' }).click();
  await dialogue.getByText(/First word after \d+ ms, all after \d+ ms: “We open at nine\.”/).waitFor();
  await dialogue.getByRole('button', { name: 'Save Dialogue' }).click();
  await page.locator('code', { hasText: 'openai:small' }).waitFor();
  await dialogue.getByText(/A key is stored, ending in 7788/).waitFor();
  assert.equal(await dialogue.getByLabel('API key', { exact: true }).inputValue(), '');
  assert.ok(!(await page.content()).includes(KEY));

  // Its server was changed: the engine is to try again what it refused.
  await dialogue.getByRole('button', { name: 'Forget what its server refused' }).click();
  await page.getByText('What the model’s server refused is forgotten').waitFor();
  await page.locator('code', { hasText: 'openai:small' }).waitFor();

  const voice = page.getByRole('form', { name: 'Voice' });
  assert.ok(await voice.getByLabel('Engine').isDisabled());
  await voice.getByText('Set by the environment variable TTS').waitFor();

  // Another server does not get the stored key.
  await dialogue.getByLabel('Address of the server').fill('http://127.0.0.1:10/v1');
  await dialogue.getByText(/belongs to another and is not sent to it/).waitFor();
  await dialogue.getByLabel('Address of the server').fill(model.baseUrl);
});

test('the status shows what a model’s server refuses, until a button forgets it', { skip }, async () => {
  const { page } = window;
  const cold = await FakeOpenAi.start([
    ({ body }) =>
      body.temperature === undefined
        ? { type: 'text', pieces: ['We open.'] }
        : refusal('temperature is not supported by this model'),
  ]);
  await page.goto(`${service.apiUrl}/#/admin/models`);
  const dialogue = page.getByRole('form', { name: 'Dialogue' });
  await dialogue.getByLabel('Address of the server').fill(cold.baseUrl);
  await dialogue.getByLabel('API key', { exact: true }).fill(KEY);
  let show = () => {};
  const isTested = new Promise<void>((done) => {
    show = done;
  });
  await page.route('**/admin/model-settings', async (held) => {
    if (held.request().method() === 'GET') await isTested;
    await held.continue();
  });
  await dialogue.getByRole('button', { name: 'Save Dialogue' }).click();
  const test = dialogue.getByRole('button', { name: 'Test Dialogue' });
  await test.click();
  await dialogue.getByText(/First word after \d+ ms/).waitFor();
  show();
  await dialogue.getByText(/A key is stored/).waitFor();
  assert.ok(await dialogue.getByText(/First word after \d+ ms/).isVisible(), 'its result outlives the saving');
  await page.unroute('**/admin/model-settings');
  await page.goto(`${service.apiUrl}/#/admin/status`);
  const row = page.getByRole('row').filter({ hasText: new URL(cold.baseUrl).host });
  await row.filter({ hasText: 'small' }).filter({ hasText: 'temperature' }).waitFor();
  await page.getByRole('button', { name: 'Forget what its server refused' }).click();
  await row.waitFor({ state: 'detached' });
  await cold.stop();
});

test('a speech-to-speech model is tried, turned on, and turned off again', { skip }, async () => {
  const { page } = window;
  await page.goto(`${service.apiUrl}/#/admin/models`);
  const form = page.getByRole('form', { name: 'Speech to speech' });
  const card = page.locator('section', { has: form });
  await card.locator('code', { hasText: 'cascade' }).waitFor();
  const test = form.getByRole('button', { name: 'Test Speech to speech' });
  assert.ok(await test.isDisabled(), 'there is nothing to test');
  assert.equal(await form.getByLabel('Address of the server').count(), 0);

  await form.getByLabel('Engine').selectOption('openai-realtime');
  await form.getByLabel('Address of the server').fill(speech.origin);
  await form.getByLabel('Model', { exact: true }).fill('sings');
  await form.getByLabel('Voice', { exact: true }).fill('marin');
  await form.getByLabel('API key', { exact: true }).fill(KEY);
  await test.click();
  await form.getByText('openai-realtime does not work.').waitFor();
  await form.getByText(/does not know the model sings/).waitFor();
  await form.getByLabel('Model', { exact: true }).fill('talks');
  await test.click();
  await form.getByText(/First audio \d+ ms after the end of the sentence: “Nine\.”/).waitFor();
  await form.getByRole('button', { name: 'Save Speech to speech' }).click();
  await card.locator('code', { hasText: 'openai-realtime' }).waitFor();
  await card.getByText('In use').waitFor();
  await form.getByText(/A key is stored, ending in 7788/).waitFor();

  await form.getByLabel('Engine').selectOption('');
  await form.getByText(/it forgets address, model, voice and key/).waitFor();
  await form.getByRole('button', { name: 'Save Speech to speech' }).click();
  await card.locator('code', { hasText: 'cascade' }).waitFor();
  assert.equal(await form.getByLabel('API key', { exact: true }).count(), 0);
});
