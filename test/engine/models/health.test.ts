// How the models are: asked again and again, logged once, and what a call met.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { ModelHealth } from '../../../engine/models/health.ts';
import { watchDialogue } from '../../../engine/models/watched-dialogue.ts';
import { type DialogueModel, type DialogueRequest, LlmError, type ModelNotice } from '../../../models/llm/llm.ts';

function stage(reply: DialogueModel['reply']) {
  let notices: ModelNotice[] = [];
  const lines: string[] = [];
  const clock = new VirtualClock();
  const model: DialogueModel = { name: 'openai', complete: null, reply, check: async () => notices };
  const health = new ModelHealth({
    dialogue: model,
    probe: async () => [{ kind: 'tts', engine: 'openai', message: 'TTS_API_KEY: refused' }],
    clock,
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
  });
  return {
    health,
    lines,
    model: watchDialogue(model, health),
    serversSay(...texts: string[]) {
      notices = texts.map((text) => ({ level: 'warn', text, details: {} }));
    },
  };
}

async function drain(model: DialogueModel, signal = new AbortController().signal): Promise<void> {
  for await (const _ of model.reply({} as DialogueRequest, signal));
}

test('what a server says is known until it says otherwise, and logged when it is new', async () => {
  const { health, lines, serversSay } = stage(async function* () {});
  serversSay('OPENAI_BASE_URL: it lacks /v1');
  await health.ask();
  await health.ask();
  assert.deepEqual(
    health.faults.map(({ model, source, message }) => [model, source, message]),
    [
      ['llm', 'server', 'OPENAI_BASE_URL: it lacks /v1'],
      ['tts', 'server', 'TTS_API_KEY: refused'],
    ],
  );
  assert.equal(lines.length, 2);
  serversSay();
  await health.ask();
  assert.deepEqual(
    health.faults.map(({ model }) => model),
    ['tts'],
  );
});

test('a refusal on a call is a fault with status and address, until a reply succeeds', async () => {
  let isRefused = true;
  const details = { status: 404, url: '127.0.0.1:1234/chat/completions', vendorMessage: 'Not Found' };
  const { health, model } = stage(async function* () {
    if (isRefused) throw new LlmError('LLM_REFUSED', 'the model server answered 404', { details });
    yield { type: 'text', text: 'Hello.' };
  });
  await assert.rejects(drain(model), { code: 'LLM_REFUSED' });
  assert.deepEqual(
    health.faults.map(({ message }) => message),
    ['LLM_REFUSED: 404 from 127.0.0.1:1234/chat/completions: Not Found'],
  );
  isRefused = false;
  await drain(model);
  assert.deepEqual(health.faults, []);
});

test('a server that cannot be reached is named as the place that was asked', async () => {
  const { health, model } = stage(async function* () {
    yield { type: 'text', text: '' };
    throw new LlmError('LLM_UNAVAILABLE', 'the model server cannot be reached', {
      details: { url: '127.0.0.1:11434/v1' },
    });
  });
  await assert.rejects(drain(model), { code: 'LLM_UNAVAILABLE' });
  assert.deepEqual(
    health.faults.map(({ message }) => message),
    ['LLM_UNAVAILABLE: the model server cannot be reached at 127.0.0.1:11434/v1'],
  );
});

test('a reply that nobody wants any more is no fault', async () => {
  const abort = new AbortController();
  const { health, model } = stage(async function* () {
    yield { type: 'text', text: 'He' };
    abort.abort();
    throw new LlmError('LLM_UNAVAILABLE', 'the request was cancelled');
  });
  await assert.rejects(drain(model, abort.signal));
  assert.deepEqual(health.faults, []);
});
