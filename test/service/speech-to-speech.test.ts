// The whole service with a speech-to-speech model, over real SIP: the caller hears the model's own voice, interrupts
// it, has it book an appointment, and goes on with the cascade when its socket breaks in mid sentence.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { GeminiLiveServer } from '../../bench/rig/fakes/gemini-live-server.ts';
import { OpenAiRealtimeServer } from '../../bench/rig/fakes/openai-realtime-server.ts';
import {
  MODEL_TONE_HZ,
  type ScriptedAnswer,
  type ScriptedTurn,
  type SpeechModelServerOptions,
} from '../../bench/rig/fakes/speech-model-server.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { hasTone } from '../media/signals.ts';
import { greetBriefly, greeted, say } from '../support/conversation.ts';
import { FakeOpenAi } from '../support/models/fake-openai.ts';
import { nightly } from '../support/nightly.ts';

const KEY = 'speech-model-key';
const QUESTION = await renderSpeech('What are your opening hours?', 'flite-slt');
const OBJECTION = await renderSpeech('No, wait a moment, that is not what I have asked you.', 'flite-slt');
const CASCADE = 'We go on with another voice.';
const LONG =
  'We are open from nine to five on every weekday, and on Saturdays we are open from ten in the morning until two.';

type ModelServer = OpenAiRealtimeServer | GeminiLiveServer;
const SERVERS = {
  'openai-realtime': (options: SpeechModelServerOptions) => new OpenAiRealtimeServer(options),
  'gemini-live': (options: SpeechModelServerOptions) => new GeminiLiveServer(options),
} as const;

const ends: Array<() => Promise<unknown>> = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

interface Setting {
  service: Service;
  rest: Rest;
  server: ModelServer;
  /** The language model of the cascade. */
  cascade: FakeOpenAi;
  script: { current: (turn: ScriptedTurn) => ScriptedAnswer };
}

async function serviceWith(engine: keyof typeof SERVERS): Promise<Setting> {
  const script: Setting['script'] = { current: () => ({ text: LONG }) };
  const server = await SERVERS[engine]({
    script: (turn) => script.current(turn),
    understands: 'when are you open',
    apiKey: KEY,
    speed: 4,
  }).start();
  const cascade = await FakeOpenAi.start([() => ({ type: 'text', pieces: [CASCADE] })]);
  ends.push(
    () => server.stop(),
    () => cascade.stop(),
  );
  const service = await startService({
    DIALOGUE: engine,
    DIALOGUE_BASE_URL: server.origin,
    DIALOGUE_API_KEY: KEY,
    LLM: 'openai',
    OPENAI_BASE_URL: cascade.baseUrl,
    OPENAI_API_KEY: 'test-key',
  });
  ends.push(() => service.stop());
  const rest = await new Rest(service).login();
  await greetBriefly(rest);
  return { service, rest, server, cascade, script };
}

