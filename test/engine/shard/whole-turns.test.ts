// A caller who goes on after a pause, on a hosted call: what the recogniser is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import type { SttRequest } from '../../../models/stt/stt.ts';
import { tone } from '../../media/signals.ts';
import { hostCall } from './hosted-stage.ts';
import { openCall } from './open-call.ts';

/** Milliseconds of sound in each utterance of a caller who says two things, with half a second between. */
async function soundOf(hearsTurns: boolean): Promise<number[]> {
  const stage = hostCall(openCall({ callId: 'whole' }, { hearsTurns, silenceThresholdMs: 900 }));
  const { call, hear, requests } = stage;
  const sentMs = new Map<number, number>();
  let finished = 0;
  requests.stt.on('message', (request: SttRequest) => {
    if (request.type === 'audio')
      sentMs.set(request.utterance, (sentMs.get(request.utterance) ?? 0) + request.samples.length / 16);
    if (request.type === 'finish') finished++;
  });
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: 'whole', epoch: 1 });
  hear(tone(300, 16_000, 1_000, 0.3));
  hear(new Int16Array(16_000 * 0.5));
  call.answers.sttFinal(1, { text: 'i would like to', confidence: 1, understood: true });
  hear(tone(300, 16_000, 600, 0.3));
  hear(new Int16Array(16_000 * 0.5));
  await eventually(() => finished === 2);
  call.end();
  stage.stop();
  return [...sentMs.values()];
}

test('a recogniser of whole turns is sent the first words again, and the pause; another one the last words alone', async () => {
  const [first = 0, whole = 0] = await soundOf(true);
  const [sameFirst = 0, last = 0] = await soundOf(false);
  assert.equal(first, sameFirst);
  assert.ok(first >= 1_000 && first < 1_400, `${first}`);
  assert.ok(whole >= 2_100 && whole < 2_600, `${whole}`);
  assert.ok(last >= 600 && last < 1_200, `${last}`);
});
