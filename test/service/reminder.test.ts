// The running service calls people before their appointments; they answer by voice, and the appointments say so.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addCampaign, addTrunk } from '../../bench/rig/service/outbound-setup.ts';
import { openRaw } from '../../db/sqlite/open.ts';
import { answers, Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { useService } from '../support/use-service.ts';

const HOUR = 3_600_000;
const QUESTION = /Will you be there\?/;

const phone = await Phone.start({ talks: true, script: answers({ afterMs: 100 }) });
after(() => phone.stop());
const { service, rest } = useService({ MAX_CALLS: '10', LLM: 'receptionist', STT: 'soundswallower', TTS: 'flite' });

/** One that was booked two days ago, by the number that called. */
function booked(id: string, phoneNumber: string, businessId: string, accountId: string, hoursAhead: number): void {
  const startsAt = Math.ceil(Date.now() / HOUR) * HOUR + hoursAhead * HOUR;
  const db = openRaw(`${service.dataDir}/voice.db`);
  db.prepare(
    `INSERT INTO appointments (id, account_id, business_id, service, starts_at, ends_at, phone, phone_proved, status, sequence, history, created_at)
     VALUES (?, ?, ?, 'Haircut', ?, ?, ?, 1, 'booked', 0, '[]', ?)`,
  ).run(id, accountId, businessId, startsAt, startsAt + HOUR, phoneNumber, Date.now() - 48 * HOUR);
  db.close();
}

const stateOf = async (id: string) => {
  const { body } = await rest.request('GET', '/appointments');
  return body.data.find((each) => each.id === id);
};

/** Says it every six seconds, as somebody does who is not heard over the greeting. */
async function answered(id: string, words: string): Promise<void> {
  const clip = await renderSpeech(words, 'flite-slt');
  const callId = await rest.eventually('the call', async () => (await stateOf(id))?.reminder?.callId);
  await rest.eventually('its question', async () => {
    const { body } = await rest.request('GET', `/calls/${callId}/transcript`);
    return (body.data ?? []).some(({ speaker, text }) => speaker === 'agent' && QUESTION.test(text));
  });
  phone.audio.speak(clip, 6 * 8_000);
}

test('a yes confirms an appointment and a wish cancels one, each in one call', { timeout: 120_000 }, async () => {
  const trunkId = await addTrunk(rest, phone.port);
  const campaign = await addCampaign(rest, trunkId, '+12025550120');
  const [business] = await rest.must('GET', '/businesses');
  const { accountId } = await rest.must('GET', '/auth/me');
  const businessId = business?.id ?? '';
  await rest.must('PUT', `/businesses/${businessId}/reminders`, { campaignId: campaign.id, hoursBefore: 24 });

  booked('apt_comes', '+12025561201', businessId, accountId, 10);
  await answered('apt_comes', "Yes, I'll be there.");
  await rest.eventually('it is confirmed', async () => (await stateOf('apt_comes'))?.reminder?.state === 'confirmed');
  phone.audio.speak(new Int16Array(0));
  await rest.eventually('the end of the call', async () =>
    (await rest.must('GET', '/calls')).every(({ endedAt }) => endedAt !== null),
  );

  booked('apt_cancels', '+12025561202', businessId, accountId, 12);
  await answered('apt_cancels', 'Please cancel it.');
  const cancelled = await rest.eventually('it is cancelled', async () => {
    const found = await stateOf('apt_cancels');
    return found?.status === 'cancelled' && found;
  });
  assert.deepEqual([cancelled.reminder?.state, cancelled.history.map(({ by }) => by)], ['cancelled', ['call']]);
  assert.deepEqual(
    phone.calls.map(({ number }) => number),
    ['+12025561201', '+12025561202'],
  );
});
