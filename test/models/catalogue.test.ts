import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMaxCalls, engineNames, knownVoices, listModels } from '../../models/catalogue.ts';
import { FliteTts } from '../../models/tts/flite.ts';

test('the default voice comes first, the others by name, and every built-in one can be spoken', () => {
  const voices = knownVoices({});
  assert.deepEqual(
    voices.map(({ isDefault }) => isDefault),
    voices.map((_, index) => index === 0),
  );
  const names = voices.slice(1).map(({ name }) => name);
  assert.deepEqual(names, [...names].sort());
  const flite = new FliteTts();
  for (const { id } of voices) assert.ok(flite.voices.some((voice) => voice.id === id));
});

test('the default voice is of the engine that TTS names, the built-in ones stay on offer', () => {
  const voices = knownVoices({ TTS: 'openai' });
  assert.equal(voices[0]?.id, 'openai:alloy');
  assert.equal(voices.filter(({ isDefault }) => isDefault).length, 1);
  assert.ok(voices.some(({ id }) => id === 'flite-rms'));
  assert.equal(knownVoices({ TTS: 'elevenlabs', TTS_VOICES: 'abc' })[0]?.id, 'elevenlabs:abc');
});

test('engines without requirements are installed; remote ones need a key or an address', () => {
  const state = (environment: Record<string, string>) =>
    Object.fromEntries(listModels(environment).map((entry) => [`${entry.kind}:${entry.name}`, entry.state]));
  assert.deepEqual(state({}), {
    'vad:silero': 'installed',
    'stt:soundswallower': 'installed',
    'tts:flite': 'installed',
    'stt:openai': 'unconfigured',
    'stt:openai-realtime': 'unconfigured',
    'stt:deepgram': 'unconfigured',
    'tts:openai': 'unconfigured',
    'tts:elevenlabs': 'unconfigured',
    'llm:receptionist': 'installed',
    'llm:openai': 'unconfigured',
  });
  assert.equal(state({ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' })['llm:openai'], 'installed');
  assert.equal(state({ STT_API_KEY: 'key' })['stt:deepgram'], 'installed');
  assert.deepEqual(engineNames('tts'), ['flite', 'openai', 'elevenlabs']);
});

test('the default call limit depends on cores and engines', () => {
  const two = defaultMaxCalls(2, 'soundswallower', 'flite');
  assert.ok(two >= 8 && two <= 40, `${two}`);
  assert.ok(defaultMaxCalls(8, 'soundswallower', 'flite') > 4 * two);
  assert.ok(defaultMaxCalls(2, 'module:/instant.ts', 'module:/instant.ts') >= 200);
  assert.ok(defaultMaxCalls(1, 'soundswallower', 'flite') >= 1);
});
