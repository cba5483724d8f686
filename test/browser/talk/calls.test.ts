// Calls in a real browser: talk to the demo through a microphone, hear and read the call afterwards, follow a telephone
// call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { greeted } from '../../support/conversation.ts';
import { useService } from '../../support/use-service.ts';
import { openBrowser, signIn, skip } from '../browser.ts';
import { question, questions, UNDERSTOOD_MS } from './microphone.ts';

const { service, rest } = useService({}, { skip });
const microphone = questions();

const playedSeconds = (page: Page): Promise<number> => page.evaluate(`document.querySelector('audio').currentTime`);

/** The recording plays, and a line of the transcript leads to its place in it. */
async function hearCall(page: Page, line: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await rest.eventually('the recording to play', async () => (await playedSeconds(page)) > 0.2);
  const entry = page.getByRole('list', { name: 'Transcript' }).getByRole('button', { name: line }).first();
  const [minutes, seconds] = ((await entry.textContent()) ?? '').slice(0, 6).split(':').map(Number.parseFloat);
  const saidAt = (minutes ?? 0) * 60 + (seconds ?? 0);
  assert.ok(saidAt > 1);
  await entry.click();
  await rest.eventually('the place of the line', async () => (await playedSeconds(page)) >= saidAt - 0.1);
  await page.getByRole('button', { name: 'Pause' }).click();
  const place = page.getByRole('slider', { name: 'Place in the recording' });
  await place.press('Home');
  assert.equal(await playedSeconds(page), 0);
  await place.press('ArrowRight');
  assert.equal(await playedSeconds(page), 5);
}

/**
 * No microphone, a microphone that is refused, and a page that is not secure get words that say what to do; a call that
 * cannot be placed says why.
 */
async function refusals(page: Page): Promise<void> {
  await page.goto(`${service.apiUrl}/#/talk`);
  for (const [fault, words] of [
    ['NotAllowedError', /The microphone was refused/],
    ['NotFoundError', /No microphone was found/],
  ] as const) {
    await page.evaluate(`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${fault}'))`);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await page.getByText(words).waitFor();
  }
  await page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })`);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await page.getByText(/secure pages only/).waitFor();

  await page.goto(`${service.apiUrl}/#/calls/new`);
  await page.getByLabel('Number to call').fill('12');
  await page.getByRole('button', { name: 'Call now' }).click();
  await page.getByText(/Write the number with its country code/).waitFor();
  await page.getByLabel('Number to call').fill('+44 20 7946 0017');
  await page.getByRole('button', { name: 'Call now' }).click();
  await page.getByText('There is no trunk to call through').waitFor();
}

test('a newcomer talks to the demo from the overview, and the call is kept', { skip }, async () => {
  const window = await openBrowser(service.apiUrl, { microphone });
  const { page } = window;
  const told: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(payload.toString())));
  // The recording's file may be closed a moment after the end.
  window.expectStatus(404);
  await signIn(window, service.apiUrl);
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await page.getByRole('button', { name: 'Talk to the demo' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start talking' }).click();
  await dialog
    .getByText(/what are your opening hours/i)
    .first()
    .waitFor({ timeout: UNDERSTOOD_MS });
  await dialog.getByText('Speaking', { exact: true }).waitFor();
  // The greeting was told in parts while it was spoken, and is one entry.
  assert.ok(told.some((frame) => frame.includes('"Thank you for') && !frame.includes('help you?')));
  assert.equal(await dialog.getByText(/Thank you for/).count(), 1);
  // The dialog stands inside the list of first steps, whose marks must not reach into its transcript.
  const shares = await dialog
    .locator('.transcript > li')
    .first()
    .evaluate((line) => [...line.children].map((part) => part.getBoundingClientRect().width / line.clientWidth));
  assert.ok(Math.max(...shares) > 0.7, `parts of the transcript's line, of its width: ${shares.join(', ')}`);
  await dialog.getByText(/Replies after/).waitFor();
  await dialog.getByRole('button', { name: 'Mute' }).click();
  await dialog.getByRole('button', { name: 'Muted', pressed: true }).waitFor();
  await dialog.getByRole('button', { name: 'Hang up' }).click();
  await dialog.getByRole('link', { name: 'Open the call' }).click();
  await page.getByRole('heading', { name: 'Call from a browser' }).waitFor();
  await page.getByText('call.ended').waitFor();
  await hearCall(page, /what are your opening hours/i);

  await page.goto(`${service.apiUrl}/#/`);
  await page.getByText('Calls by day', { exact: true }).waitFor();
  await page.locator('.plot svg').first().waitFor();
  await page.goto(`${service.apiUrl}/#/calls?status=FAILED`);
  await page.getByText('No call fits').waitFor();
  await page.getByRole('link', { name: 'Show all calls' }).click();
  await page.getByRole('row', { name: /Browser/ }).waitFor();
  await window.close();
});

test('the engine dies while somebody talks to it, and the dialog goes on', { skip }, async () => {
  const window = await openBrowser(service.apiUrl, { microphone });
  const { page } = window;
  // No engine, for a moment.
  window.expectStatus(0, 404, 503);
  const sockets: string[] = [];
  let path = '';
  page.on('websocket', (socket) => {
    sockets.push(socket.url());
    path = '';
    socket.on('framereceived', ({ payload }) => {
      path = /"audio":"(\w+)"/.exec(payload.toString())?.[1] ?? path;
    });
  });
  const byWebRtc = () => rest.eventually('WebRTC', async () => path === 'webrtc');
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/talk`);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await page.getByText(/Thank you for/).waitFor();
  await byWebRtc();
  await page.getByRole('button', { name: 'Mute' }).click();
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  await page.getByText('The line was lost, joining again').waitFor();
  await page.getByRole('button', { name: 'Muted', pressed: true }).waitFor();
  await page.getByText(/I lost you for a moment/).waitFor({ timeout: 60_000 });
  assert.equal(await page.getByText('The line was lost, joining again').count(), 0);
  await page.getByText(/Thank you for/).waitFor();
  await page.getByRole('button', { name: 'Muted', pressed: true }).click();
  assert.ok(sockets.length > 1);
  assert.deepEqual(new Set(sockets).size, 1);
  await byWebRtc();
  await page
    .getByText(/what are your opening hours/i)
    .first()
    .waitFor({ timeout: UNDERSTOOD_MS });
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByRole('link', { name: 'Open the call' }).click();
  await page.getByRole('heading', { name: 'Call from a browser' }).waitFor();
  await page.getByText('call.resumed').waitFor();
  await page.getByText('call.ended').waitFor();
  await window.close();
});

test('a telephone call is followed while it runs, ended, heard and erased; what cannot be done is said in words', {
  skip,
}, async () => {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  window.expectStatus(404, 422, 503);
  await signIn(window, service.apiUrl);
  const { caller, number } = await greeted(service);
  await page.goto(`${service.apiUrl}/#/live`);
  await page.getByRole('link', { name: number }).click();
  await page.getByText(/Thank you for calling/).waitFor();
  await caller.call.speak(question);
  await page.getByText(/what are your opening hours/i).waitFor();
  await page.getByText('Speaking', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End the call' }).click();
  await page.getByText('Ended on request').waitFor();
  await hearCall(page, /what are your opening hours/i);

  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByRole('button', { name: 'Erase the call' }).click();
  await page.getByText(/were erased on/).waitFor();
  await page.getByText('It has been erased.', { exact: true }).waitFor();
  assert.equal(await page.getByText(number).count(), 0);
  await refusals(page);
  await window.close();
});
