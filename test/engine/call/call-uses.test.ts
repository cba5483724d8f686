// The end of a call has its uses: tokens by model, sound and texts by engine, of a session its time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BilledEngines, Use } from '../../../db/domain/cost/uses.ts';
import type { DialogueChunk } from '../../../models/llm/llm.ts';
import { CallStage, type CallStageOptions } from './stage.ts';

const VENDORS: BilledEngines = {
  stt: { engine: 'deepgram', model: 'nova-3', isOwn: false },
  tts: { engine: 'elevenlabs', model: 'flash', isOwn: false },
  speechToSpeech: { engine: 'openai-realtime', model: 'gpt-realtime', isOwn: false },
};
const request = { type: 'request', byFallback: false, model: 'small', promptEstimate: 900 } as const;

async function used(chunks: DialogueChunk[], options: CallStageOptions = {}): Promise<Use[]> {
  const stage = new CallStage({
    billed: VENDORS,
    dialogue: {
      name: 'openai:small',
      complete: null,
      async *reply() {
        yield* chunks;
      },
    },
    ...options,
  });
  stage.shard.uses = { heardMs: 2_000.4, characters: 120, spokenMs: 7_000 };
  await stage.start(6_000);
  await stage.says('when do you open', 4_000);
  await stage.hangsUp();
  return stage.of('endCall')[0]?.uses as Use[];
}

const quantities = { requests: 0, ms: 0, characters: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

test('tokens as the server tells them, the recogniser’s sound, the voice’s texts', async () => {
  const usage = { type: 'usage', inputTokens: 1_000, outputTokens: 20, cachedTokens: 600 } as const;
  const named = { model: 'small', promptEstimate: 900 };
  const uses = await used([request, { type: 'text', text: 'At nine.' }, { ...usage, ...named }]);
  assert.deepEqual(uses, [
    {
      ...{ ...quantities, kind: 'llm', engine: 'openai', model: 'small', purpose: 'call' },
      ...{ requests: 1, inputTokens: 1_000, cachedTokens: 600, outputTokens: 20 },
    },
    { ...quantities, kind: 'stt', engine: 'deepgram', model: 'nova-3', purpose: 'call', ms: 2_000 },
    { ...quantities, kind: 'tts', engine: 'elevenlabs', model: 'flash', purpose: 'call', characters: 120, ms: 7_000 },
  ]);
});

test('a reply whose tokens nobody told is reckoned by its prompt, and says so', async () => {
  const [llm] = await used([request, { type: 'text', text: 'At nine.' }]);
  assert.deepEqual(llm?.kind === 'llm' && [llm.requests, llm.inputTokens, llm.isEstimated], [1, 900, true]);
});

test('what a server does not tell is no usage of the call’s record', async () => {
  const chunks: DialogueChunk[] = [request, { type: 'text', text: 'At nine.' }];
  chunks.push({
    type: 'usage',
    inputTokens: 900,
    outputTokens: 2,
    model: 'small',
    promptEstimate: 900,
    isEstimated: true,
  });
  const [llm] = await used(chunks);
  assert.deepEqual(llm?.kind === 'llm' && [llm.inputTokens, llm.outputTokens, llm.isEstimated], [900, 2, true]);
});

test('a voice of our own beside a vendor’s costs nothing', async () => {
  const own = {
    id: 'ada',
    name: 'Ada',
    language: 'en-US',
    gender: 'female',
    engine: 'flite',
    sampleRateHz: 8_000,
  } as const;
  const uses = await used([], { agent: { voiceId: 'ada' }, voices: [{ ...own, isDefault: true }] });
  const tts = uses.find(({ kind }) => kind === 'tts');
  assert.deepEqual(tts?.kind === 'tts' && [tts.engine, tts.isOwn], ['flite', true]);
});

test('a speech-to-speech model is charged by the time of the call and the tokens that it tells', async () => {
  const uses = await used([], {
    speech: (ask, stage) => {
      void stage.reports({
        ...{ type: 'speech-model', callId: 'call_1' },
        event: { type: 'usage', epoch: ask.epoch, round: 0, inputTokens: 300, outputTokens: 50, cachedTokens: 100 },
      });
    },
  });
  const session = uses.find(({ kind }) => kind === 'speech_to_speech');
  assert.ok(session?.kind === 'speech_to_speech');
  assert.deepEqual([session.engine, session.model], ['openai-realtime', 'gpt-realtime']);
  assert.ok(session.ms > 9_000 && session.inputTokens >= 300, JSON.stringify(session));
});
