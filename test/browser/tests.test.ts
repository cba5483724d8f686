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
