// The page of a call as somebody uses it who wants to know what went wrong: waits and where they came from, a line that
// is marked and found again, a test made of the call, the keys of the player, and a call of thousands of lines.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../db/database.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../support/conversation.ts';
import { skip, useWindow } from './browser.ts';

const PICTURE = process.env.CALL_PICTURE;
let callId = '';
const { service, rest, window } = useWindow({}, async () => {
  const { caller, number } = await greeted(service);
  await say(caller, await renderSpeech('What are your opening hours?', 'flite-slt'));
  await caller.hangUp();
  callId = (await rest.endedCall(number)).id;
});
const open = async (id: string) => {
  await window.page.goto(`${service.apiUrl}/#/calls/${id}`);
  await window.page.getByRole('list', { name: 'Transcript' }).waitFor();
};
const seconds = (): Promise<number> => window.page.evaluate(`document.querySelector('audio').currentTime`);

/** A call like the one that was made, with an answer that was measured: a busy machine measures none in some. */
async function measuredCall(): Promise<string> {
  const id = `call_${'0'.repeat(26)}`;
  const db = openDatabase(join(service.dataDir, 'voice.db'));
  const call = await db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
  // The record that is kept beside the row is made anew.
  const row = Object.fromEntries(Object.entries(call).filter(([name]) => name !== 'recordJson')) as CallTable;
  const transcript = [
    { speaker: 'caller', text: 'When do you open?', timestamp: 6_784 },
    { speaker: 'agent', text: 'At nine.', timestamp: 9_100 },
  ];
  const turn = {
    ...{ speechEndAtMs: 7_900, recognisedAtMs: 8_200, askedAtMs: 8_210, turnEndAtMs: 8_300, firstTokenAtMs: 8_900 },
    ...{ firstClauseAtMs: 8_950, firstAudioAtMs: 9_090, firstPacketAtMs: 9_126 },
    ...{ guessed: false, gapMs: 1_226, measuredOn: 'line', unrecordedMs: 0 },
  };
  const latency = JSON.stringify({ turns: 1, p50Ms: 1_226, p95Ms: 1_226 });
  await db
    .insertInto('calls')
    .values({ ...row, id, transcript: JSON.stringify(transcript), latency })
    .execute();
  const data = JSON.stringify({ turns: [turn], bargeIns: [], speech: null });
  await db.insertInto('callTimelines').values({ callId: id, accountId: row.accountId, data }).execute();
  await db.destroy();
  return id;
}

test('an answer says how long it took, and where the time went while it has the focus', { skip }, async () => {
  const { page } = window;
  // The recording's file may be closed a moment after the end.
  window.expectStatus(404);
  await open(await measuredCall());
  const chip = page.getByRole('button', { name: /^Answered after 1,226 ms, slow: Recogniser 300 ms/ });
  await chip.first().focus();
  await page.locator('.gap-split:popover-open').getByText('Recogniser').waitFor();
  if (PICTURE !== undefined) await page.screenshot({ path: PICTURE, fullPage: true });
  await page.keyboard.press('Escape');
  await page.locator('.gap-split:popover-open').waitFor({ state: 'detached' });
  await chip.first().hover();
  await page.locator('.gap-split:popover-open').waitFor();
  await open(callId);
});

test('space plays and pauses, j goes to the next line', { skip }, async () => {
  const { page } = window;
  await page.locator('.transcript-line:enabled').first().waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.locator('.transcript-line').first().focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.keyboard.press('j');
  await rest.eventually('the second line', async () => (await seconds()) > 3);
  await page.locator('.transcript li.current.caller').waitFor();
  await page.keyboard.press('Space');
});

test('a line is marked as wrong, is found by it, and is taken back', { skip }, async () => {
  const { page } = window;
  const line = page
    .getByRole('list', { name: 'Transcript' })
    .getByRole('listitem')
    .filter({ hasText: 'opening hours' });
  await line
    .first()
    .getByRole('button', { name: /^What was wrong at/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'What was wrong?' });
  await dialog.getByRole('radio', { name: /^Interrupted/ }).check();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('<b>She</b> was not done');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await line.first().getByText('<b>She</b> was not done').waitFor();
  await page.goto(`${service.apiUrl}/#/calls?problem=misheard`);
  await page.getByText('No call fits').waitFor();
  await page.getByRole('button', { name: 'Take away the filter Wrong: Misheard' }).click();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Wrong').selectOption('Anything');
  await page.getByRole('table', { name: 'Calls' }).getByRole('link').first().click();
  await line.first().getByText('Interrupted').waitFor();
});

test('the call becomes a test that asks for what was wrong', { skip }, async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Make a test of it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a test of it' });
  assert.ok(await dialog.getByLabel('Nobody is cut off').isChecked());
  await dialog.getByLabel('The agent must say').fill('open');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Calls of callers' }).waitFor();
  const [suite] = await rest.must('GET', '/test-suites');
  const [made] = await rest.must('GET', `/test-suites/${suite?.id ?? ''}/cases`);
  assert.deepEqual(made?.definition.checks, [{ said: 'open' }, { noCutOff: true }]);

  await open(callId);
  await page
    .getByRole('button', { name: /^What was wrong at/ })
    .nth(1)
    .click();
  await page.getByRole('button', { name: 'Nothing was wrong' }).click();
  await page.getByText('was not done').waitFor({ state: 'detached' });
});

test('a call of two hours is read, and its lines are marked, like any other', { skip }, async () => {
  const { page } = window;
  const db = openDatabase(join(service.dataDir, 'voice.db'));
  const transcript = Array.from({ length: 3_000 }, (_, index) => ({
    speaker: index % 2 === 0 ? 'agent' : 'caller',
    text: `Sentence ${index} of a long talk`,
    timestamp: index * 2_400,
  }));
  await db
    .updateTable('calls')
    .set({ transcript: JSON.stringify(transcript) })
    .where('id', '=', callId)
    .execute();
  await db.destroy();
  await page.reload();
  await page.getByText('Sentence 2999').waitFor({ state: 'attached' });
  const last = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem').last();
  await last.getByRole('button', { name: /^What was wrong at/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await last.getByText('Misheard').waitFor();
});
