// A second model behind the first: it takes over a turn that the first fails before its first word.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { dialogueRequest } from '../../../bench/rig/conversation/dialogue-request.ts';
import { comesToRest } from '../../../bench/rig/eventually.ts';
import createOpenAi from '../../../models/llm/chat/openai.ts';
import {
  type DialogueChunk,
  type DialogueModel,
  type DialogueRequest,
  LlmError,
  type LlmErrorCode,
  type ModelNotice,
} from '../../../models/llm/llm.ts';
import { DialogueWithFallback } from '../../../models/llm/model-with-fallback.ts';
import type { Timers } from '../../../models/llm/timers.ts';
import { FakeOpenAi, type FakeScript } from '../../support/models/fake-openai.ts';

const REQUEST = dialogueRequest({ tools: [] });

type Script = 'says' | LlmErrorCode | 'breaks off';

/** A model that does what its script says next; the last step repeats. */
function scripted(name: string, ...script: Script[]): DialogueModel & { asked: number } {
  const model = {
    name,
    asked: 0,
    complete: async () => {
      const step = script.length > 1 ? script.shift() : script[0];
      if (step === 'says') return `by ${name}`;
      throw new LlmError('LLM_UNAVAILABLE', 'down');
    },
    async *reply(): AsyncIterable<DialogueChunk> {
      model.asked++;
      yield { type: 'request', byFallback: false };
      const step = script.length > 1 ? script.shift() : script[0];
      if (step === 'says' || step === 'breaks off') yield { type: 'text', text: `by ${name}` };
      if (step === 'breaks off') throw new LlmError('LLM_UNAVAILABLE', 'cut');
      if (step !== 'says' && step) throw new LlmError(step, 'down', { details: { status: 500 } });
    },
  };
  return model;
}

/** Timers of a test in which nobody is silent. */
const at = (nowMs: () => number): Timers => ({ nowMs, after: () => () => {} });

async function chunksOf(model: DialogueModel, signal = new AbortController().signal): Promise<DialogueChunk[]> {
  const chunks: DialogueChunk[] = [];
  for await (const chunk of model.reply(REQUEST, signal)) chunks.push(chunk);
  return chunks;
}

async function said(model: DialogueModel): Promise<string> {
  return (await chunksOf(model)).map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');
}

test('the second model answers, and its request counts as one of the fallback', async () => {
  const model = new DialogueWithFallback(scripted('a', 'LLM_UNAVAILABLE'), scripted('b', 'says'));
  assert.deepEqual(await chunksOf(model), [
    { type: 'request', byFallback: false },
    { type: 'request', byFallback: true },
    { type: 'text', text: 'by b' },
  ]);
});

test('an error that nobody foresaw is told in its words, unless they are those of the conversation', async () => {
  const tell = async (message: string): Promise<ModelNotice['details'] | undefined> => {
    const first = scripted('a', 'says');
    first.reply = () => {
      throw new TypeError(message);
    };
    const model = new DialogueWithFallback(first, scripted('b', 'says'));
    let told: ModelNotice['details'] | undefined;
    model.onNotice(({ details }) => {
      told = details;
    });
    assert.equal(await said(model), 'by b');
    return told;
  };
  assert.equal((await tell('ECONNRESET'))?.error, 'ECONNRESET');
  assert.equal((await tell('cannot read "hello"'))?.error, 'TypeError');
});

test('a reply that has begun is not said again by another model', async () => {
  const second = scripted('b', 'says');
  const model = new DialogueWithFallback(scripted('a', 'breaks off'), second);
  await assert.rejects(() => chunksOf(model), { code: 'LLM_UNAVAILABLE' });
  assert.equal(second.asked, 0);
});

test('a dead first model is asked twice, then once in half a minute; a living one has all turns again', async () => {
  let nowMs = 0;
  const first = scripted('a', 'LLM_TIMEOUT', 'LLM_TIMEOUT', 'LLM_TIMEOUT', 'says');
  const model = new DialogueWithFallback(
    first,
    scripted('b', 'says'),
    at(() => nowMs),
  );
  for (let turn = 0; turn < 6; turn++) assert.equal(await said(model), 'by b');
  assert.equal(first.asked, 2);
  nowMs += 30_000;
  for (let turn = 0; turn < 3; turn++) assert.equal(await said(model), 'by b');
  assert.equal(first.asked, 3);
  nowMs += 30_000;
  for (let turn = 0; turn < 3; turn++) assert.equal(await said(model), 'by a');
  assert.equal(first.asked, 6);
});

test('a first model that refuses us is not asked on the next turn', async () => {
  const first = scripted('a', 'LLM_REFUSED');
  const model = new DialogueWithFallback(
    first,
    scripted('b', 'says'),
    at(() => 0),
  );
  for (let turn = 0; turn < 3; turn++) assert.equal(await said(model), 'by b');
  assert.equal(first.asked, 1);
});

