// The assumed cost of an engine: one whose server runs on this machine takes of its cores, a vendor does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitMessage } from '../../../db/domain/calls/limit.ts';
import { engineFactor, isServedHere } from '../../../engine/models/engine-cost.ts';
import { defaultMaxCalls } from '../../../models/install/catalogue.ts';

const openai = (baseUrl: string) => ({
  engine: 'openai',
  factor: null,
  environment: { STT_BASE_URL: baseUrl, TTS_BASE_URL: baseUrl, OPENAI_API_KEY: 'k' },
  description: {},
});
const HERE = openai('http://127.0.0.1:9000/v1');

test('Whisper and Piper behind a server of this machine leave two cores a call, not two hundred', () => {
  const [stt, tts] = [engineFactor('stt', HERE), engineFactor('tts', HERE)];
  assert.deepEqual([stt.source, tts.source], ['assumed', 'assumed']);
  const callsWith = (sttFactor: number, ttsFactor: number): number =>
    defaultMaxCalls(2, 'openai', 'openai', { sttFactor, ttsFactor });
  assert.equal(callsWith(stt.factor, 0.03), 2);
  assert.equal(callsWith(stt.factor, tts.factor), 1);
  const message = limitMessage({ reason: 'assumed', carries: 1, cores: 2, stt, tts });
  assert.match(message, /openai takes 0\.6 s of a core for a second of audio \(assumed\)/);
});

test('a server of another machine costs nearly nothing here', () => {
  for (const baseUrl of ['http://10.0.0.5:9000/v1', 'https://api.openai.com/v1', 'http://localhost.example.com/v1'])
    assert.equal(engineFactor('stt', openai(baseUrl)).source, 'elsewhere', baseUrl);
  assert.ok(isServedHere('tts', openai('http://[::1]:9000/v1')));
  assert.ok(isServedHere('tts', openai('http://localhost:9000/v1')));
});

test('an engine with a cost of its own keeps it, whatever address stands beside it', () => {
  assert.deepEqual(engineFactor('stt', { ...HERE, engine: 'module:/ear.ts' }).source, 'elsewhere');
  assert.equal(engineFactor('stt', { ...HERE, description: { realTimeFactor: 0.2 } }).factor, 0.2);
  assert.equal(engineFactor('tts', { ...HERE, factor: 0.1 }).source, 'measured');
});
