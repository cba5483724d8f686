// A whole call by servers that are charged for: what it used is what the servers were asked for, and what it cost
// follows by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted } from '../support/conversation.ts';
import { FakeOpenAi } from '../support/models/fake-openai.ts';

const PRICES = [
  { kind: 'llm', model: 'small', perMillionInput: '2', perMillionCached: '1', perMillionOutput: '8' },
  { kind: 'stt', engine: 'openai', perMinute: '0.006' },
  { kind: 'tts', engine: 'openai', perThousandCharacters: '0.015' },
];
const VALID_FROM = '2026-01-01T00:00:00.000Z';

test('a call over paid servers costs what they were asked for, its summary too', async () => {
  const usage = { prompt: 1_000, completion: 10, cached: 400 };
  const summary = '{"summary":"Asked for the hours.","sentiment":"neutral","tags":[]}';
  const model = await FakeOpenAi.start([
    ({ body }) =>
      body.stream ? { type: 'text', pieces: ['We open at nine.'], usage } : { type: 'whole', text: summary },
  ]);
  const speech = await new SpeechServer({ text: 'what are your opening hours' }).start();
  const base = `${speech.origin}/v1`;
  const service = await startService({
    ...{ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', OPENAI_MODEL: 'small' },
    ...{ STT: 'openai', STT_BASE_URL: base, STT_API_KEY: 'key', STT_INTERIMS: 'off' },
    ...{ TTS: 'openai', TTS_BASE_URL: base, TTS_API_KEY: 'key' },
  });
  try {
    const rest = await new Rest(service).login();
    for (const price of PRICES)
      await rest.must('POST', '/admin/prices', { ...price, currency: 'USD', validFrom: VALID_FROM });
    const { caller, number } = await greeted(service);
    const askedAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
    await caller.agentSound(askedAt);
    await caller.agentQuiet(900);
    await caller.hangUp();
    const call = await rest.endedCall(number);
    const { cost, lines } = await rest.eventually('the cost of the call and of its summary', async () => {
      const { body } = await rest.request('GET', `/calls/${call.id}/cost`);
      return body.data?.lines.some(({ purpose }) => purpose === 'summary') && body.data;
    });
    const [stt] = lines.filter(({ kind }) => kind === 'stt');
    const [tts] = lines.filter(({ kind }) => kind === 'tts');
    const llm = lines.filter(({ kind }) => kind === 'llm');
    const sentMs = speech.requests.reduce((sum, { audioMs }) => sum + audioMs, 0);
    assert.ok(stt && tts);
    assert.deepEqual([stt.engine, stt.model, tts.model], ['openai', 'gpt-4o-mini-transcribe', 'gpt-4o-mini-tts']);
    assert.ok(Math.abs(stt.seconds * 1_000 - sentMs) <= 0.1 * sentMs, `${stt.seconds} s, ${sentMs} ms were sent`);
    // Clauses go to the voice without the blanks between them.
    const said = saidBy(call, 'agent').join('').replace(/\s/g, '').length;
    assert.ok(tts.characters >= said, `${tts.characters} characters, ${said} were said`);
    const told = llm.filter(({ purpose }) => purpose === 'call');
    assert.deepEqual(
      told.map(({ model: name, inputTokens }) => [name, inputTokens >= 1_000]),
      [['small', true]],
    );
    // By hand, in millionths: half up, each rate by itself.
    const rounded = (amount: number): number => Math.floor(amount + 0.5);
    const sum = (amounts: number[]): number => amounts.reduce((total, each) => total + each, 0);
    const ofModel = sum(
      llm.map(
        ({ inputTokens, cachedTokens, outputTokens }) =>
          (inputTokens - cachedTokens) * 2 + cachedTokens * 1 + outputTokens * 8,
      ),
    );
    const ofEar = rounded((Math.round(stt.seconds * 1_000) * 6_000) / 60_000);
    const ofVoice = rounded((tts.characters * 15_000) / 1_000);
    const micros = (text: string | null): number => Math.round(Number(text) * 1_000_000);
    assert.deepEqual([cost.llm, cost.stt, cost.tts, cost.total].map(micros), [
      ofModel,
      ofEar,
      ofVoice,
      ofModel + ofEar + ofVoice,
    ]);
    assert.deepEqual([cost.trunk, cost.currency, cost.partial], [null, 'USD', false]);
  } finally {
    await service.stop();
    await speech.stop();
    await model.stop();
  }
});
