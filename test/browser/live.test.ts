// The live page in a real browser: listen to a telephone call, have something said, mute the agent, take the call over
// with the microphone, and hand it back, by keyboard too. LIVE_PICTURES names a folder for pictures of it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isTone, tone } from '../../bench/rig/conversation/tones.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { encodeWav } from '../../media/wav.ts';
import { greeted } from '../support/conversation.ts';

import { PERSON_HZ } from '../support/sip/transfers.ts';
import { useService } from '../support/use-service.ts';
import { openBrowser, signIn, skip } from './browser.ts';

const MICROPHONE_HZ = 48_000;
const microphone = join(temporaryFolder('voice-microphone'), 'tone.wav');
writeFileSync(
  microphone,
  encodeWav({ sampleRateHz: MICROPHONE_HZ, channels: 1 }, tone([PERSON_HZ], 120_000, 6_000, MICROPHONE_HZ)),
);

const { service, rest } = useService({ LLM: 'receptionist' }, { skip });

test('somebody listens on the live page, acts on the call, takes it over and hands it back', { skip }, async () => {
  const { caller, number } = await greeted(service, { record: true });
  const window = await openBrowser(service.apiUrl, { microphone });
  const { page } = window;
  const pictures = process.env.LIVE_PICTURES;
  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
  };
  // A whisper to the receptionist is refused.
  window.expectStatus(409);
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/live`);
  const listen = page.getByRole('button', { name: 'Listen in' });
  await listen.waitFor();
  await picture('live');
  await listen.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Thank you for calling/).waitFor();
  await dialog.getByLabel('Have the agent say').fill('A colleague is listening.');
  await page.keyboard.press('Enter');
  await dialog.getByText('A colleague is listening.', { exact: false }).first().waitFor();
  await picture('listening');
  await dialog.getByRole('button', { name: 'Mute the agent' }).click();
  await dialog.getByText('The agent is muted.').waitFor();
  await dialog.getByRole('button', { name: 'Let the agent speak', pressed: true }).click();
  await dialog.getByRole('button', { name: 'Mute the agent', pressed: false }).waitFor();
  await dialog.getByRole('button', { name: 'Whisper to the agent' }).click();
  await dialog.getByText(/takes no instructions/).waitFor();
  await dialog.getByRole('button', { name: 'Take over' }).click();
  await dialog.getByText('You talk to the caller, and the agent is silent.').waitFor();
  const from = caller.call.heard.length;
  await rest.eventually('the caller hears the person', async () =>
    caller.call.heard.slice(from).some((samples) => isTone(PERSON_HZ, samples)),
  );
  await picture('taken-over');
  await dialog.getByRole('button', { name: 'Hand back to the agent', pressed: true }).click();
  await dialog
    .getByText(/I'm back on the line/)
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Take over', pressed: false }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.equal(call.status, 'COMPLETED');
  await window.close();
});
