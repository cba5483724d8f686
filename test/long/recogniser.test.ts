// The built-in recogniser: it works in its thread, and understands the built-in voices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WEEKDAYS } from '../../db/domain/hours/weekdays.ts';
import { FLITE_VOICES } from '../../models/install/catalogue.ts';
import { SoundswallowerStt } from '../../models/stt/soundswallower/soundswallower.ts';
import { ModelWorker } from '../../models/workers/model-worker.ts';
import { say } from '../support/models/sounds.ts';
import { sttClient } from '../support/models/stt-client.ts';

test('the recogniser understands the voices', async () => {
  const stt = await SoundswallowerStt.create(1);
  const vocabulary = {
    language: 'en-US',
    businessName: 'Acme',
    services: [],
    questions: [],
    phrases: [
      'we are open from nine in the morning until five',
      'what name shall I put it under',
      'you are booked for Tuesday at ten',
    ],
  };
  const session = await stt.open({ callId: 'loop', sampleRateHz: 8_000, vocabulary });
  for (const { id: voiceId } of FLITE_VOICES) {
    for (const phrase of vocabulary.phrases) {
      session.begin('anything');
      session.write(await say(phrase, { voiceId }));
      const { text } = await session.finish();
      assert.equal(text, phrase.toLowerCase(), voiceId);
    }
  }
  session.close();
  await stt.close();
});

test('it tells the days that the voices say from each other, and from today', async () => {
  const stt = await SoundswallowerStt.create(1);
  const session = await stt.open({ callId: 'days', sampleRateHz: 8_000, vocabulary });
  for (const { id: voiceId } of FLITE_VOICES) {
    for (const day of [...WEEKDAYS, 'today']) {
      session.begin('date-time');
      session.write(await say(`${day}.`, { voiceId }));
      const { text } = await session.finish();
      assert.match(text, new RegExp(`^${day}\\b`), voiceId);
    }
  }
  session.close();
  await stt.close();
});

const vocabulary = { language: 'en-US', businessName: 'Acme', services: [], questions: [], phrases: [] };

test('the real recogniser works in its thread, for two calls at once', async () => {
  const worker = await ModelWorker.start({
    kind: 'stt',
    engine: 'soundswallower',
    environment: {},
    onLost: assert.fail,
  });
  const shard = sttClient(worker.connect());
  for (const callId of ['a', 'b']) {
    shard.send({ type: 'open', callId, sampleRateHz: 8_000, vocabulary });
    shard.send({ type: 'begin', callId, utterance: 1, expects: 'anything' });
  }
  const audio = { a: await say('what are your opening hours'), b: await say('where are you located') };
  for (const callId of ['a', 'b'] as const) {
    for (let at = 0; at < audio[callId].length; at += 160)
      shard.send({ type: 'audio', callId, utterance: 1, samples: audio[callId].slice(at, at + 160) });
    shard.send({ type: 'finish', callId, utterance: 1 });
  }
  try {
    const [a, b] = await Promise.all([shard.final('a'), shard.final('b')]);
    assert.equal(a.result.text, 'what are your opening hours');
    assert.equal(b.result.text, 'where are you located');
    assert.ok(shard.replies.some((reply) => reply.type === 'partial' && reply.callId === 'a' && reply.text !== ''));
  } finally {
    await worker.stop();
  }
});
