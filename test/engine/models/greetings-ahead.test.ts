import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { comesToRest, eventually } from '../../../bench/rig/eventually.ts';
import { GreetingsAhead } from '../../../engine/models/greetings-ahead.ts';
import type { SpeechRequest, TtsRequest } from '../../../models/tts/tts.ts';

function stage() {
  const clock = new VirtualClock();
  const state = { texts: ['Hello.'], isBusy: false, voice: 'sherpa:one' };
  const rendered: string[] = [];
  const near: MessagePort[] = [];
  const ahead = new GreetingsAhead({
    read: async () =>
      state.texts.map((text): SpeechRequest => ({ text, voiceId: 'v', speed: 1, sampleRateHz: 8_000, language: 'en' })),
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      port2.on('message', (request: TtsRequest) => {
        if (request.type !== 'speak') return;
        rendered.push(request.text);
        port2.postMessage({ type: 'audio', id: request.id, samples: new Int16Array(0), last: true });
      });
      near.push(port1);
      return [port1];
    },
    voice: () => state.voice,
    isBusy: () => state.isBusy,
    clock,
    onError: (error) => assert.fail(String(error)),
  });
  const refresh = async (): Promise<void> => {
    await ahead.refresh();
    await comesToRest();
    clock.advance(2_000);
    await comesToRest();
  };
  return { clock, state, rendered, refresh };
}

test('a greeting is made before anybody calls, and again only when it or the voice changes', async () => {
  const { state, rendered, refresh } = stage();
  await refresh();
  assert.deepEqual(rendered, ['Hello.']);
  await refresh();
  assert.deepEqual(rendered, ['Hello.']);
  state.texts = ['Hello.', 'Good day.'];
  await refresh();
  assert.deepEqual(rendered, ['Hello.', 'Good day.']);
  state.voice = 'sherpa:two';
  await refresh();
  assert.equal(rendered.length, 4);
});

test('a sentence that several agents share is made once, and so many that calls keep room in the cache', async () => {
  const { state, rendered, refresh } = stage();
  state.texts = ['Hello.', 'Yes?', 'Good day.', 'Yes?', 'Hello.'];
  await refresh();
  assert.deepEqual(rendered, ['Hello.', 'Yes?', 'Good day.']);
  state.texts = Array.from({ length: 200 }, (_, index) => `Sentence ${index}.`);
  await refresh();
  await eventually(() => rendered.length === 113);
});

test('greetings wait while there are calls', async () => {
  const { clock, state, rendered, refresh } = stage();
  state.isBusy = true;
  await refresh();
  assert.deepEqual(rendered, []);
  state.isBusy = false;
  clock.advance(2_000);
  await eventually(() => rendered.length === 1);
});