test('an agent whose own model is refused takes the first model from nobody else', async () => {
  const asked: string[] = [];
  const first = scripted('a', 'says');
  first.reply = async function* ({ model }) {
    asked.push(model ?? 'usual');
    if (model === 'no-such-model') throw new LlmError('LLM_REFUSED', 'no such model', { details: { status: 404 } });
    yield { type: 'text', text: 'by a' };
  };
  const model = new DialogueWithFallback(
    first,
    scripted('b', 'says'),
    at(() => 0),
  );
  const saidTo = async (own: string | null): Promise<string> => {
    let text = '';
    for await (const chunk of model.reply({ ...REQUEST, model: own }, new AbortController().signal))
      if (chunk.type === 'text') text += chunk.text;
    return text;
  };
  assert.deepEqual([await saidTo('no-such-model'), await saidTo('no-such-model')], ['by b', 'by b']);
  assert.deepEqual([await saidTo(null), await saidTo('another')], ['by a', 'by a']);
  assert.deepEqual(asked, ['no-such-model', 'usual', 'another']);
});

test('a request that is refused for its own tools or length says nothing about the server', async () => {
  const first = scripted('a', 'says');
  let refuses = true;
  first.reply = async function* () {
    if (refuses) throw new LlmError('LLM_REFUSED', 'bad schema', { details: { status: 400 } });
    yield { type: 'text', text: 'by a' };
  };
  const model = new DialogueWithFallback(
    first,
    scripted('b', 'says'),
    at(() => 0),
  );
  for (let turn = 0; turn < 3; turn++) assert.equal(await said(model), 'by b');
  refuses = false;
  assert.equal(await said(model), 'by a');
});

test('while the first is down and the second fails, the first has the last word', async () => {
  const first = scripted('a', 'LLM_REFUSED', 'says');
  const model = new DialogueWithFallback(
    first,
    scripted('b', 'says', 'LLM_UNAVAILABLE'),
    at(() => 0),
  );
  assert.equal(await said(model), 'by b');
  assert.equal(await said(model), 'by a');
});

test('both fail: the turn fails once', async () => {
  const model = new DialogueWithFallback(scripted('a', 'LLM_TIMEOUT'), scripted('b', 'LLM_REFUSED'));
  await assert.rejects(() => chunksOf(model), { code: 'LLM_REFUSED' });
});

test('a reply that nobody wants any more goes to no second model, and is no fault of the first', async () => {
  const second = scripted('b', 'says');
  const first: DialogueModel = {
    name: 'a',
    complete: null,
    async *reply(_request, signal) {
      yield { type: 'request', byFallback: false };
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw new LlmError('LLM_UNAVAILABLE', 'cancelled');
    },
  };
  const model = new DialogueWithFallback(first, second);
  for (let turn = 0; turn < 4; turn++) {
    const abort = new AbortController();
    setImmediate(() => abort.abort());
    await assert.rejects(() => chunksOf(model, abort.signal));
  }
  assert.equal(second.asked, 0);
});

/** A model that is silent for so long. */
function slow(name: string, clock: VirtualClock, silentMs: number): DialogueModel & { asked: number } {
  const model = {
    name,
    asked: 0,
    complete: null,
    async *reply(_request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
      model.asked++;
      yield { type: 'request', byFallback: false };
      await new Promise<void>((resolve, reject) => {
        const cancel = clock.after(silentMs, resolve);
        signal.addEventListener('abort', () => {
          cancel();
          reject(new LlmError('LLM_UNAVAILABLE', 'cancelled'));
        });
      });
      yield { type: 'text', text: `by ${name}` };
    },
  };
  return model;
}

/** The words, and the time until them; null where the turn failed. */
async function play(model: DialogueModel, clock: VirtualClock): Promise<[text: string | null, afterMs: number]> {
  let text: string | null | undefined;
  const startMs = clock.monotonicMs();
  said(model).then(
    (words) => {
      text = words;
    },
    () => {
      text = null;
    },
  );
  for (;;) {
    for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve));
    if (text !== undefined) return [text, clock.monotonicMs() - startMs];
    clock.advance(100);
  }
}

const timersOf = (clock: VirtualClock): Timers => ({
  nowMs: () => clock.monotonicMs(),
  after: (delayMs, fire) => clock.after(delayMs, fire),
});

test('a first model that is silent for 2 s is followed by the second, which has the rest of the time', async () => {
  const clock = new VirtualClock();
  const [first, second] = [slow('a', clock, 5_000), slow('b', clock, 3_000)];
  const model = new DialogueWithFallback(first, second, timersOf(clock));
  assert.deepEqual(await play(model, clock), ['by b', 5_000]);
  assert.equal(clock.pending, 0);
});

