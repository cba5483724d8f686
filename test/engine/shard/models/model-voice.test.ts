// A call in its shard whose agent speaks with the voice of a speech-to-speech model: what the caller hears of it, and
// what the model is told of that.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SpeechEvent, SpeechReply, SpeechRequest } from '../../../../models/speech-to-speech/speech-to-speech.ts';
import { tone } from '../../../media/signals.ts';
import { hostCall } from '../hosted-stage.ts';
import { openCall, SPEECH_SETUP } from '../open-call.ts';

const COMMAND = openCall(
  { callId: 'own', speechModel: { engine: 'fake', setup: SPEECH_SETUP } },
  { idleMs: 60_000, hearsWords: false, guessing: false },
);
const RATE_HZ = 16_000;

/** Also of a test that fails. */
const stops = new Set<() => void>();
after(() => {
  for (const stop of stops) stop();
});

/** Messages between the threads arrive. */
const delivered = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
};

async function answered(command = COMMAND) {
  const stage = hostCall(command);
  stops.add(stage.stop);
  const { call, events, hear, requests } = stage;
  const asked: SpeechRequest[] = [];
  requests.speech.on('message', (message: SpeechRequest) => asked.push(message));
  call.answer(null, 0);
  call.command({ type: 'reply-complete', callId: 'own', epoch: 1 });
  const send = async (message: SpeechReply): Promise<void> => {
    requests.speech.postMessage(message);
    await delivered();
  };
  const wanted = () => events.flatMap((event) => (event.type === 'reply-wanted' ? [event] : [])).at(-1);
  return {
    ...stage,
    asked,
    wanted,
    of: <T extends SpeechRequest['type']>(type: T) =>
      asked.filter((each): each is Extract<SpeechRequest, { type: T }> => each.type === type),
    tell: (event: SpeechEvent) => send({ type: 'event', callId: 'own', event }),
    sound: (epoch: number, ms: number) =>
      send({ type: 'audio', callId: 'own', epoch, round: 0, samples: tone(660, RATE_HZ, ms) }),
    /** The caller asks, and the dialogue asks the model; returns the reply's number. */
    ask: async (utterance = 1) => {
      hear(tone(300, RATE_HZ, 1_000, 0.3));
      hear(new Int16Array(RATE_HZ * 0.4));
      call.answers.sttFinal(utterance, { text: 'what does it cost', confidence: 1, understood: true });
      hear(new Int16Array(RATE_HZ * 0.2));
      const epoch = wanted()?.epoch ?? 0;
      assert.equal(wanted()?.cause.kind, 'turn');
      call.command({ type: 'speech-model', callId: 'own', ask: { type: 'respond', epoch, round: 0, items: [] } });
      await delivered();
      return epoch;
    },
    end: async () => {
      call.end();
      await delivered();
    },
  };
}

test('the session is opened before the answer, and hears the utterances that our ears find', async () => {
  const stage = await answered();
  const epoch = await stage.ask();
  await delivered();
  const types = [...new Set(stage.asked.map(({ type }) => type))];
  assert.deepEqual(types, ['open', 'begin', 'audio', 'finish', 'ask']);
  const samples = stage.of('audio').reduce((sum, message) => sum + message.samples.length, 0);
  assert.ok(samples >= RATE_HZ, 'all of what was said');
  assert.deepEqual(stage.of('ask')[0]?.ask, { type: 'respond', epoch, round: 0, items: [] });
  await stage.end();
  assert.equal(stage.asked.at(-1)?.type, 'close');
});

test('its voice is heard as the reply, and its words are those of the transcript', async () => {
  const stage = await answered();
  const epoch = await stage.ask();
  await stage.tell({ type: 'words', epoch, round: 0, text: 'It costs ' });
  await stage.tell({ type: 'sounds', epoch, round: 0 });
  await stage.sound(epoch, 500);
  await stage.tell({ type: 'words', epoch, round: 0, text: 'ten dollars.' });
  await stage.tell({ type: 'done', epoch, round: 0 });
  const before = stage.spokeAtMs.length;
  stage.call.command({ type: 'reply-complete', callId: 'own', epoch });
  stage.hear(new Int16Array(RATE_HZ));
  assert.ok(stage.spokeAtMs.length - before >= 24, 'half a second of it');
  const heard = stage.events.find((event) => event.type === 'reply-heard' && event.epoch === epoch);
  assert.ok(heard?.type === 'reply-heard');
  assert.deepEqual([heard.text, heard.interrupted], ['It costs ten dollars.', false]);
  await delivered();
  const { isWhole, rounds } = stage.of('heard').at(-1) ?? {};
  assert.deepEqual([isWhole, rounds], [true, [{ round: 0, ms: 500 }]]);
  await stage.end();
});

