import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import {
  defaultEngine,
  defaultMaxCalls,
  engineNames,
  findEngine,
  knownVoices,
  listDownloads,
  listModels,
  whyNotLocal,
} from '../../../models/install/catalogue.ts';
import { LOCAL_MODELS } from '../../../models/install/weights.ts';
import { FliteTts } from '../../../models/tts/flite/flite.ts';

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
    Object.fromEntries(
      listModels(environment, '/nowhere')
        .filter(({ download }) => download === null)
        .map((entry) => [`${entry.kind}:${entry.name}`, entry.state]),
    );
  assert.deepEqual(state({}), {
    'vad:silero': 'installed',
    'speech-to-speech:openai-realtime': 'unconfigured',
    'speech-to-speech:gemini-live': 'unconfigured',
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
  assert.equal(state({ GEMINI_API_KEY: 'key' })['speech-to-speech:gemini-live'], 'installed');
  assert.deepEqual(engineNames('tts'), ['flite', 'openai', 'elevenlabs']);
});

test('the default call limit depends on cores and engines', () => {
  const two = defaultMaxCalls(2, 'soundswallower', 'flite');
  assert.ok(two >= 8 && two <= 40, `${two}`);
  assert.ok(defaultMaxCalls(8, 'soundswallower', 'flite') > 4 * two);
  assert.ok(defaultMaxCalls(2, 'module:/instant.ts', 'module:/instant.ts') >= 200);
  assert.ok(defaultMaxCalls(1, 'soundswallower', 'flite') >= 1);
  // However many cores there are, one process has one control thread and one writer.
  assert.equal(defaultMaxCalls(32, 'deepgram', 'openai'), 1_000);
  // A plug-in says what it costs; one that says nothing counts as remote.
  const heavy = { sttFactor: 0.5, ttsFactor: 0.5 };
  assert.equal(defaultMaxCalls(5, 'module:/stt.ts', 'module:/tts.ts', heavy), 7);
  // Five texts at a time are enough for 33 calls: a vendor sends speech faster than it is spoken.
  assert.equal(defaultMaxCalls(8, 'deepgram', 'elevenlabs', { ttsConcurrency: 5 }), 33);
});

/** DATA_DIR with these folders under models. */
function installed(...names: string[]): { dataDir: string; modelsDir: string } {
  const dataDir = temporaryFolder('catalogue');
  const modelsDir = join(dataDir, 'models');
  for (const name of names) mkdirSync(join(modelsDir, name), { recursive: true });
  return { dataDir, modelsDir };
}

test('local models have names of their own, an archive that its release could hold, and a cost', () => {
  assert.equal(new Set(LOCAL_MODELS.map(({ name }) => name)).size, LOCAL_MODELS.length);
  for (const { name, kind, url, checksumUrl, bytes, realTimeFactor, memoryMb, voices } of LOCAL_MODELS) {
    assert.match(name, /^[a-z0-9][a-z0-9._-]*$/);
    assert.match(url, new RegExp(`/${kind === 'stt' ? 'asr' : 'tts'}-models/[A-Za-z0-9._-]+\\.tar\\.bz2$`));
    assert.equal(checksumUrl, url.replace(/[^/]+$/, 'checksum.txt'));
    assert.ok(bytes > 1e6 && realTimeFactor > 0 && memoryMb > 0);
    assert.equal(voices.length > 0, kind === 'tts');
    assert.equal(new Set(voices.map(({ sid }) => sid)).size, voices.length);
  }
});

test('the best model that is installed listens and speaks where nothing is set, else the built-in engines', () => {
  const none = installed();
  assert.deepEqual(
    [defaultEngine('stt', none.modelsDir), defaultEngine('tts', none.modelsDir)],
    ['soundswallower', 'flite'],
  );
  const some = installed('whisper-tiny', 'kroko-de', 'piper-thorsten-de', 'kokoro.part');
  assert.equal(defaultEngine('stt', some.modelsDir), 'sherpa:kroko-de');
  assert.equal(defaultEngine('tts', some.modelsDir), 'sherpa:piper-thorsten-de');
  const [first] = knownVoices({ DATA_DIR: some.dataDir });
  assert.deepEqual(
    [first?.id, first?.language, first?.engine],
    ['sherpa:piper-thorsten-de', 'de-DE', 'sherpa:piper-thorsten-de'],
  );
});

