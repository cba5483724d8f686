// Simulations from the routes to their results: a caller with a voice dials the running service over SIP, and the agent
// of the suite answers with the built-in engines. Nothing of it is a call of the business.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Caller } from '../../../bench/rig/conversation/scenario.ts';
import { systemClock } from '../../../engine/clock.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { TalkingCaller } from '../../../engine/test-runs/caller/talking-caller.ts';
import { greeted } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '10', LLM: 'receptionist' });
const SEED = 7;

/** A suite of the demo's agent and business. */
async function makeSuite() {
  const [campaign] = await rest.must('GET', '/campaigns');
  // Nobody there is ever called.
  await rest.must('PATCH', `/businesses/${campaign?.businessId}`, { transferNumber: '+12125550100' });
  const suite = await rest.must('POST', '/test-suites', {
    name: 'By voice',
    businessId: campaign?.businessId,
    agentId: campaign?.agentId,
  });
  return suite;
}

async function runOf(suiteId: string) {
  const begun = await rest.must('POST', `/test-suites/${suiteId}/runs`, { seed: SEED });
  await rest.eventually(
    'the run ends',
    async () => (await rest.must('GET', `/test-runs/${begun.id}`)).endedAt !== null,
    240_000,
  );
  return rest.must('GET', `/test-runs/${begun.id}/results`);
}

/** Cases by voice, run once. */
async function runSuite(cases: ReadonlyArray<{ name: string; definition: object }>) {
  const { id } = await makeSuite();
  for (const each of cases) await rest.must('POST', `/test-suites/${id}/cases`, { kind: 'simulation', ...each });
  return runOf(id);
}

const HOURS = 'What are your opening hours?';

test('a suite by voice tells what passes from what does not, and leaves no trace among calls', async () => {
  const results = await runSuite([
    {
      name: 'hours',
      definition: {
        caller: { voice: 'flite-slt', script: [{ say: HOURS }], line: { noiseDb: 45 } },
        checks: [{ said: ['open * from', 'open', 'hours'] }, { noCutOff: true }, { gapAtMostMs: 8_000 }],
      },
    },
    {
      name: 'a check that fails',
      definition: { caller: { voice: 'flite-slt', script: [{ say: HOURS }] }, checks: [{ said: 'zebra crossing' }] },
    },
    {
      name: 'a question that never comes',
      definition: {
        caller: { voice: 'flite-slt', script: [{ say: HOURS }, { after: 'zebra crossing', say: 'Yes.' }] },
        checks: [],
      },
    },
    {
      name: 'transfer',
      definition: {
        caller: { voice: 'flite-slt', script: [{ say: 'I would like to speak to a person please.' }] },
        checks: [{ endedBy: 'agent' }, { transferredTo: '+12125550100' }],
      },
    },
  ]);
  const told = JSON.stringify(results, null, 1);
  assert.deepEqual(
    results.map(({ name, status }) => `${name}: ${status}`),
    ['hours: PASSED', 'a check that fails: FAILED', 'a question that never comes: FAILED', 'transfer: PASSED'],
    told,
  );
  assert.deepEqual(await rest.must('GET', '/calls'), [], 'a test is no call');
});

test('the same seed has the same verdict, by the same checks, and each run is kept to be heard', {
  skip: nightly,
}, async () => {
  const { id } = await makeSuite();
  const definition = {
    caller: { script: [{ say: HOURS }, { say: 'Thank you, goodbye.' }], line: { noiseDb: 35, lossPercent: 1 } },
    checks: [
      { said: 'monday to friday' },
      { notSaid: 'pardon' },
      { noTool: 'schedule_appointment' },
      { said: 'zebra' },
    ],
  };
  await rest.must('POST', `/test-suites/${id}/cases`, { kind: 'simulation', name: 'hours', definition });
  const verdict = async () => {
    const [result] = await runOf(id);
    assert.ok(result?.hasRecording, JSON.stringify(result, null, 1));
    const { status, body } = await rest.bytes(`/test-results/${result.id}/audio`);
    assert.equal(status, 200);
    assert.ok(body.length > 20_000, `${body.length} bytes are no conversation`);
    const spoken = result.transcript.filter(({ role }) => role === 'agent' || role === 'caller');
    assert.ok(spoken.every(({ atMs }) => atMs !== undefined));
    return {
      status: result.status,
      checks: result.checks.map(({ expected, passed }) => `${expected}: ${passed}`),
      caller: spoken.filter(({ role }) => role === 'caller').map(({ text }) => text),
    };
  };
  const first = await verdict();
  assert.deepEqual([first.status, first.checks.length], ['FAILED', 4], JSON.stringify(first));
  assert.deepEqual(await verdict(), first);
});

test('the same seed speaks the same audio, whenever and however often', async () => {
  const said = async () => {
    const caller = new TalkingCaller(
      {
        ...{ address: `sip:demo@${service.sipAddress}`, from: '+15550199001', seed: SEED, voice: null },
        ...{ language: 'en-US', line: { noiseDb: 20, lossPercent: 3 }, limitMs: 30_000 },
      },
      { script: [{ say: HOURS }] },
      systemClock,
    );
    // It hears the greeting by its own ears: nobody tells it the words.
    setTimeout(() => caller.hears('How can I help you?'), 6_000);
    setTimeout(() => caller.hangUp(), 14_000);
    const report = await caller.over;
    await caller.close();
    return report.said.map(({ text, sum }) => [text, sum]);
  };
  const first = await said();
  assert.equal(first.length, 1);
  assert.deepEqual(await said(), first);
});

test('an address that looks like a test’s is nobody’s', async () => {
  const stranger = new Caller(service.sipAddress, 0, `test-${'0'.repeat(32)}`);
  await assert.rejects(stranger.answered(), /404/);
  stranger.call.close();
});

test('a call that is kept is said again in its caller’s own voice, until it is erased', async () => {
  const { caller, number } = await greeted(service);
  await caller.call.speak(await renderSpeech(HOURS, 'flite-slt'));
  await caller.agentSound(performance.now());
  await caller.agentQuiet(1_500);
  await caller.hangUp();
  const { id: callId } = await rest.endedCall(number);
  const suite = await makeSuite();
  const checks = [{ said: 'Monday to Friday' }];
  const kept = await rest.eventually('the call is timed', async () => {
    const { status, body } = await rest.request('POST', `/calls/${callId}/keep-as-test`, { suiteId: suite.id, checks });
    return status === 201 ? body.data : null;
  });
  const [cue] = kept.definition.caller?.script ?? [];
  assert.equal(cue?.say, 'what are your opening hours');
  assert.match(cue?.heard ?? '', /How can I help you/);
  const [result] = await runOf(suite.id);
  assert.equal(result?.status, 'PASSED', JSON.stringify(result, null, 1));
  await rest.must('DELETE', `/calls/${callId}`);
  assert.deepEqual(await rest.must('GET', `/test-suites/${suite.id}/cases`), []);
});
