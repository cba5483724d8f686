// A business's results of its calls, over real SIP: `call.ended` does not wait for them, `call.analysed` has them, and
// so has the call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rest } from '../../bench/rig/service/rest.ts';
import { startService } from '../../bench/rig/service/service.ts';
import { openRaw } from '../../db/sqlite/open.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted, say } from '../support/conversation.ts';
import { FakeOpenAi } from '../support/models/fake-openai.ts';
import { nightly } from '../support/nightly.ts';

const question = await renderSpeech('What are your opening hours?', 'flite-slt');
const WISHES = {
  outputs: [
    { name: 'topic', schema: { type: 'string', enum: ['hours', 'prices'] }, description: 'What it was about' },
    { name: 'caller_number', schema: { type: 'string' }, description: 'The number of the caller' },
  ],
  criteria: [{ name: 'answered', question: 'Did the agent answer?' }],
};

for (const llm of ['openai', 'receptionist'] as const) {
  test(`results of a call, with ${llm === 'openai' ? 'a model' : 'the built-in receptionist'}`, {
    skip: llm === 'openai' && nightly,
  }, async () => {
    const found = { data: { topic: 'hours', caller_number: null }, criteria: { answered: true } };
    const model = await FakeOpenAi.start([
      ({ body }) =>
        JSON.stringify(body.messages).includes('NAME: value or null')
          ? { type: 'whole', text: JSON.stringify(found) }
          : { type: 'text', pieces: ['We open at nine.'] },
    ]);
    const service = await startService({ LLM: llm, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key' });
    try {
      const rest = await new Rest(service).login();
      const campaign = (await rest.request('GET', '/campaigns')).body.data[0];
      const changed = await rest.must('PATCH', `/businesses/${campaign?.businessId}`, WISHES);
      assert.deepEqual([changed.outputs, changed.criteria], [WISHES.outputs, WISHES.criteria]);
      const { caller, number } = await greeted(service);
      await say(caller, question);
      await caller.hangUp();
      const ended = await rest.endedCall(number);
      const call = await rest.eventually('the call is analysed', async () => {
        const read = await rest.must('GET', `/calls/${ended.id}`);
        return read.analysis === null ? null : read;
      });
      const isModel = llm === 'openai';
      assert.equal(call.analysis?.by, isModel ? 'model' : 'receptionist');
      assert.deepEqual(call.analysis?.data, isModel ? found.data : { topic: null, caller_number: number });
      assert.deepEqual([call.score, call.disposition], isModel ? [1, 'met'] : [null, null]);
      const db = openRaw(`${service.dataDir}/voice.db`, { readonly: true });
      const events = db
        .prepare('select type, data from events where subject_id = ? order by seq')
        .all(ended.id) as Array<{
        type: string;
        data: string;
      }>;
      db.close();
      const types = events.map(({ type }) => type);
      assert.ok(types.indexOf('call.ended') < types.indexOf('call.analysed'), types.join());
      const told = JSON.parse(events.find(({ type }) => type === 'call.analysed')?.data ?? '{}');
      assert.deepEqual([told.callId, told.data], [ended.id, call.analysis?.data]);
    } finally {
      await service.stop();
      await model.stop();
    }
  });
}
