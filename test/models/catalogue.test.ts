import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMaxCalls, defaultVoice, findVoice, listModels, listVoices } from '../../models/catalogue.ts';
import { FliteTts } from '../../models/tts/flite.ts';

test('the default voice comes first, the others by name, and every one can be spoken', () => {
  const voices = listVoices();
  assert.equal(voices[0]?.isDefault, true);
  assert.equal(voices[0]?.id, defaultVoice().id);
  const names = voices.slice(1).map(({ name }) => name);
  assert.deepEqual(names, [...names].sort());
  const flite = new FliteTts();
  for (const { id } of voices) {
    assert.ok(flite.voices.some((voice) => voice.id === id));
    assert.equal(findVoice(id)?.id, id);
  }
  assert.equal(findVoice('nobody'), null);
});

test('engines without requirements are installed; openai needs a key or an address', () => {
  const state = (environment: Record<string, string>) =>
    Object.fromEntries(listModels(environment).map((entry) => [entry.name, entry.state]));
  assert.deepEqual(state({}), {
    silero: 'installed',
    soundswallower: 'installed',
    flite: 'installed',
    receptionist: 'installed',
    openai: 'unconfigured',
  });
  assert.equal(state({ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' }).openai, 'installed');
});

test('the default call limit depends on cores and engines', () => {
  const two = defaultMaxCalls(2, 'soundswallower', 'flite');
  assert.ok(two >= 8 && two <= 40, `${two}`);
  assert.ok(defaultMaxCalls(8, 'soundswallower', 'flite') > 4 * two);
  assert.ok(defaultMaxCalls(2, 'module:/instant.ts', 'module:/instant.ts') >= 200);
  assert.ok(defaultMaxCalls(1, 'soundswallower', 'flite') >= 1);
});
