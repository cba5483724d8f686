// Settings from the database become engines: below the variables, the newest of quick changes, and never at the cost of
// the engine that runs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import { environmentWith, type ModelKind, NO_MODEL_VALUES } from '../../../db/domain/model-settings.ts';
import { keyContext, writeModelSettings } from '../../../db/queries/settings/model-settings.ts';
import { installationSecret, SECRET_KEY_FILE, seal } from '../../../db/shared/secrets/secret-box.ts';
import { type EngineChoice, ModelChoices } from '../../../engine/models/choices.ts';

function stage(t: TestContext, environment: Record<string, string> = {}) {
  const dataDir = temporaryFolder('voice-choices');
  const path = join(dataDir, 'voice.db');
  freshDatabase(path);
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  t.after(() => db.destroy());
  const key = installationSecret(dataDir, SECRET_KEY_FILE);
  const lines: string[] = [];
  const write = (...args: unknown[]): void => void lines.push(JSON.stringify(args));
  const log = { info: write, error: write };
  const choices = new ModelChoices({ read: db, secretKey: key, dataDir, environment, log: log as never });
  const set = (
    kind: ModelKind,
    revision: number,
    values: { engine: string | null; baseUrl?: string; apiKey?: string },
  ) => {
    const { apiKey, ...plain } = values;
    const keySealed = apiKey === undefined ? null : seal(key, keyContext(kind, 'apiKey'), apiKey);
    const { apiKey: _, fallbackApiKey: __, ...none } = NO_MODEL_VALUES;
    const ends = { keyEnd: null, fallbackKeySealed: null, fallbackKeyEnd: null };
    return writeModelSettings(db, { kind, ...none, ...plain, keySealed, ...ends, revision, changedAt: 0 });
  };
  return { choices, set, lines };
}

const turns = async (until: () => boolean): Promise<void> => {
  while (!until()) await new Promise((resolve) => setImmediate(resolve));
};

test('a change is taken once, and an engine that cannot be loaded is told and changes nothing', async (t) => {
  const { choices, set, lines } = stage(t);
  const first = await choices.atStart();
  assert.deepEqual(
    first.stt.map(({ name }) => name),
    ['soundswallower'],
  );
  const taken: EngineChoice[] = [];
  choices.watch({
    take: async (_kind, choice) => {
      if (choice.name === 'openai') throw new Error('the server is not there');
      taken.push(choice);
    },
  });
  await set('stt', 1, { engine: 'deepgram', apiKey: 'a-secret-key' });
  await choices.refresh();
  await choices.refresh();
  await turns(() => choices.taken.stt?.revision === 1);
  assert.deepEqual(
    taken.map(({ name, environment }) => [name, environment.STT_API_KEY]),
    [['deepgram', 'a-secret-key']],
  );
  await set('stt', 2, { engine: 'openai', baseUrl: 'http://127.0.0.1:9/v1' });
  await choices.refresh();
  await turns(() => choices.taken.stt?.revision === 2);
  assert.deepEqual(choices.taken.stt, { revision: 2, error: 'the server is not there' });
  await set('stt', 3, { engine: 'nothing' });
  await choices.refresh();
  await turns(() => choices.taken.stt?.revision === 3);
  assert.match(choices.taken.stt?.error ?? '', /STT: "nothing" is not one of/);
  // Back to the engine that still runs: nothing has to be loaded.
  await set('stt', 4, { engine: 'deepgram', apiKey: 'a-secret-key' });
  await choices.refresh();
  await turns(() => choices.taken.stt?.revision === 4);
  assert.equal(choices.taken.stt?.error, null);
  assert.equal(taken.length, 1);
  assert.ok(!lines.join().includes('a-secret-key'));
});

test('a speech-to-speech model comes, fails to be replaced, and goes', async (t) => {
  const { choices, set } = stage(t);
  const atStart = await choices.atStart();
  assert.deepEqual(
    atStart['speech-to-speech'].map(({ name }) => name),
    ['cascade'],
  );
  const taken: string[] = [];
  choices.watch({ take: async (kind, { name }) => void taken.push(`${kind} ${name}`) });
  const take = async (revision: number, values: { engine: string | null; baseUrl?: string; apiKey?: string }) => {
    await set('speech-to-speech', revision, values);
    await choices.refresh();
    await turns(() => choices.taken['speech-to-speech']?.revision === revision);
    return choices.taken['speech-to-speech']?.error ?? null;
  };
  assert.equal(await take(1, { engine: null }), null);
  assert.deepEqual(taken, [], 'there was none before');
  assert.equal(await take(2, { engine: 'openai-realtime', apiKey: 'a-secret-key' }), null);
  assert.match((await take(3, { engine: 'gemini-live' })) ?? '', /GEMINI_API_KEY/);
  assert.equal(await take(4, { engine: null }), null);
  assert.deepEqual(taken, ['speech-to-speech openai-realtime', 'speech-to-speech cascade']);
});

