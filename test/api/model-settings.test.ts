// /admin/model-settings as an ADMIN's client sees it, without an engine: what is stored, shown, refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelKind } from '../../db/domain/model-settings.ts';
import { engineIs } from '../support/api/resources.ts';
import { useFreshApi } from '../support/api/use-api.ts';

const KEY = 'sk-never-shown-0042';
const PATH = '/admin/model-settings';
const api = useFreshApi();

const patch = (kind: string, body: object) => api.admin.ask('PATCH', `${PATH}/${kind}`, body);
const shown = async (kind: ModelKind) => (await api.admin.ask('GET', PATH)).json.data[kind];
const server = { engine: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3', apiKey: KEY };

test('settings are stored and shown; of the key only its end, and in the database it is sealed', async () => {
  const before = await shown('llm');
  assert.deepEqual([before.revision, before.state, before.engine, before.apiKey], [0, 'in-use', null, null]);
  const changed = await patch('llm', server);
  assert.equal(changed.status, 200);
  const settings = await shown('llm');
  assert.deepEqual(changed.json.data, settings);
  assert.equal(settings.baseUrl, server.baseUrl);
  assert.deepEqual(settings.apiKey, { end: '0042' });
  assert.equal(settings.state, 'waiting', 'no engine has taken it');
  const row = await api.context.read.selectFrom('modelSettings').selectAll().executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify([row, settings]).includes(KEY));
  assert.match(row.keySealed ?? '', /^v1\./);
  // An absent field stays; null empties it.
  assert.equal((await patch('llm', { model: null })).json.data.model, null);
  assert.deepEqual((await shown('llm')).apiKey, { end: '0042' });
  assert.equal((await patch('llm', { apiKey: null })).json.data.apiKey, null);
});

test('a short key shows no end of it', async () => {
  const { json } = await patch('llm', { ...server, apiKey: 'abcdefgh' });
  assert.deepEqual(json.data.apiKey, { end: null });
});

test('a stored key does not follow to another engine or server', async () => {
  await patch('llm', server);
  assert.deepEqual((await patch('llm', { baseUrl: 'http://127.0.0.1:8000/v2' })).json.data.apiKey, { end: '0042' });
  assert.equal((await patch('llm', { baseUrl: 'http://127.0.0.1:8001/v1' })).json.data.apiKey, null);
  await patch('stt', { engine: 'deepgram', baseUrl: 'http://127.0.0.1:8000', model: 'nova-3', apiKey: KEY });
  const other = await patch('stt', { engine: 'openai', baseUrl: 'http://127.0.0.1:8000' });
  assert.deepEqual([other.json.data.apiKey, other.json.data.model], [null, null]);
});

test('a speech-to-speech model is set, keeps its key with its server, and is turned off by null or by its word', async () => {
  const before = await shown('speech-to-speech');
  assert.deepEqual([before.engine, before.running, before.state], [null, null, 'in-use']);
  const model = {
    engine: 'openai-realtime',
    baseUrl: 'wss://speech.example.com/v1',
    model: 'm',
    voice: 'v',
    apiKey: KEY,
  };
  assert.equal((await patch('speech-to-speech', model)).status, 200);
  const { engine, baseUrl, voice, apiKey, revision } = await shown('speech-to-speech');
  assert.deepEqual(
    [engine, baseUrl, voice, apiKey, revision],
    ['openai-realtime', model.baseUrl, 'v', { end: '0042' }, 1],
  );
  assert.deepEqual((await patch('speech-to-speech', { voice: 'w' })).json.data.apiKey, { end: '0042' });
  assert.equal((await patch('speech-to-speech', { baseUrl: 'wss://other.example.com/v1' })).json.data.apiKey, null);
  for (const off of [null, 'cascade']) {
    await patch('speech-to-speech', model);
    const { data } = (await patch('speech-to-speech', { engine: off })).json;
    assert.deepEqual([data.engine, data.baseUrl, data.model, data.voice, data.apiKey], [null, null, null, null, null]);
  }
});