// Each has a service of its own and mostly waits for the wire.
describe('side by side', { concurrency: true }, () => {
  for (const engine of ['openai-realtime', 'gemini-live'] as const) {
    test(`${engine}: answered in its own voice, interrupted, a tool, and the cascade after it`, {
      skip: engine !== 'openai-realtime' && nightly,
    }, async (t) => {
      const { service, rest, server, cascade, script } = await serviceWith(engine);

      await t.test('the caller hears the answer', async () => {
        script.current = () => ({ text: 'We are open until five.' });
        const { caller, number } = await greeted(service, { record: true });
        const before = caller.call.heard.length;
        await say(caller, QUESTION);
        await caller.hangUp();
        const samples = Int16Array.from(caller.call.heard.slice(before).flatMap((frame) => [...frame]));
        assert.ok(hasTone(samples, MODEL_TONE_HZ, 8_000), 'the model’s own voice');
        const call = await rest.endedCall(number);
        assert.equal(saidBy(call, 'agent').at(-1), 'We are open until five.');
        assert.equal(saidBy(call, 'caller').at(-1), 'when are you open');
        assert.deepEqual(call.fallbacks, []);
        assert.deepEqual([call.usage?.requests, call.usage?.promptTokens, call.usage?.completionTokens], [1, 120, 30]);
        assert.equal(cascade.requests.filter(({ body }) => body.stream === true).length, 0, 'nobody else was asked');
        assert.deepEqual(server.refusals, []);
      });

      await t.test('interrupted, it is cut where the caller heard it, and answers what they said', async () => {
        script.current = ({ turn }) => ({ text: turn === 1 ? LONG : 'Then I am sorry.' });
        const { caller, number } = await greeted(service);
        const askedAt = await caller.call.speak(QUESTION);
        const answeredAt = await caller.agentSound(askedAt);
        await caller.until('the agent has said some of it', () => performance.now() - answeredAt > 1_500);
        const objectedAt = await caller.call.speak(OBJECTION);
        await caller.agentSound(objectedAt);
        await caller.agentQuiet(1_000);
        await caller.hangUp();
        const [cut, answer] = saidBy(await rest.endedCall(number), 'agent').slice(-2);
        assert.ok(cut && LONG.startsWith(cut) && cut.length < LONG.length * 0.7, cut);
        assert.equal(answer, 'Then I am sorry.');
        assertCutOnServer(server, cut);
        assert.deepEqual(server.refusals, []);
      });

      await t.test('it books an appointment by our tools', async () => {
        script.current = ({ results: [result] }) => bookingScript(result);
        const { caller, number } = await greeted(service);
        await say(caller, QUESTION);
        await caller.hangUp();
        const call = await rest.endedCall(number);
        assert.equal(saidBy(call, 'agent').at(-1), 'You are booked.');
        const record = await rest.must('GET', `/calls/${call.id}`);
        assert.deepEqual(
          record.toolCalls?.map(({ name, outcome }) => `${name} ${outcome}`),
          ['check_availability done', 'schedule_appointment done'],
        );
        assert.equal(record.appointments.length, 1);
        assert.deepEqual(server.refusals, []);
      });

      await t.test('its socket breaks in mid sentence: what was heard stays, and the cascade answers', async () => {
        script.current = () => ({ text: LONG });
        server.fault = 'cut-in-answer';
        const { caller, number } = await greeted(service);
        const asked = cascade.requests.length;
        const askedAt = await caller.call.speak(QUESTION);
        await caller.agentSound(askedAt);
        await rest.eventually('the cascade is asked', async () => cascade.requests.length > asked);
        await caller.agentQuiet(1_000);
        await say(caller, QUESTION);
        await caller.hangUp();
        const call = await rest.endedCall(number);
        const [cut, ...later] = saidBy(call, 'agent').slice(1);
        assert.ok(cut && LONG.startsWith(cut) && cut.length < LONG.length, cut);
        assert.deepEqual(later, [CASCADE, CASCADE]);
        assert.deepEqual(call.fallbacks, [{ model: 'speech-to-speech', from: engine, to: 'cascade', count: 1 }]);
        const told = JSON.stringify(cascade.requests.at(asked)?.body.messages);
        assert.ok(told.includes(cut), 'it knows what the caller has heard');
        assert.match(told, /voice broke off/);
      });

      await t.test('it cannot be reached as a call begins: the cascade from the start', async () => {
        server.fault = 'refuse';
        const { caller, number } = await greeted(service);
        await say(caller, QUESTION);
        await caller.hangUp();
        const call = await rest.endedCall(number);
        assert.equal(saidBy(call, 'agent').at(-1), CASCADE);
        assert.equal(call.fallbacks[0]?.model, 'speech-to-speech');
        assert.ok(!service.output().includes(KEY), 'the key is in no log');
      });
    });
  }
});

function assertCutOnServer(server: ModelServer, heard: string): void {
  if (server instanceof GeminiLiveServer) {
    const told = server.turns.find(({ text }) => text.includes('heard of your last answer only this'));
    assert.ok(told?.text.includes(heard), told?.text);
    return;
  }
  const item = server.items.find(({ isCut }) => isCut);
  assert.ok(item && item.audioMs >= 1_000 && item.audioMs < 4_500, `${item?.audioMs} ms`);
}

/** Looks for a free time, takes the first one, and says so. */
function bookingScript(result: unknown): ScriptedAnswer {
  const text = JSON.stringify(result ?? null);
  if (result === undefined) {
    const from = new Date(Date.now() + 86_400_000).toISOString();
    return { calls: [{ name: 'check_availability', arguments: { from } }] };
  }
  if (/appointmentId|booked/.test(text)) return { text: 'You are booked.' };
  const startsAt = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)/.exec(text)?.[0] ?? '';
  return { calls: [{ name: 'schedule_appointment', arguments: { startsAt, name: 'Ada' } }] };
}