test('settings that are entered again as they are load nothing, and are told', async (t) => {
  const { choices, set } = stage(t);
  await choices.atStart();
  const told: string[] = [];
  choices.watch({
    take: async (kind) => void told.push(`take ${kind}`),
    enteredAgain: (kind) => told.push(`again ${kind}`),
  });
  const settle = async (revision: number) => {
    await set('llm', revision, { engine: 'openai', baseUrl: 'http://127.0.0.1:1/v1' });
    await choices.refresh();
    await turns(() => choices.taken.llm?.revision === revision);
  };
  await settle(1);
  await settle(2);
  assert.deepEqual(told, ['take llm', 'again llm']);
});

test('of changes that come while one is being taken only the newest follows', async (t) => {
  const { choices, set } = stage(t);
  await choices.atStart();
  const taken: string[] = [];
  let release: () => void = () => {};
  choices.watch({
    take: async (_kind, { environment }) => {
      taken.push(environment.OPENAI_BASE_URL ?? '');
      if (taken.length === 1) await new Promise<void>((resolve) => (release = resolve));
    },
  });
  const at = (port: number) => ({ engine: 'openai', baseUrl: `http://127.0.0.1:${port}/v1` });
  await set('llm', 1, at(1));
  await choices.refresh();
  await turns(() => taken.length === 1);
  await set('llm', 2, at(2));
  await choices.refresh();
  await set('llm', 3, at(3));
  await choices.refresh();
  release();
  await turns(() => choices.taken.llm?.revision === 3);
  assert.deepEqual(taken, ['http://127.0.0.1:1/v1', 'http://127.0.0.1:3/v1']);
});

test('at the start the settings come before the environment, and a broken one is passed over', async (t) => {
  const { choices, set } = stage(t);
  await set('tts', 1, { engine: 'elevenlabs', apiKey: 'k' });
  await set('stt', 7, { engine: 'sherpa:not-there' });
  await set('speech-to-speech', 2, { engine: 'openai-realtime', baseUrl: 'ws://127.0.0.1:9' });
  const { stt, tts, 'speech-to-speech': speech } = await choices.atStart();
  assert.deepEqual(
    speech.map(({ name, environment }) => [name, environment.DIALOGUE_BASE_URL]),
    [
      ['openai-realtime', 'ws://127.0.0.1:9'],
      ['cascade', undefined],
    ],
  );
  assert.deepEqual(
    tts.map(({ name }) => name),
    ['elevenlabs', 'flite'],
  );
  assert.deepEqual(
    stt.map(({ name }) => name),
    ['soundswallower'],
  );
  assert.match(choices.taken.stt?.error ?? '', /not-there/);
  const [first] = tts;
  assert.ok(first);
  choices.failedAtStart('tts', first, 'no such key');
  assert.deepEqual(choices.taken.tts, { revision: 1, error: 'no such key' });
});

test('a variable wins, and its key goes to no address of the dashboard', () => {
  const values = { ...NO_MODEL_VALUES, engine: 'openai', baseUrl: 'http://203.0.113.5/v1', model: 'small' };
  const fixed = environmentWith('llm', values, { OPENAI_API_KEY: 'of-the-environment', OPENAI_MODEL: 'large' });
  assert.equal(fixed.OPENAI_BASE_URL, undefined);
  assert.equal(fixed.OPENAI_MODEL, 'large');
  const stt = environmentWith('stt', values, { OPENAI_API_KEY: 'of-the-environment' });
  assert.equal(stt.STT_BASE_URL, 'http://203.0.113.5/v1');
  assert.equal(stt.OPENAI_API_KEY, undefined);
  const keys = { OPENAI_API_KEY: 'of-the-environment', GEMINI_API_KEY: 'that-too', GOOGLE_API_KEY: 'and-that' };
  const speech = environmentWith('speech-to-speech', { ...values, voice: 'marin' }, keys);
  assert.deepEqual(speech, {
    DIALOGUE: 'openai',
    DIALOGUE_BASE_URL: 'http://203.0.113.5/v1',
    DIALOGUE_MODEL: 'small',
    DIALOGUE_VOICE: 'marin',
  });
  const own = environmentWith('speech-to-speech', values, { DIALOGUE_API_KEY: 'of-the-environment' });
  assert.equal(own.DIALOGUE_BASE_URL, undefined);
});