test('of a speech-to-speech model the engine says whether one answers, and why settings were not taken', async () => {
  await patch('speech-to-speech', { engine: 'gemini-live', apiKey: KEY });
  const say = (models: object) => engineIs(api, { models: JSON.stringify(models) });
  const checkOf = async () => {
    const { checks } = (await api.admin.ask('GET', '/admin/status')).json.data;
    return checks.find(({ subject }: { subject: string | null }) => subject?.startsWith('speech-to-speech model'));
  };
  await say({});
  assert.deepEqual([(await shown('speech-to-speech')).running, await checkOf()], ['cascade', undefined]);
  await say({ settings: { 'speech-to-speech': { revision: 1, error: 'it cannot be loaded' } } });
  const { state, running } = await shown('speech-to-speech');
  assert.deepEqual([state, running], ['failed', 'cascade']);
  const check = await checkOf();
  assert.deepEqual([check?.subject, check?.state], ['speech-to-speech model: cascade', 'warning']);
  assert.match(check?.message ?? '', /it cannot be loaded/);
  await say({ 'speech-to-speech': 'gemini-live', settings: { 'speech-to-speech': { revision: 1, error: null } } });
  const taken = await shown('speech-to-speech');
  assert.deepEqual([taken.state, taken.running], ['in-use', 'gemini-live']);
  // By its own variable the vendor's key is known too, and is sent to no address of the dashboard.
  await say({ variables: { DIALOGUE: 'gemini-live', DIALOGUE_API_KEY: null, DIALOGUE_VOICE: 'Kore' } });
  const fixed = await shown('speech-to-speech');
  assert.deepEqual([fixed.engine, fixed.voice, fixed.apiKey], ['gemini-live', 'Kore', { end: null }]);
  for (const body of [{ engine: 'cascade' }, { voice: 'Puck' }, { baseUrl: 'wss://203.0.113.5' }])
    assert.equal((await patch('speech-to-speech', body)).json.code, 'SET_BY_VARIABLE', JSON.stringify(body));
});

test('an engine that was set up here counts as configured', async () => {
  const state = async () =>
    (await api.admin.ask('GET', '/admin/models?limit=100')).json.data.find(({ name }) => name === 'deepgram')?.state;
  assert.equal(await state(), 'unconfigured');
  await patch('stt', { engine: 'deepgram', apiKey: KEY });
  assert.equal(await state(), 'installed');
});

test('what is wrong is named by its field', async () => {
  for (const [kind, body, field] of [
    ['llm', { engine: 'nothing' }, 'engine'],
    ['llm', { engine: 'module:/etc/passwd.ts' }, 'engine'],
    ['llm', { baseUrl: 'ftp://127.0.0.1' }, 'baseUrl'],
    ['llm', { baseUrl: 'not an address' }, 'baseUrl'],
    ['llm', { baseUrl: 'http://user:secret@127.0.0.1/v1' }, 'baseUrl'],
    ['llm', { baseUrl: 'http://127.0.0.1/v1?key=1' }, 'baseUrl'],
    ['llm', { apiKey: 'sk-one\nAuthorization: sk-two' }, 'apiKey'],
    ['llm', { apiKey: 'sk-ä' }, 'apiKey'],
    ['llm', { voices: 'alloy' }, 'voices'],
    ['llm', { model: 'a\u0000b' }, 'model'],
    ['stt', { fallbackModel: 'small' }, 'fallbackModel'],
    ['stt', { engine: 'deepgram' }, 'apiKey'],
    ['stt', { engine: 'sherpa:kroko-en' }, 'engine'],
    ['tts', { engine: 'soundswallower' }, 'engine'],
    ['stt', { voice: 'marin' }, 'voice'],
    ['speech-to-speech', { engine: 'openai' }, 'engine'],
    ['speech-to-speech', { engine: 'module:/etc/passwd.ts' }, 'engine'],
    ['speech-to-speech', { engine: 'gemini-live' }, 'apiKey'],
    ['speech-to-speech', { engine: 'openai-realtime', baseUrl: 'ftp://127.0.0.1' }, 'baseUrl'],
    ['speech-to-speech', { voices: 'alloy' }, 'voices'],
  ] as const) {
    const { status, json } = await patch(kind, body);
    assert.equal(status, 422, JSON.stringify([kind, body, json]));
    assert.deepEqual(
      json.errors?.map((error: { field: string }) => error.field),
      [field],
      JSON.stringify(body),
    );
  }
  assert.equal((await patch('vad', { engine: 'silero' })).status, 422);
  // Blanks around a pasted key are no part of it.
  assert.deepEqual((await patch('llm', { apiKey: ` ${KEY}\n` })).json.data.apiKey, { end: '0042' });
});

test('what a variable of the engine sets is shown and cannot be changed', async () => {
  const variables = { STT: 'openai', STT_API_KEY: null, OPENAI_API_KEY: null };
  await engineIs(api, { models: JSON.stringify({ stt: 'openai', variables }) });
  const stt = await shown('stt');
  assert.equal(stt.engine, 'openai');
  assert.equal(stt.running, 'openai');
  assert.deepEqual(stt.apiKey, { end: null });
  assert.deepEqual(stt.fixed, [
    { field: 'engine', variable: 'STT' },
    { field: 'baseUrl', variable: 'STT_API_KEY' },
    { field: 'apiKey', variable: 'STT_API_KEY' },
  ]);
  for (const [body, variable] of [
    [{ engine: 'deepgram' }, /\bSTT\b/],
    [{ apiKey: KEY }, /STT_API_KEY/],
    // The key would be sent there.
    [{ baseUrl: 'http://203.0.113.5/v1' }, /STT_API_KEY/],
  ] as const) {
    const { status, json } = await patch('stt', body);
    assert.deepEqual([status, json.code], [409, 'SET_BY_VARIABLE']);
    assert.match(json.error ?? '', variable);
    assert.equal((await api.admin.ask('POST', `${PATH}/stt/test`, body)).status, 409);
  }
  assert.equal((await patch('stt', { engine: 'openai', model: 'whisper-1' })).status, 200);
  assert.equal((await shown('stt')).model, 'whisper-1');
});

