// Between the groups of a number the caller hears a word in the agent's voice, never over their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../media/signals.ts';
import { hostCall } from './hosted-stage.ts';
import { openCall } from './open-call.ts';

const CALL = 'groups';
/** 16 kHz */
const silence = (ms: number) => new Int16Array(16 * ms);
const voice = (ms: number) => tone(300, 16_000, ms, 0.3);

/** A caller who has given one group; the word that acknowledges it is asked for, and lasts 600 ms. */
function oneGroup() {
  const turn = { groupAcknowledgement: 'word', endpointing: 'adaptive', language: 'de-DE' } as const;
  const stage = hostCall(
    openCall(
      {
        callId: CALL,
        vocabulary: { language: 'de-DE', businessName: 'Test', services: [], questions: [], phrases: [] },
      },
      turn,
    ),
  );
  const { call, hear } = stage;
  const asked: string[] = [];
  stage.requests.tts.on('message', (message: { type: string; text?: string }) => {
    if (message.text !== undefined) asked.push(message.text);
  });
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: CALL, epoch: 1 });
  call.command({ type: 'expects', callId: CALL, expects: 'digits', digitCount: null });
  hear(voice(900));
  hear(silence(360));
  call.answers.sttPartial(1, 'drei eins acht');
  hear(silence(500));
  call.answers.speech({ epoch: 0, index: 1 }, tone(200, 16_000, 600, 0.3), true);
  return { ...stage, asked };
}

test('the word is heard in the silence, and belongs to no reply', async () => {
  const { hear, spokeAtMs, lastSaidAtMs, events, asked, call, stop } = oneGroup();
  hear(silence(800));
  const [first] = spokeAtMs;
  assert.ok(first !== undefined && first - lastSaidAtMs() <= 900, 'within 0.9 s of the last digit');
  assert.ok(!events.some((event) => event.type === 'reply-wanted' && event.cause.kind === 'turn'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked.slice(-1), ['Ja.']);
  call.end();
  stop();
});

test('it stops with the caller’s next sound', () => {
  const { hear, spokeAtMs, lastSaidAtMs, call, clock, stop } = oneGroup();
  hear(silence(100));
  const fromMs = clock.monotonicMs();
  hear(voice(600));
  assert.ok(spokeAtMs.length > 0);
  const overMs = (spokeAtMs.at(-1) ?? 0) - fromMs;
  assert.ok(overMs <= 120, `it goes on for ${overMs} ms`);
  assert.ok(lastSaidAtMs() > fromMs);
  call.end();
  stop();
});