test('a caller who interrupts: the model is told to the millisecond what they heard', async () => {
  const stage = await answered();
  const epoch = await stage.ask();
  await stage.tell({ type: 'sounds', epoch, round: 0 });
  await stage.sound(epoch, 10_000);
  await stage.tell({ type: 'words', epoch, round: 0, text: 'one two three four five six seven eight nine ten' });
  const spoken = stage.spokeAtMs.length;
  stage.hear(new Int16Array(RATE_HZ * 2));
  stage.hear(tone(300, RATE_HZ, 1_500, 0.3));
  await delivered();
  const cut = stage.events.find((event) => event.type === 'reply-heard' && event.epoch === epoch);
  assert.ok(cut?.type === 'reply-heard' && cut.interrupted);
  const frames = stage.spokeAtMs.length - spoken;
  const [heard] = stage.of('heard').filter((each) => each.epoch === epoch);
  assert.equal(heard?.isWhole, false);
  assert.equal(heard?.text, cut.text);
  const ms = heard?.rounds[0]?.ms ?? 0;
  assert.ok(Math.abs(ms - frames * 20) <= 40, `${ms} ms told, ${frames * 20} ms sent`);
  await stage.sound(epoch, 1_000);
  stage.hear(new Int16Array(RATE_HZ * 0.1));
  await stage.end();
});

test('words of ours go before its voice, and after it', async () => {
  const stage = await answered();
  const epoch = await stage.ask();
  const speak = (index: number, text: string): void =>
    stage.call.command({ type: 'speak', callId: 'own', epoch, index, text, interruptible: true });
  speak(0, 'One moment.');
  await stage.tell({ type: 'sounds', epoch, round: 0 });
  await stage.tell({ type: 'words', epoch, round: 0, text: 'It costs ten dollars.' });
  await stage.sound(epoch, 300);
  await stage.tell({ type: 'done', epoch, round: 0 });
  speak(1, 'Anything else?');
  stage.call.answers.speech({ epoch, index: 1 }, tone(1_000, RATE_HZ, 300), true);
  stage.call.answers.speech({ epoch, index: 0 }, tone(1_000, RATE_HZ, 300), true);
  stage.call.command({ type: 'reply-complete', callId: 'own', epoch });
  stage.hear(new Int16Array(RATE_HZ * 1.5));
  const heard = stage.events.find((event) => event.type === 'reply-heard' && event.epoch === epoch);
  assert.ok(heard?.type === 'reply-heard');
  assert.equal(heard.text, 'One moment. It costs ten dollars. Anything else?');
  await stage.end();
});

test('lost in the middle of an answer: the agent stops, and the answer is wanted once more', async () => {
  const stage = await answered();
  const epoch = await stage.ask();
  await stage.tell({ type: 'sounds', epoch, round: 0 });
  await stage.sound(epoch, 10_000);
  await stage.tell({ type: 'words', epoch, round: 0, text: 'one two three four five six seven eight nine ten' });
  stage.hear(new Int16Array(RATE_HZ * 2));
  await stage.tell({ type: 'lost', code: 'LLM_UNAVAILABLE', message: 'closed' });
  const spoken = stage.spokeAtMs.length;
  stage.hear(new Int16Array(RATE_HZ));
  assert.ok(stage.spokeAtMs.length - spoken <= 1, 'silent but for a fade');
  const cut = stage.events.find((event) => event.type === 'reply-heard' && event.epoch === epoch);
  assert.ok(cut?.type === 'reply-heard' && cut.interrupted);
  assert.match(cut.text, /^one/);
  const { cause, committed } = stage.wanted() ?? {};
  assert.deepEqual(cause, { kind: 'requested', request: { kind: 'answer', note: { kind: 'voice-lost' } } });
  assert.equal(committed, true);
  const fallbacks = stage.events.filter(({ type }) => type === 'model-fallback');
  assert.equal(fallbacks.length, 1);
  assert.equal(stage.events.filter((event) => event.type === 'barge-in').length, 0, 'nobody interrupted');
  await stage.end();
});

test('lost after all of an answer has come: it is heard to its end', async () => {
  const stage = await answered();
  const epoch = await stage.ask();
  await stage.tell({ type: 'sounds', epoch, round: 0 });
  await stage.sound(epoch, 1_000);
  await stage.tell({ type: 'words', epoch, round: 0, text: 'It costs ten dollars.' });
  await stage.tell({ type: 'done', epoch, round: 0 });
  stage.call.command({ type: 'reply-complete', callId: 'own', epoch });
  stage.hear(new Int16Array(RATE_HZ * 0.3));
  await stage.tell({ type: 'lost', code: 'LLM_UNAVAILABLE', message: 'closed' });
  stage.hear(new Int16Array(RATE_HZ * 1.5));
  const heard = stage.events.find((event) => event.type === 'reply-heard' && event.epoch === epoch);
  assert.ok(heard?.type === 'reply-heard');
  assert.deepEqual([heard.text, heard.interrupted], ['It costs ten dollars.', false]);
  await stage.end();
});

test('the worker dies: the session is lost with it', async () => {
  const stage = await answered();
  await delivered();
  stage.requests.speech.close();
  await delivered();
  const lost = stage.events.filter((event) => event.type === 'speech-model' && event.event.type === 'lost');
  assert.equal(lost.length, 1);
  await stage.end();
});

test('a shard that takes the call over has no session, and says so', async () => {
  const resume = { answeredAtMs: 1, port: 0, lastEpoch: 4 };
  const stage = hostCall({ ...COMMAND, resume, speechModel: { engine: 'fake', setup: SPEECH_SETUP, isLost: true } });
  assert.deepEqual(
    stage.events.flatMap((event) => (event.type === 'speech-model' ? [event.event.type] : [])),
    ['lost'],
  );
  stage.stop();
});