test('of two tabs the second is told that the first has changed something', async () => {
  assert.equal((await patch('llm', { ...server, revision: 0 })).json.data.revision, 1);
  const late = await patch('llm', { model: 'other', revision: 0 });
  assert.deepEqual([late.status, late.json.code], [409, 'CHANGED_MEANWHILE']);
  assert.equal((await shown('llm')).model, 'qwen3');
});

test('what the engine says of the settings is shown', async () => {
  await patch('stt', { engine: 'deepgram', apiKey: KEY });
  const say = (settings: object) => engineIs(api, { models: JSON.stringify({ stt: 'soundswallower', settings }) });
  await say({ stt: { revision: 1, error: 'it cannot be loaded' } });
  const failed = await shown('stt');
  assert.deepEqual([failed.state, failed.error, failed.running], ['failed', 'it cannot be loaded', 'soundswallower']);
  const { checks } = (await api.admin.ask('GET', '/admin/status')).json.data;
  const check = checks.find(({ subject }: { subject: string | null }) => subject === 'recogniser: soundswallower');
  assert.equal(check?.state, 'warning');
  assert.match(check?.message ?? '', /it cannot be loaded/);
  await say({ stt: { revision: 1, error: null } });
  assert.equal((await shown('stt')).state, 'in-use');
});

test('only an ADMIN of the installation sees, changes and tests them', async () => {
  for (const [method, path] of [
    ['GET', PATH],
    ['PATCH', `${PATH}/llm`],
    ['POST', `${PATH}/llm/test`],
  ] as const) {
    assert.equal((await api.tenant.ask(method, path, method === 'GET' ? undefined : {})).status, 403, path);
    assert.equal((await api.ask(method, path, method === 'GET' ? undefined : {})).status, 401, path);
  }
});

test('a test needs the engine; its settings are not left behind', async () => {
  const without = await api.admin.ask('POST', `${PATH}/llm/test`, server);
  assert.deepEqual([without.status, without.json.code], [503, 'ENGINE_DOWN']);
  await engineIs(api);
  const asked = api.admin.ask('POST', `${PATH}/llm/test`, server);
  const trial = { engine: 'openai:qwen3', error: null, firstMs: 80, totalMs: 120, text: 'Yes.', audioBytes: null };
  let payload: string | undefined;
  while (payload === undefined) {
    const row = await api.context.read.selectFrom('engineRequests').selectAll().executeTakeFirst();
    payload = row?.payload;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(!payload.includes(KEY));
  await api.context.db
    .updateTable('engineRequests')
    .set({ doneAt: api.clock.now, result: JSON.stringify({ trial: { ...trial, fallback: null } }) })
    .execute();
  // An engine of the former release says no sentence.
  assert.deepEqual((await asked).json.data, { ...trial, sentence: null, wordErrors: null, fallback: null });
  assert.equal((await api.context.read.selectFrom('engineRequests').selectAll().execute()).length, 0);
});

test('a recogniser is tried in a language, and its words are compared with the sentence', async () => {
  await engineIs(api);
  const wish = { engine: 'soundswallower', language: 'de-DE', spokenBy: 'sherpa:piper-thorsten-de' };
  const asked = api.admin.ask('POST', `${PATH}/stt/test`, wish);
  let id: string | undefined;
  while (id === undefined) {
    const row = await api.context.read
      .selectFrom('engineRequests')
      .selectAll()
      .where('doneAt', 'is', null)
      .executeTakeFirst();
    id = row?.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const heard = { engine: 'soundswallower', error: null, firstMs: 80, totalMs: 80, audioBytes: null, fallback: null };
  const trial = { ...heard, text: 'guten tag', sentence: 'Guten Tag, Herr Thorsten.' };
  await api.context.db
    .updateTable('engineRequests')
    .set({ doneAt: api.clock.now, result: JSON.stringify({ trial }) })
    .where('id', '=', id)
    .execute();
  assert.equal((await asked).json.data.wordErrors, 2);
  const wrong = await api.admin.ask('POST', `${PATH}/stt/test`, { language: 'german' });
  assert.equal(wrong.status, 422);
});
