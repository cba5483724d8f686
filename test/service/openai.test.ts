// The service with a model server in place of the built-in receptionist: it answers, hangs, and ends the call by a
// tool. The greeting is the business's own, whatever the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted } from '../support/conversation.ts';
import { type FakeAnswer, FakeOpenAi, type FakeScript } from '../support/models/fake-openai.ts';

async function withModel(answers: FakeScript[], run: (service: Service, model: FakeOpenAi) => Promise<void>) {
  const model = await FakeOpenAi.start(answers);
  const service = await startService({ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key' });
  try {
    await run(service, model);
  } finally {
    await service.stop();
    await model.stop();
  }
}

test('a model server that hangs: the caller is answered by the receptionist, and the connection is closed', async (t) => {
  await withModel([{ type: 'hang' }], async (service, model) => {
    const rest = await new Rest(service).login();
    const { caller, number } = await greeted(service);
    assert.equal(model.requests.length, 0, 'no model is asked for the greeting');
    const sentAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
    const heardAt = await caller.agentSound(sentAt + 200);
    t.diagnostic(`first sound ${Math.round(heardAt - sentAt)} ms after the caller's last word`);
    // A few words while the caller waits, then what the receptionist knows.
    await caller.agentQuiet(5_000);
    await caller.hangUp();
    const call = await rest.endedCall(number);
    const said = saidBy(call, 'agent');
    assert.match(said[0] ?? '', /^Thank you for calling Willow Hair Studio/);
    assert.match(said[1] ?? '', /^Let me see\. .*We are open Monday/);
    assert.equal(call.fallbacks[0]?.to, 'receptionist');
    assert.ok(model.requests.length >= 1);
    assert.equal(model.requests[0]?.authorization, 'Bearer test-key');
    await rest.eventually('nothing hangs on', async () => model.aborted >= 1);
  });
});

test('a model that calls end_call: its goodbye is heard, then the agent hangs up', async () => {
  const goodbye: FakeAnswer = { type: 'tool', name: 'end_call', arguments: '{"reason":"done"}', text: 'Goodbye then.' };
  // A caller whose words come in two parts is answered twice.
  const answer: FakeScript = ({ body }) =>
    body.messages?.at(-1)?.role === 'tool' ? { type: 'text', pieces: ['…'] } : goodbye;
  await withModel([answer], async (service) => {
    const rest = await new Rest(service).login();
    const { caller, number } = await greeted(service);
    await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
    await caller.until('the agent hangs up', () => caller.ended, 30_000);
    caller.call.close();
    const call = await rest.endedCall(number);
    assert.equal(call.endReason, 'agent_hangup');
    assert.equal(call.status, 'COMPLETED');
    assert.match(call.transcript.findLast(({ speaker }) => speaker === 'agent')?.text ?? '', /Goodbye then/);
  });
});

test('a model that is gone and a second one: the caller hears that one, and the call says what it used', async (t) => {
  const [first, second] = await Promise.all([
    FakeOpenAi.start([{ type: 'hang' }]),
    FakeOpenAi.start([
      { type: 'text', pieces: ['We open at nine.'], usage: { prompt: 900, completion: 6, cached: 512 } },
    ]),
  ]);
  const service = await startService({
    LLM: 'openai',
    OPENAI_BASE_URL: first.baseUrl,
    LLM_FALLBACK_BASE_URL: second.baseUrl,
    LLM_FALLBACK_MODEL: 'small',
  });
  try {
    const rest = await new Rest(service).login();
    const { caller, number } = await greeted(service);
    const sentAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
    const heardAt = await caller.agentSound(sentAt + 200);
    t.diagnostic(`second model ${Math.round(heardAt - sentAt)} ms after the caller's last word`);
    await caller.agentQuiet(900);
    await caller.hangUp();
    const call = await rest.endedCall(number);
    assert.ok(heardAt - sentAt < 5_000, `${Math.round(heardAt - sentAt)} ms`);
    assert.match(call.transcript.findLast(({ speaker }) => speaker === 'agent')?.text ?? '', /We open at nine/);
    assert.ok((call.usage?.requests ?? 0) >= 2);
    assert.ok((call.usage?.promptTokens ?? 0) >= 900);
    assert.ok(first.asked.length >= 1, 'asked at the start, and while it rang');
  } finally {
    await service.stop();
    await Promise.all([first.stop(), second.stop()]);
  }
});
