// Test suites as somebody makes and runs them in a real browser: a case by its fields, a run, and what became of it
// after a change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip, useWindow } from './browser.ts';

const { service, rest, window } = useWindow();

test('a suite is made, run, and shows first what a change has broken', { skip }, async () => {
  const { page } = window;
  const [business] = await rest.must('GET', '/businesses');
  const [agent] = await rest.must('GET', '/agents');
  assert.ok(business && agent);
  await page.goto(`${service.apiUrl}/#/tests/new`);
  await page.getByLabel('Name', { exact: true }).fill('Front desk');
  await page.getByLabel('Agent').selectOption({ label: agent.name });
  await page.getByLabel('Business').selectOption({ label: business.name });
  await page.getByLabel('Run on every save').uncheck();
  await page.getByRole('button', { name: 'Create the suite' }).click();
  await page.getByRole('heading', { level: 1, name: 'Front desk' }).waitFor();

  await page.getByRole('button', { name: 'Add a case' }).click();
  await page.getByLabel('Name of the case').fill('Knows the hours');
  await page.getByLabel('The caller says').fill('What are your opening hours?');
  await page.getByLabel('The agent must say').fill('open\nhours');
  await page.getByLabel('It must not say').fill('closed for ever');
  await page.getByRole('button', { name: 'Save the case' }).click();
  await page.getByRole('heading', { name: 'Knows the hours' }).waitFor();
  const [suite] = await rest.must('GET', '/test-suites');
  const [made] = await rest.must('GET', `/test-suites/${suite?.id ?? ''}/cases`);
  assert.deepEqual(made?.definition.turns, [
    {
      say: 'What are your opening hours?',
      checks: [{ said: ['open', 'hours'] }, { notSaid: 'closed for ever' }],
    },
  ]);

  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('heading', { level: 1, name: 'Run of Front desk' }).waitFor();
  await page.getByText('1 of 1').waitFor();
  await page.locator('.badge', { hasText: 'Passed' }).first().waitFor();

  await page.goto(`${service.apiUrl}/#/tests/${suite?.id ?? ''}`);
  await page.getByRole('button', { name: 'Edit Knows the hours' }).click();
  await page.getByLabel('The agent must say').fill('half past three at night');
  await page.getByRole('button', { name: 'Save the case' }).click();
  await page.getByRole('heading', { name: 'Knows the hours', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('before: Passed').waitFor();
  await page.getByRole('list', { name: 'Checks' }).getByText('Found: ').waitFor();
  await page.getByRole('heading', { name: 'In the run before' }).waitFor();
  await page.getByRole('list', { name: 'Now, of Knows the hours' }).getByText('What are your opening hours?').waitFor();
});

test('a definition with tools is edited as JSON, and what is wrong in it is said', { skip }, async () => {
  const { page } = window;
  window.expectStatus(422);
  const [suite] = await rest.must('GET', '/test-suites');
  const id = suite?.id ?? '';
  const definition = { turns: [{ say: 'Hello?' }], tools: [{ name: 'find', result: 1 }], checks: [{ noTool: 'find' }] };
  await rest.must('POST', `/test-suites/${id}/cases`, { name: 'With a tool', definition });
  await page.goto(`${service.apiUrl}/#/tests/${id}?again`);
  await page.getByRole('button', { name: 'Edit With a tool' }).click();
  const json = page.getByLabel('Definition, as JSON');
  assert.deepEqual(JSON.parse(await json.inputValue()), definition);
  await json.fill('{"turns": [}');
  await page.getByRole('button', { name: 'Save the case' }).click();
  await page.locator('textarea[aria-invalid="true"]').waitFor();
  await json.fill('{"turns": [{"say": "Hello?", "checks": [{"noCutOff": true}]}]}');
  await page.getByRole('button', { name: 'Save the case' }).click();
  await page
    .getByRole('alert')
    .getByText('is about the whole conversation')
    .or(page.getByText('needs the audio'))
    .waitFor();
  await json.fill('{"turns": [{"say": "Hello there?"}], "tools": [{"name": "find"}]}');
  await page.getByRole('button', { name: 'Save the case' }).click();
  await page.getByText('Hello there?').waitFor();
});

test('a transcript is imported, and what cannot be read of it is said at its field', { skip }, async () => {
  const { page } = window;
  window.expectStatus(422);
  const [suite] = await rest.must('GET', '/test-suites');
  await page.goto(`${service.apiUrl}/#/tests/${suite?.id ?? ''}?import`);
  await page.getByRole('button', { name: 'Import a transcript' }).click();
  const dialog = page.getByRole('dialog');
  const json = dialog.getByLabel('Transcript, as JSON');
  await json.fill('[{"role": "agent"');
  await dialog.getByRole('button', { name: 'Make cases of it' }).click();
  await dialog.locator('textarea[aria-invalid="true"]').waitFor();
  await json.fill('[{"role": "robot", "text": "Hello"}]');
  await dialog.getByRole('button', { name: 'Make cases of it' }).click();
  await dialog.getByText(/must be one of/).waitFor();
  const transcript = [
    { role: 'agent', text: 'How can I help?' },
    { role: 'user', text: 'Do you cut beards?' },
  ];
  const file = { name: 'call.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(transcript)) };
  await dialog.getByLabel('File').setInputFiles(file);
  await dialog.getByLabel('Name of the cases').fill('Monday');
  await dialog.getByRole('button', { name: 'Make cases of it' }).click();
  await page.getByRole('heading', { name: 'Monday 1: Do you cut beards?' }).waitFor();
});

test('a simulation is heard on the page of its run, beside the run before', { skip }, async () => {
  const { page } = window;
  const [business] = await rest.must('GET', '/businesses');
  const [agent] = await rest.must('GET', '/agents');
  const suite = await rest.must('POST', '/test-suites', {
    ...{ name: 'By voice', businessId: business?.id ?? '', agentId: agent?.id ?? '' },
  });
  const caller = { voice: 'flite-slt', script: [{ say: 'What are your opening hours?' }] };
  const definition = { caller, checks: [{ said: 'open' }] };
  await rest.must('POST', `/test-suites/${suite.id}/cases`, { kind: 'simulation', name: 'Hours', definition });
  let runId = '';
  for (let run = 0; run < 2; run++) {
    runId = (await rest.must('POST', `/test-suites/${suite.id}/runs`, { seed: 7 })).id;
    const hasEnded = async () => (await rest.must('GET', `/test-runs/${runId}`)).endedAt !== null;
    await rest.eventually('the run ends', hasEnded, 120_000);
  }
  await page.goto(`${service.apiUrl}/#/tests/runs/${runId}`);
  await page.getByText('Listen, and read the conversation').click();
  await page.getByRole('heading', { name: 'In the run before' }).waitFor();
  await page.getByRole('slider', { name: 'Place in the recording' }).nth(1).waitFor();
  const now = page.getByRole('list', { name: 'Now, of Hours' });
  await now
    .getByRole('button', { name: /opening hours/ })
    .first()
    .click();
  await now.locator('li.current').first().waitFor();
  const played = () => page.evaluate(`[...document.querySelectorAll('audio')].map((each) => each.currentTime > 0)`);
  await rest.eventually('the place of the line', async () => JSON.stringify(await played()) === '[true,false]');
});

test('versions of an agent share the calls of a campaign', { skip }, async () => {
  const { page } = window;
  window.expectStatus(422);
  const [campaign] = await rest.must('GET', '/campaigns');
  const { id = '', agentId = '' } = campaign ?? {};
  await rest.must('PATCH', `/agents/${agentId}`, { description: 'Brief.' });
  const [newest, former] = await rest.must('GET', `/agents/${agentId}/versions`);
  await page.goto(`${service.apiUrl}/#/campaigns/${id}?tab=settings`);
  await page.getByRole('button', { name: 'Compare versions' }).click();
  const rows = ['version 1', 'version 2'].map((name) => page.getByRole('group', { name }));
  await rows[0]?.getByLabel('Version', { exact: true }).selectOption(String(former?.number));
  await rows[1]?.getByLabel('Version', { exact: true }).selectOption(String(newest?.number));
  await rows[1]?.getByLabel('Share, %').fill('30');
  await page.getByText('Together 80 %: it must be 100.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/must sum to 100/).waitFor();
  await rows[1]?.getByLabel('Share, %').fill('50');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. It takes effect on the next call.').waitFor();
  const saved = await rest.must('GET', `/campaigns/${id}`);
  assert.deepEqual(saved.split, [
    { version: former?.number, share: 50 },
    { version: newest?.number, share: 50 },
  ]);
});
