// The engines that listen, think and speak are changed over REST while the service runs: the next call has the new
// ones, and a running call keeps its own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OpenAiRealtimeServer } from '../../bench/rig/fakes/openai-realtime-server.ts';
import { SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import type { ModelKind } from '../../db/domain/model-settings.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted, say, type TestCaller } from '../support/conversation.ts';
import { FakeOpenAi, type FakeScript } from '../support/models/fake-openai.ts';
import { nightly } from '../support/nightly.ts';

const KEY = 'sk-dashboard-secret-0042';
const QUESTION = 'What are your opening hours?';
const SAYS_PLUM: FakeScript = { type: 'text', pieces: ['Plums are', ' in season.'] };

/** Changes one kind, and waits until the engine has taken or refused it. */
async function change(rest: Rest, kind: ModelKind, body: object): Promise<{ state: string; error: string | null }> {
  const changed = await rest.request('PATCH', `/admin/model-settings/${kind}`, body);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  let settings: { state: string; error: string | null } = { state: 'waiting', error: null };
  await rest.eventually(`the ${kind} is taken`, async () => {
    settings = (await rest.request('GET', '/admin/model-settings')).body.data[kind];
    return settings.state !== 'waiting';
  });
  return settings;
}

async function ask(service: Service) {
  const { caller, number } = await greeted(service);
  const askedAt = await caller.call.speak(await renderSpeech(QUESTION, 'flite-slt'));
  await caller.agentSound(askedAt);
  return { caller, number };
}

// Each has services of its own and mostly waits for the wire.
describe('side by side', { concurrency: 2 }, () => {
  test('another dialogue model answers the next call, without a restart; its key is nowhere', async () => {
    const model = await FakeOpenAi.start([SAYS_PLUM]);
    const service = await startService();
    try {
      const rest = await new Rest(service).login();
      await greetBriefly(rest);
      const running = await ask(service);
      const llm = { engine: 'openai', baseUrl: model.baseUrl, model: 'small', apiKey: KEY };
      const tried = (await rest.request('POST', '/admin/model-settings/llm/test', llm)).body.data;
      assert.equal(tried.error, null);
      assert.equal(tried.text, 'Plums are in season.');
      assert.ok(tried.firstMs !== null && tried.totalMs !== null);
      assert.equal((await change(rest, 'llm', llm)).state, 'in-use');
      // The call that runs keeps the receptionist.
      const asked = model.requests.length;
      await running.caller.agentQuiet(900);
      const againAt = await running.caller.call.speak(await renderSpeech(QUESTION, 'flite-slt'));
      await running.caller.agentSound(againAt);
      await running.caller.agentQuiet(900);
      await running.caller.hangUp();
      assert.doesNotMatch(saidBy(await rest.endedCall(running.number), 'agent').join(' '), /Plums/);
      assert.equal(model.requests.filter(({ body }) => body.stream).length, asked, 'the new model is not asked by it');

      const next = await ask(service);
      await next.caller.agentQuiet(900);
      await next.caller.hangUp();
      assert.match(saidBy(await rest.endedCall(next.number), 'agent').join(' '), /Plums are in season/);
      assert.equal(model.requests.at(-1)?.authorization, `Bearer ${KEY}`);

      const shown = (await rest.request('GET', '/admin/model-settings')).body.data.llm;
      assert.deepEqual(shown.apiKey, { end: '0042' });
      assert.equal(shown.running, 'openai:small');
      assert.ok(!service.output().includes(KEY), 'the key is in no log');
      assert.ok(!JSON.stringify(shown).includes(KEY));
    } finally {
      await service.stop();
      await model.stop();
    }
  });

  test('another recogniser and another voice serve the next call; one that cannot be loaded changes nothing', async () => {
    const server = await new SpeechServer({ apiKey: KEY, text: 'what are your opening hours' }).start();
    const service = await startService();
    try {
      const rest = await new Rest(service).login();
      await greetBriefly(rest);
      const running = await ask(service);
      const stt = { engine: 'deepgram', baseUrl: server.origin, apiKey: KEY };
      const tts = { engine: 'openai', baseUrl: `${server.origin}/v1`, apiKey: KEY };
      const heard = (await rest.request('POST', '/admin/model-settings/stt/test', stt)).body.data;
      assert.deepEqual([heard.error, heard.text], [null, 'what are your opening hours']);
      const said = (await rest.request('POST', '/admin/model-settings/tts/test', tts)).body.data;
      assert.equal(said.error, null);
      assert.ok((said.audioBytes ?? 0) > 1_000);
      assert.equal((await change(rest, 'stt', stt)).state, 'in-use');
      assert.equal((await change(rest, 'tts', tts)).state, 'in-use');
      const [voice] = (await rest.request('GET', '/voices')).body.data;
      assert.equal(voice?.engine, 'openai');
      const asked = server.requests.length;
      // The running call keeps its recogniser and its voice.
      await running.caller.agentQuiet(900);
      const againAt = await running.caller.call.speak(await renderSpeech(QUESTION, 'flite-slt'));
      await running.caller.agentSound(againAt);
      await running.caller.agentQuiet(900);
      assert.equal(server.requests.length, asked);
      await running.caller.hangUp();
      assert.equal((await rest.endedCall(running.number)).fallbacks.length, 0);

      const agents = (await rest.request('GET', '/agents')).body.data;
      for (const { id } of agents) await rest.request('PATCH', `/agents/${id}`, { voiceId: voice?.id });
      const next = await ask(service);
      await next.caller.agentQuiet(900);
      await next.caller.hangUp();
      const call = await rest.endedCall(next.number);
      assert.match(saidBy(call, 'caller')[0] ?? '', /^what are your opening hours/);
      assert.ok(server.requests.some(({ path }) => path.includes('/audio/speech')));
      assert.deepEqual(call.fallbacks, []);

      // OpenAI's own server wants a key, and the one of the other vendor is not sent to it.
      const refused = await change(rest, 'stt', { engine: 'openai', baseUrl: 'https://api.openai.com/v1' });
      assert.equal(refused.state, 'failed');
      assert.match(refused.error ?? '', /STT_API_KEY/);
      const status = (await rest.request('GET', '/admin/status')).body.data;
      const check = status.checks.find(({ subject }) => subject === 'recogniser: deepgram');
      assert.match(check?.message ?? '', /settings.*STT_API_KEY/);
      await rest.eventually('the old engines have ended', async () =>
        /the former engine has ended/.test(service.output()),
      );
      assert.ok(!service.output().includes(KEY), 'the key is in no log');
    } finally {
      await service.stop();
      await server.stop();
    }
  });

  test('a speech-to-speech model is turned on, changed and turned off again; a call keeps what it began with', {
    skip: nightly,
  }, async () => {
    const [first, second] = await Promise.all(
      ['We sell apples.', 'We sell pears.'].map((text) =>
        new OpenAiRealtimeServer({ apiKey: KEY, script: () => ({ text }), understands: 'what do you sell' }).start(),
      ),
    );
    assert.ok(first && second);
    const service = await startService();
    try {
      const rest = await new Rest(service).login();
      await greetBriefly(rest);
      const speech = await renderSpeech(QUESTION, 'flite-slt');
      const settings = async () => (await rest.request('GET', '/admin/model-settings')).body.data['speech-to-speech'];
      /** The fruit of each answer. */
      const ended = async ({ caller, number }: TestCaller): Promise<string[]> => {
        await caller.hangUp();
        const call = await rest.endedCall(number);
        assert.deepEqual(call.fallbacks, []);
        return saidBy(call, 'agent').flatMap((text) => /apples|pears/.exec(text) ?? []);
      };
      assert.deepEqual([(await settings()).running, (await settings()).engine], ['cascade', null]);
      const cascade = await greeted(service);

      const model = { engine: 'openai-realtime', baseUrl: first.origin, apiKey: KEY, voice: 'marin' };
      const tried = (await rest.request('POST', '/admin/model-settings/speech-to-speech/test', model)).body.data;
      assert.deepEqual([tried.error, tried.text], [null, 'We sell apples.']);
      assert.equal((await change(rest, 'speech-to-speech', model)).state, 'in-use');
      assert.equal((await settings()).running, 'openai-realtime');
      await say(cascade.caller, speech);
      assert.deepEqual(await ended(cascade), []);
      const apples = await greeted(service);
      await say(apples.caller, speech);

      assert.equal((await change(rest, 'speech-to-speech', { baseUrl: second.origin, apiKey: KEY })).state, 'in-use');
      await say(apples.caller, speech);
      assert.deepEqual(await ended(apples), ['apples', 'apples']);
      const pears = await greeted(service);
      await say(pears.caller, speech);

      // OpenAI's own server wants a key, and that of the other server is not sent to it.
      const refused = await change(rest, 'speech-to-speech', { baseUrl: 'https://api.openai.com/v1' });
      assert.equal(refused.state, 'failed');
      assert.match(refused.error ?? '', /DIALOGUE_API_KEY/);
      const { checks } = (await rest.request('GET', '/admin/status')).body.data;
      const check = checks.find(({ subject }) => subject === 'speech-to-speech model: openai-realtime');
      assert.match(check?.message ?? '', /settings.*DIALOGUE_API_KEY/);

      assert.equal((await change(rest, 'speech-to-speech', { engine: 'cascade' })).state, 'in-use');
      assert.equal((await settings()).running, 'cascade');
      await say(pears.caller, speech);
      assert.deepEqual(await ended(pears), ['pears', 'pears']);
      const last = await greeted(service);
      await say(last.caller, speech);
      assert.deepEqual(await ended(last), []);
      assert.deepEqual([first.connections, second.connections], [2, 1], 'a test and two calls');
      await rest.eventually('both workers have ended', async () => {
        const ends = service.output().match(/the former engine has ended/g) ?? [];
        return ends.length === 2;
      });
      assert.ok(!service.output().includes(KEY), 'the key is in no log');
    } finally {
      await service.stop();
      await first.stop();
      await second.stop();
    }
  });

  test('after a restart the stored speech-to-speech model answers, where no variable says otherwise', {
    skip: nightly,
  }, async () => {
    const dataDir = temporaryFolder('voice-settings');
    const shownBy = async (environment: Record<string, string>, act = async (_: Rest): Promise<void> => {}) => {
      const service = await startService(environment, dataDir);
      try {
        const rest = await new Rest(service).login();
        await act(rest);
        const { running, state, fixed } = (await rest.request('GET', '/admin/model-settings')).body.data[
          'speech-to-speech'
        ];
        return { running, state, fixed: fixed.map(({ variable }: { variable: string }) => variable) };
      } finally {
        await service.stop();
      }
    };
    const model = { engine: 'gemini-live', baseUrl: 'http://127.0.0.1:9', apiKey: KEY };
    await shownBy({}, async (rest) => {
      await change(rest, 'speech-to-speech', model);
    });
    assert.deepEqual(await shownBy({}), { running: 'gemini-live', state: 'in-use', fixed: [] });
    assert.deepEqual(await shownBy({ DIALOGUE: 'cascade' }), {
      running: 'cascade',
      state: 'in-use',
      fixed: ['DIALOGUE'],
    });
  });
});
