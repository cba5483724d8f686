// The whole service over real SIP, with ears, voice and model of servers that note what they are asked for: a call goes
// on in another language at the caller's wish, and outlives its engine in it; and because the caller is heard to speak
// another one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import { processesOf } from '../../bench/rig/service/engine-threads.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../support/conversation.ts';
import { type FakeAnswer, FakeOpenAi, type FakeRequest } from '../support/models/fake-openai.ts';

const SPEECH = await renderSpeech('What are your opening hours?', 'flite-slt');
const GERMAN_WISH = 'können wir bitte deutsch sprechen';
const GERMAN_QUESTION = 'wann haben sie denn heute geöffnet';

const ends: Array<() => Promise<unknown>> = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

/** Asks for German where the caller does, and answers in the language that the prompt wants. */
function polyglot({ body: { messages = [] } }: FakeRequest): FakeAnswer {
  const last = messages.at(-1);
  if (last?.role === 'user' && String(last.content).includes('deutsch'))
    return { type: 'tool', name: 'switch_language', arguments: '{"language":"de-DE"}' };
  const isGerman = String(messages[0]?.content).includes('Sprechen Sie Deutsch');
  return { type: 'text', pieces: [isGerman ? 'Gern, auf Deutsch.' : 'We open at nine.'] };
}

async function serviceWith(stt: 'openai' | 'deepgram') {
  const server = await new SpeechServer({ text: 'when do you open' }).start();
  const model = await FakeOpenAi.start([polyglot]);
  const service = await startService({
    STT: stt,
    STT_BASE_URL: stt === 'openai' ? `${server.origin}/v1` : server.origin,
    STT_API_KEY: 'key',
    ...(stt === 'openai' ? { STT_MODEL: 'whisper-1' } : {}),
    TTS: 'openai',
    TTS_BASE_URL: `${server.origin}/v1`,
    TTS_API_KEY: 'key',
    TTS_VOICES: 'alloy,nova',
    LLM: 'openai',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'key',
  });
  ends.push(
    () => server.stop(),
    () => model.stop(),
    () => service.stop(),
  );
  const rest = await new Rest(service).login();
  const voices = await rest.must('GET', '/voices');
  const [english, german] = ['alloy', 'nova'].map((name) => voices.find(({ id }) => id.endsWith(name))?.id);
  assert.ok(english !== undefined && german !== undefined, JSON.stringify(voices));
  const { data: agents } = (await rest.request('GET', '/agents')).body;
  await rest.must('PATCH', `/agents/${agents[0]?.id}`, {
    voiceId: english,
    language: 'en-US',
    additionalLanguages: ['de-DE'],
    languages: [{ language: 'de-DE', voiceId: german, digit: '2', keywords: ['Wurzelbehandlung'] }],
  });
  return { server, model, service, rest };
}

/** The voice of each sentence. */
const spokenBy = (server: SpeechServer): Array<[voice: unknown, text: unknown]> =>
  server.requests
    .filter(({ path }) => path.endsWith('/audio/speech'))
    .map(({ fields }) => [fields.voice, fields.input]);

const eventsOf = async (rest: Rest, callId: string): Promise<string[]> =>
  (await rest.must('GET', `/calls/${callId}/events`)).map(({ type }) => type);

test('at the caller’s wish recogniser, voice and model change; the call outlives its engine in the new language', async () => {
  const { server, model, service, rest } = await serviceWith('openai');
  const { caller, number } = await greeted(service);
  await say(caller, SPEECH);
  server.text = GERMAN_WISH;
  await say(caller, SPEECH);
  server.text = GERMAN_QUESTION;
  await say(caller, SPEECH);

  const heard = server.requests
    .filter(({ path }) => path.endsWith('/audio/transcriptions'))
    .map(({ fields }) => fields);
  const forms = heard.map(({ language = 'any', response_format: form }) => `${language} ${form}`);
  assert.deepEqual(forms.at(0), 'any verbose_json', 'it is left to find out the language');
  assert.deepEqual(forms.at(-1), 'de verbose_json', 'it is told the language');
  const german = spokenBy(server).filter(([, text]) => /Deutsch/.test(String(text)));
  assert.ok(german.length >= 1 && german.every(([voice]) => voice === 'nova'), JSON.stringify(spokenBy(server)));
  const english = spokenBy(server).filter(([, text]) => /nine/.test(String(text)));
  assert.ok(english.length >= 1 && english.every(([voice]) => voice === 'alloy'));

  const before = caller.frames.length;
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
  await caller.until('the line is back', () => caller.frames.length > before + 10, 30_000);
  await caller.agentSound(caller.frames[before]?.atMs ?? 0);
  await caller.agentQuiet(900);
  const asked = server.requests.length;
  await say(caller, SPEECH);
  await caller.hangUp();

  const call = await rest.endedCall(number);
  assert.deepEqual(call.languages, ['en-US', 'de-DE']);
  const said = saidBy(call, 'agent');
  assert.ok(
    said.some((text) => text.startsWith('Entschuldigung, ich habe Sie kurz verloren')),
    said.join(' | '),
  );
  assert.equal(said.at(-1), 'Gern, auf Deutsch.');
  assert.deepEqual(saidBy(call, 'caller').slice(0, 3), ['when do you open', GERMAN_WISH, GERMAN_QUESTION]);
  const later = server.requests.slice(asked).filter(({ path }) => path.endsWith('/audio/transcriptions'));
  assert.ok(later.length > 0 && later.every(({ fields }) => fields.language === 'de'));
  const { languageChanges = [] } = await rest.must('GET', `/calls/${call.id}`);
  assert.deepEqual(
    languageChanges.map(({ from, to, by, outcome }) => [from, to, by, outcome]),
    [['en-US', 'de-DE', 'wish', 'changed']],
  );
  assert.ok((await eventsOf(rest, call.id)).includes('call.language_changed'));
  const tools = JSON.stringify(model.requests.at(0)?.body.tools);
  assert.match(tools, /switch_language/);
});

test('a caller who is heard to speak German goes on in German', async () => {
  const { server, service, rest } = await serviceWith('deepgram');
  server.language = 'de';
  server.text = GERMAN_QUESTION;
  const { caller, number } = await greeted(service);
  await say(caller, SPEECH);
  await say(caller, SPEECH);
  await say(caller, SPEECH);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.deepEqual(call.languages, ['en-US', 'de-DE']);
  const terms = server.requests.filter(({ path }) => path.includes('/listen')).map(({ path }) => /Wurzelb/.test(path));
  assert.deepEqual([terms.at(0), terms.at(-1)], [false, true], 'the words of the language go along');
  assert.equal(saidBy(call, 'agent').at(-1), 'Gern, auf Deutsch.');
  const german = spokenBy(server).filter(([, text]) => /Deutsch/.test(String(text)));
  assert.ok(german.length >= 1 && german.every(([voice]) => voice === 'nova'));
  const { languageChanges = [] } = await rest.must('GET', `/calls/${call.id}`);
  assert.deepEqual(
    languageChanges.map(({ by }) => by),
    ['detected'],
  );
});