test("the operator's own models are listed by what their files are", () => {
  const { modelsDir } = installed('mine', 'voice', 'empty');
  writeFileSync(join(modelsDir, 'mine', 'model.onnx'), '');
  writeFileSync(join(modelsDir, 'voice', 'de_DE-me-low.onnx'), '');
  mkdirSync(join(modelsDir, 'voice', 'espeak-ng-data'));
  const own = listModels({}, modelsDir).filter(({ name, download }) => name.startsWith('sherpa:') && download === null);
  assert.deepEqual(
    own.map(({ kind, name, state }) => [kind, name, state]),
    [
      ['stt', 'sherpa:mine', 'installed'],
      ['tts', 'sherpa:voice', 'installed'],
    ],
  );
  assert.match(whyNotLocal('stt', 'sherpa:voice', modelsDir) ?? '', /is a voice, for TTS/);
  assert.equal(whyNotLocal('tts', 'sherpa:voice', modelsDir), null);
});

test("the operator's own voice is the default from the first start on, before any engine has loaded it", () => {
  const { dataDir, modelsDir } = installed('mine', 'ears');
  writeFileSync(join(modelsDir, 'mine', 'de_DE-me-low.onnx'), '');
  mkdirSync(join(modelsDir, 'mine', 'espeak-ng-data'));
  writeFileSync(join(modelsDir, 'ears', 'model.onnx'), '');
  const [first] = knownVoices({ DATA_DIR: dataDir, TTS: 'sherpa:mine' });
  assert.deepEqual(
    [first?.id, first?.language, first?.engine, first?.isDefault],
    ['sherpa:mine', 'de-DE', 'sherpa:mine', true],
  );
  assert.equal(knownVoices({ DATA_DIR: dataDir, TTS: 'sherpa:ears' })[0]?.id, 'flite-rms');
});

test('a local model that is not there says what to do', () => {
  const { modelsDir } = installed('kokoro');
  const why = (engine: string) => whyNotLocal('stt', engine, modelsDir);
  assert.match(why('sherpa:kroko-en') ?? '', /not installed: run "npm run models -- download kroko-en"/);
  assert.match(why('sherpa:kroko-ne') ?? '', /no model kroko-ne, did you mean kroko-/);
  assert.match(why('sherpa:kokoro') ?? '', /is a voice/);
  assert.match(why('sherpa:../etc') ?? '', /is no model/);
  assert.equal(why('deepgram'), null);
});

test('downloads say what is here of them, and local models count in the call limit', () => {
  const { modelsDir } = installed('kroko-en');
  writeFileSync(join(modelsDir, 'kokoro.tar.bz2.part'), 'four');
  const downloads = new Map(listDownloads(modelsDir).map((entry) => [entry.name, entry]));
  assert.deepEqual([downloads.get('kroko-en')?.installed, downloads.get('kroko-en')?.receivedBytes], [true, null]);
  assert.deepEqual([downloads.get('kokoro')?.installed, downloads.get('kokoro')?.receivedBytes], [false, 4]);
  const state = listModels({}, modelsDir).find(({ name }) => name === 'sherpa:kokoro')?.state;
  assert.ok(state === 'downloadable' || state === 'package-missing');
  assert.ok(
    defaultMaxCalls(4, 'sherpa:nemotron-en', 'sherpa:kokoro') <
      defaultMaxCalls(4, 'sherpa:kroko-en', 'sherpa:piper-lessac-en'),
  );
  assert.ok((findEngine('stt', 'sherpa:mine')?.realTimeFactor ?? 0) > 0);
});
