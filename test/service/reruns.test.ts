// Calls of the past that are read again by a whole service, whose API and engine die in between: each once, and a call
// that ends meanwhile has its own results first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRow } from '../../bench/rig/rows/call-row.ts';
import { processesOf } from '../../bench/rig/service/engine-threads.ts';
import { Rest } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { openDatabase } from '../../db/database.ts';
import { greeted } from '../support/conversation.ts';
import { FakeOpenAi } from '../support/models/fake-openai.ts';

const CALLS = 8;

test('a rerun goes on after API and engine were killed, and delays no call that ends meanwhile', async (t) => {
  const read: string[] = [];
  let holds = true;
  const model = await FakeOpenAi.start([
    ({ body }) => {
      const words = JSON.stringify(body.messages);
      if (!words.includes('NAME: value or null')) return { type: 'text', pieces: ['We open at nine.'] };
      const which = /old call (\d+)/.exec(words)?.[1] ?? 'new';
      read.push(which);
      if (holds && which !== 'new' && read.filter((each) => each !== 'new').length > 1) return { type: 'hang' };
      return { type: 'whole', text: JSON.stringify({ data: { topic: `of ${which}` } }) };
    },
  ]);
  t.after(() => model.stop());
  const service = await startService({ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key' });
  t.after(() => service.stop());
  const rest = await new Rest(service).login();
  const campaign = (await rest.must('GET', '/campaigns'))[0];
  assert.ok(campaign);
  const { businessId, agentId, id: campaignId } = campaign;
  await rest.must('PATCH', `/businesses/${businessId}`, {
    outputs: [{ name: 'topic', schema: { type: 'string' }, description: 'What it was about' }],
  });
  const db = openDatabase(`${service.dataDir}/voice.db`);
  const { accountId } = await db
    .selectFrom('businesses')
    .select('accountId')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  for (let n = 0; n < CALLS; n++) {
    const startedAt = Date.now() - 3_600_000 + n * 1_000;
    const transcript = JSON.stringify([{ speaker: 'caller', text: `old call ${n}`, timestamp: 0 }]);
    const row = callRow({ accountId, businessId, agentId, campaignId, transcript, startedAt, createdAt: startedAt });
    const ended = { status: 'COMPLETED', answeredAt: startedAt, endedAt: startedAt + 10_000 } as const;
    await db
      .insertInto('calls')
      .values({ ...row, ...ended })
      .execute();
  }
  await db.destroy();

  const { id, total } = await rest.must('POST', `/businesses/${businessId}/reruns`, {});
  assert.equal(total, CALLS);
  const progress = () => rest.must('GET', `/businesses/${businessId}/reruns/${id}`);
  await rest.eventually('one to be read, and the next to hang', async () => read.length === 2);
  // A call ends while an old one is being read: it does not wait for it.
  const { caller, number } = await greeted(service);
  await caller.hangUp();
  const { id: newId } = await rest.endedCall(number);
  await rest.eventually('its own results', async () => (await rest.must('GET', `/calls/${newId}`)).analysis !== null);
  assert.equal((await progress()).done, 1);

  const { api, engine } = processesOf(service.process.pid ?? 0);
  process.kill(api, 'SIGKILL');
  process.kill(engine, 'SIGKILL');
  holds = false;
  const rerun = await rest.eventually('the rerun to end', async () => {
    const now = await progress().catch(() => null);
    return now !== null && now.endedAt !== null ? now : null;
  });
  assert.deepEqual([rerun.status, rerun.done, rerun.failed], ['COMPLETED', CALLS, 0]);
  for (let n = 0; n < CALLS; n++) {
    const { length } = (await rest.request('GET', `/calls?output.topic=${encodeURIComponent(`of ${n}`)}`)).body.data;
    assert.equal(length, 1, `call ${n}`);
    assert.ok(read.filter((each) => each === String(n)).length <= 2, 'only the one that was being read is read again');
  }
});
