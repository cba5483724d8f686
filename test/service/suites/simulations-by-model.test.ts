// A simulated caller whose words are a language model's: it calls over SIP, answers what it hears, and hangs up when
// its goal is reached.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { startService } from '../../../bench/rig/service/service.ts';
import { FakeOpenAi, type FakeRequest } from '../../support/models/fake-openai.ts';
import { nightly } from '../../support/nightly.ts';

/** The last words that the agent was asked to answer, or that the caller was told. */
const lastWords = ({ body }: FakeRequest): string => String(body.messages?.at(-1)?.content ?? '');

function caller(request: FakeRequest): { say: string; hangUp: boolean } {
  const told = lastWords(request);
  if (/agent: [^\n]*tuesday[^\n]*$/i.test(told)) return { say: 'Thank you, goodbye.', hangUp: true };
  if (/agent: [^\n]*which day[^\n]*$/i.test(told)) return { say: 'On Tuesday please.', hangUp: false };
  return { say: 'I would like to book an appointment please.', hangUp: false };
}

function agent(request: FakeRequest): string {
  const heard = lastWords(request).toLowerCase();
  if (heard.includes('tuesday')) return 'You are booked for Tuesday.';
  return heard.includes('appointment') ? 'Which day would you like?' : 'Goodbye.';
}

async function stage(CALLER_MODEL: string, isBroken = false) {
  const model = await FakeOpenAi.start([
    (request) => {
      if (request.body.model !== 'actor') return { type: 'text', pieces: [agent(request)] };
      return isBroken ? { type: 'status', status: 400 } : { type: 'whole', text: JSON.stringify(caller(request)) };
    },
  ]);
  const service = await startService({
    ...{ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test-key', CALLER_MODEL, MAX_CALLS: '10' },
  });
  const rest = await new Rest(service).login();
  const [campaign] = await rest.must('GET', '/campaigns');
  assert.ok(campaign);
  const { businessId, agentId } = campaign;
  const suite = await rest.must('POST', '/test-suites', { name: 'By a model', businessId, agentId });
  return {
    run: async (definition: object) => {
      await rest.must('POST', `/test-suites/${suite.id}/cases`, { kind: 'simulation', name: 'Books', definition });
      const run = await rest.must('POST', `/test-suites/${suite.id}/runs`, { seed: 7 });
      const hasEnded = async () => (await rest.must('GET', `/test-runs/${run.id}`)).endedAt !== null;
      await rest.eventually('the run ends', hasEnded, 240_000);
      return (await rest.must('GET', `/test-runs/${run.id}/results`))[0];
    },
    close: async () => {
      await service.stop();
      await model.stop();
    },
  };
}

const CALLER = { voice: 'flite-slt', goal: 'Book an appointment.', facts: { day: 'Tuesday' } };

test('a model plays the caller to its goal', async (t) => {
  const { run, close } = await stage('actor');
  t.after(close);
  const result = await run({ caller: CALLER, checks: [{ said: 'booked for tuesday' }, { endedBy: 'caller' }] });
  assert.equal(result?.status, 'PASSED', JSON.stringify(result, null, 1));
});

test('where the model that plays the caller fails, the case could not be run', { skip: nightly }, async (t) => {
  const { run, close } = await stage('actor', true);
  t.after(close);
  const result = await run({ caller: CALLER, checks: [] });
  assert.equal(result?.status, 'ERROR');
  assert.match(result?.error ?? '', /model that plays the caller failed/);
});
