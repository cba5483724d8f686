// A test of a speech-to-speech model's settings: it hears a sentence and answers, or says in plain words why it cannot.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { VirtualClock } from '../../../../bench/rig/clock.ts';
import { GeminiLiveServer } from '../../../../bench/rig/fakes/gemini-live-server.ts';
import { OpenAiRealtimeServer } from '../../../../bench/rig/fakes/openai-realtime-server.ts';
import {
  MODEL_MS_PER_CHARACTER,
  type SpeechModelServerOptions,
} from '../../../../bench/rig/fakes/speech-model-server.ts';
import { answerSentence } from '../../../../engine/models/trials/speech-to-speech.ts';
import { loadSpeechToSpeech } from '../../../../models/engines.ts';
import type { SpeechReply, SpeechRequest } from '../../../../models/speech-to-speech/speech-to-speech.ts';
import { SpeechToSpeechHost } from '../../../../models/speech-to-speech/worker.ts';
import { tone } from '../../../media/signals.ts';

const KEY = 'sk-typed-by-hand-7788';
const TEXT = 'We open at nine.';
const SENTENCE = tone(300, 8_000, 900);
const SERVERS = { 'openai-realtime': OpenAiRealtimeServer, 'gemini-live': GeminiLiveServer } as const;
type Name = keyof typeof SERVERS;

const ends: Array<() => Promise<unknown>> = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

async function serverOf(name: Name, options: SpeechModelServerOptions = {}) {
  const server = await new SERVERS[name]({ apiKey: KEY, script: () => ({ text: TEXT }), ...options }).start();
  ends.push(() => server.stop());
  return server;
}

async function trialOf(name: Name, environment: Record<string, string>, clock = new VirtualClock()) {
  const host = new SpeechToSpeechHost(await loadSpeechToSpeech(name, { DIALOGUE_API_KEY: KEY, ...environment }));
  const { port1, port2 } = new MessageChannel();
  host.connect(port2);
  ends.push(() => host.close().then(() => port1.close()));
  return answerSentence(port1, name, SENTENCE, clock);
}

for (const name of ['openai-realtime', 'gemini-live'] as const) {
  test(`${name}: it hears the sentence, and answers with words and sound`, async () => {
    const heardMs: number[] = [];
    const server = await serverOf(name, {
      script: ({ audioMs }) => {
        heardMs.push(audioMs);
        return { text: TEXT };
      },
    });
    const { engine, error, firstMs, text, audioBytes } = await trialOf(name, { DIALOGUE_BASE_URL: server.origin });
    assert.deepEqual([engine, error, text], [name, null, TEXT]);
    assert.ok(firstMs !== null);
    const answerMs = (audioBytes ?? 0) / 16;
    assert.ok(Math.abs(answerMs - TEXT.length * MODEL_MS_PER_CHARACTER) < 50, `${answerMs} ms`);
    assert.ok(Math.abs((heardMs[0] ?? 0) - 1_900) < 50, 'the sentence with silence around it');
    assert.deepEqual(server.refusals, []);
  });

  test(`${name}: what is wrong is said in plain words, without the key`, async () => {
    const server = await serverOf(name, { model: 'the-only-one' });
    const at = { DIALOGUE_BASE_URL: server.origin };
    const other = { ...at, DIALOGUE_MODEL: 'the-only-one', DIALOGUE_API_KEY: 'sk-another-key' };
    await assert.rejects(trialOf(name, other), /401.*DIALOGUE_API_KEY is not accepted$/);
    await assert.rejects(trialOf(name, at), /the model|model and voice right/);
    await assert.rejects(
      trialOf(name, { DIALOGUE_BASE_URL: 'http://127.0.0.1:9' }),
      /cannot be reached \(ECONNREFUSED\)/,
    );
    await assert.rejects(trialOf(name, { DIALOGUE_BASE_URL: `${server.origin}/v2` }), /404/);
  });
}

test('the time to open the session is not counted: a call opens it while the telephone rings', async () => {
  const clock = new VirtualClock();
  const { port1, port2 } = new MessageChannel();
  const tell = (reply: SpeechReply): void => port2.postMessage(reply);
  port2.on('message', (request: SpeechRequest) => {
    if (request.type === 'open') {
      clock.advance(3_000);
      tell({ type: 'event', callId: request.callId, event: { type: 'opened' } });
    }
    if (request.type !== 'ask') return;
    const of = { epoch: 1, round: 0 };
    clock.advance(450);
    tell({ type: 'audio', callId: request.callId, ...of, samples: tone(660, 8_000, 100) });
    tell({ type: 'event', callId: request.callId, event: { type: 'done', ...of } });
  });
  const { firstMs, text } = await answerSentence(port1, 'test', SENTENCE, clock);
  port1.close();
  assert.deepEqual([firstMs, text], [450, null]);
});

test('a server that is silent costs a limited time', async () => {
  const server = await serverOf('openai-realtime');
  server.fault = 'mute';
  const clock = new VirtualClock();
  const trial = trialOf('openai-realtime', { DIALOGUE_BASE_URL: server.origin }, clock);
  trial.catch(() => undefined);
  while (server.connections === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(10_000);
  await assert.rejects(trial, /gave no answer within 10 s/);
});