test('a first model that was only slow has the rest of the time, where the second one refuses', async () => {
  const clock = new VirtualClock();
  const first = slow('a', clock, 3_000);
  const model = new DialogueWithFallback(first, scripted('b', 'LLM_REFUSED'), timersOf(clock));
  assert.deepEqual(await play(model, clock), ['by a', 5_000]);
  assert.equal(first.asked, 2);
});

test('an operator is told once a minute, with the reason and the number of turns', async () => {
  let nowMs = 0;
  const notices: ModelNotice[] = [];
  const first = scripted('a', 'LLM_UNAVAILABLE', 'LLM_UNAVAILABLE', 'says', 'LLM_UNAVAILABLE');
  const model = new DialogueWithFallback(
    first,
    scripted('b', 'says'),
    at(() => nowMs),
  );
  model.onNotice((notice) => notices.push(notice));
  await said(model);
  await said(model);
  assert.equal(notices.length, 1);
  nowMs += 61_000;
  await said(model);
  await said(model);
  assert.equal(notices.length, 2);
  assert.deepEqual(notices[1]?.details, { code: 'LLM_UNAVAILABLE', status: 500, model: 'a', fallback: 'b', turns: 2 });
});

test('a text task has a second model, too', async () => {
  const model = new DialogueWithFallback(scripted('a', 'LLM_UNAVAILABLE'), scripted('b', 'says'));
  const prompt = { system: '', user: '', json: false };
  assert.equal(await model.complete?.(prompt, new AbortController().signal), 'by b');
});

const FAULTS: Record<string, FakeScript> = {
  'that hangs': { type: 'hang' },
  'that begins a stream and says nothing': { type: 'stall', pieces: [''] },
  'that answers 500': { type: 'status', status: 500 },
  'that answers 401': { type: 'status', status: 401 },
  'that asks for patience': { type: 'status', status: 429, headers: { 'retry-after': '30' } },
  'that breaks the connection': { type: 'reset' },
  'that sends HTML': { type: 'raw', body: '<html>502</html>', contentType: 'text/html' },
  'that breaks off before the first word': { type: 'cut', pieces: [] },
};

/** Both servers are in this process: time passes whenever they have said what they say. */
async function heardWithin(ms: number, clock: VirtualClock, saying: Promise<string>): Promise<string | null> {
  let heard: string | null = null;
  void saying.then((text) => {
    heard = text;
  });
  for (const untilMs = clock.monotonicMs() + ms; heard === null && clock.monotonicMs() < untilMs; clock.advance(50))
    await comesToRest();
  return heard;
}

describe('whatever the first server does', () => {
  for (const [name, fault] of Object.entries(FAULTS)) {
    test(`a server ${name}: the caller hears the second model within 3 s`, async () => {
      const [first, second] = [
        await FakeOpenAi.start([fault]),
        await FakeOpenAi.start([{ type: 'text', pieces: ['Yes.'] }]),
      ];
      const clock = new VirtualClock();
      const environment = {
        OPENAI_BASE_URL: first.baseUrl,
        OPENAI_API_KEY: 'sk-first',
        OPENAI_MODEL: 'small',
        LLM_FALLBACK_BASE_URL: second.baseUrl,
        LLM_FALLBACK_API_KEY: 'sk-second',
        LLM_FALLBACK_MODEL: 'other',
      };
      const model = await createOpenAi(environment, clock);
      assert.equal(await heardWithin(3_000, clock, said(model)), 'Yes.');
      assert.equal(second.requests[0]?.authorization, 'Bearer sk-second');
      assert.equal(second.requests[0]?.body.model, 'other');
      await first.stop();
      await second.stop();
    });
  }

  test('a second model of the same server needs its name alone', async () => {
    const fake = await FakeOpenAi.start([
      ({ body }) => (body.model === 'small' ? { type: 'status', status: 503 } : { type: 'text', pieces: ['Yes.'] }),
    ]);
    const clock = new VirtualClock();
    const environment = {
      OPENAI_BASE_URL: `${fake.baseUrl}/`,
      OPENAI_API_KEY: 'sk-first',
      OPENAI_MODEL: 'small',
      LLM_FALLBACK_MODEL: 'other',
    };
    const model = await createOpenAi(environment, clock);
    assert.equal(await heardWithin(3_000, clock, said(model)), 'Yes.');
    const asked = fake.requests.map(({ body }) => body.model);
    assert.deepEqual([...new Set(asked)], ['small', 'other']);
    assert.equal(asked.at(-1), 'other');
    assert.ok(
      fake.requests.every(
        ({ path, authorization }) => path === '/v1/chat/completions' && authorization === 'Bearer sk-first',
      ),
    );
    await fake.stop();
  });
});
