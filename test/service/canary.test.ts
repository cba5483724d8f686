// A canary with a planted fault, over real SIP: the draft of an agent names a model that is two seconds slower, callers
// meet it by their numbers, and it goes back by itself with the gap as its evidence.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted, say } from '../support/conversation.ts';
import { FakeOpenAi } from '../support/models/fake-openai.ts';
import { nightly } from '../support/nightly.ts';

const SLOWER_MS = 2_000;
const AT_ONCE = 4;
const CALLS_BEFORE = 24;
const WAVES_MAX = 25;

let model: FakeOpenAi;
let service: Service;
let rest: Rest;
const question = await renderSpeech('What are your opening hours?', 'flite-slt');

before(async () => {
  if (nightly) return;
  model = await FakeOpenAi.start([
    ({ body }) => ({ type: 'text', pieces: ['From nine to five.'], afterMs: body.model === 'slow' ? SLOWER_MS : 0 }),
  ]);
  const openAi = { LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key' };
  service = await startService(openAi);
  rest = await new Rest(service).login();
  await greetBriefly(rest);
});
after(async () => {
  await service?.stop();
  await model?.stop();
});

async function conversation(): Promise<number | null> {
  const { caller, number } = await greeted(service);
  await say(caller, question);
  await caller.hangUp();
  const { id } = await rest.endedCall(number);
  return (await rest.must('GET', `/calls/${id}`)).agentVersion;
}

const wave = () => Promise.all(Array.from({ length: AT_ONCE }, conversation));

test('a version whose model is slow goes back by itself, and the next callers meet the published one', {
  skip: nightly,
}, async (t) => {
  const [agent] = await rest.must('GET', '/agents');
  const [business] = await rest.must('GET', '/businesses');
  const path = `/agents/${agent?.id ?? assert.fail()}` as const;
  const settings = { guessing: false, speechToSpeech: false };
  await rest.must('PATCH', path, { conversation: { ...settings, model: 'quick' } });
  await rest.must('PATCH', `/businesses/${business?.id}`, { drafts: true });
  for (let calls = 0; calls < CALLS_BEFORE; calls += AT_ONCE) await wave();
  await rest.must('PATCH', path, { conversation: { ...settings, model: 'slow' } });
  const [begun] = await rest.must('POST', `${path}/publish`, { canary: { share: 25, calls: 100 } });
  const { from, to } = begun ?? assert.fail();
  const met = new Set<number | null>();
  for (let waves = 0; waves < WAVES_MAX; waves++) {
    for (const version of await wave()) met.add(version);
    const [running] = await rest.must('GET', `${path}/canaries`);
    if (running?.result !== null) break;
  }
  const [newest] = await rest.must('GET', `${path}/canaries`);
  t.diagnostic(JSON.stringify(newest));
  assert.deepEqual([...met].sort(), [from, to]);
  assert.equal(newest?.result, 'rolled_back');
  assert.equal(newest?.evidence[0]?.measure, 'responseGapMs');
  const { canary: slow, published } = newest?.evidence[0] ?? assert.fail();
  assert.ok(slow.value > published.value + SLOWER_MS / 4, `${slow.value} and ${published.value} ms`);
  assert.deepEqual([...new Set(await wave())], [from]);
});
