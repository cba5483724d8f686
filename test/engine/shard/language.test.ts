// A call in its shard whose language changes: what the recogniser and the voice are asked for, and when.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SttReply, SttRequest } from '../../../models/stt/stt.ts';
import type { TtsRequest } from '../../../models/tts/tts.ts';
import { tone } from '../../media/signals.ts';
import { hostCall } from './hosted-stage.ts';
import { openCall } from './open-call.ts';

const RATE_HZ = 16_000;
const GERMAN = { language: 'de-DE', businessName: 'Test', services: [], questions: [], phrases: [] };

const stops = new Set<() => void>();
after(() => {
  for (const stop of stops) stop();
});

/** Messages between the threads arrive. */
const delivered = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
};

function answered(mayChangeLanguage = true) {
  const stage = hostCall(openCall({ callId: 'a', ...(mayChangeLanguage ? { mayChangeLanguage } : {}) }));
  stops.add(stage.stop);
  const { call, events, requests } = stage;
  const [asked, spoken]: [SttRequest[], TtsRequest[]] = [[], []];
  requests.stt.on('message', (message: SttRequest) => asked.push(message));
  requests.tts.on('message', (message: TtsRequest) => spoken.push(message));
  call.answer(null, 0);
  const epoch = events.find((event) => event.type === 'reply-wanted')?.epoch ?? 0;
  return {
    ...stage,
    asked,
    says: (index: number, text: string) =>
      call.command({ type: 'speak', callId: 'a', epoch, index, text, interruptible: true }),
    heardBy: () =>
      spoken.flatMap((message) =>
        message.type === 'speak' ? [[message.text, message.voiceId, message.language]] : [],
      ),
    recogniser: async (reply: SttReply) => {
      requests.stt.postMessage(reply);
      await delivered();
    },
  };
}

test('what is being said ends in the old voice, the next sentence is in the new one', async () => {
  const { call, says, heardBy } = answered();
  says(0, 'Of course.');
  const voice = { voiceId: 'anna', speed: 1 };
  call.command({ type: 'speak-in', callId: 'a', language: 'de-DE', voice, speechVoice: null });
  says(1, 'Gern.');
  await delivered();
  assert.deepEqual(heardBy(), [
    ['Of course.', 'fake', 'en'],
    ['Gern.', 'anna', 'de-DE'],
  ]);
});

test('the recogniser is asked while the caller speaks, and its audio goes on as before', async () => {
  const { call, hear, asked, events, recogniser } = answered();
  hear(tone(300, RATE_HZ, 400, 0.3));
  call.command({ type: 'listen-in', callId: 'a', change: 1, vocabulary: GERMAN });
  hear(tone(300, RATE_HZ, 400, 0.3));
  await delivered();
  const open = asked.find((message) => message.type === 'open');
  assert.ok(open?.type === 'open' && open.keepsAudio === true);
  const types = asked.map(({ type }) => type);
  const at = types.indexOf('change');
  assert.ok(types.slice(0, at).includes('audio') && types.slice(at).includes('audio'), types.join(' '));
  assert.ok(!types.includes('cancel') && !types.includes('close'));
  assert.equal(call.answers.hearing.vocabulary.language, 'en', 'not before it says so');
  await recogniser({ type: 'changed', callId: 'a', change: 1, message: null });
  assert.equal(call.answers.hearing.vocabulary.language, 'de-DE', 'a worker that takes its place would hear German');
  assert.deepEqual(
    events.filter(({ type }) => type === 'listens-in'),
    [{ type: 'listens-in', callId: 'a', change: 1, message: null }],
  );
});

test('a recogniser that refuses is told of, and one that answers an older question is not', async () => {
  const { call, events, recogniser } = answered();
  call.command({ type: 'listen-in', callId: 'a', change: 1, vocabulary: GERMAN });
  call.command({ type: 'listen-in', callId: 'a', change: 2, vocabulary: GERMAN });
  await recogniser({ type: 'changed', callId: 'a', change: 1, message: null });
  await recogniser({ type: 'changed', callId: 'a', change: 2, message: 'unknown' });
  assert.equal(call.answers.hearing.vocabulary.language, 'en');
  assert.deepEqual(
    events.filter(({ type }) => type === 'listens-in'),
    [{ type: 'listens-in', callId: 'a', change: 2, message: 'unknown' }],
  );
});

test('the language that the recogniser tells is passed on where the call may change its own', () => {
  const final = { text: 'wann haben sie offen', confidence: 0.9, understood: true, language: 'de' };
  const [may, mayNot] = [answered(), answered(false)];
  for (const { call } of [may, mayNot]) {
    call.answers.sttFinal(1, final);
    call.answers.sttFinal(2, { ...final, understood: false });
  }
  const told = { type: 'language-heard', callId: 'a', language: 'de', words: 4, confidence: 0.9 };
  assert.deepEqual(
    [may, mayNot].map(({ events }) => events.filter(({ type }) => type === 'language-heard')),
    [[told], []],
  );
});
