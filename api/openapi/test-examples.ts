// Example records and bodies of test suites.
import { sampleId as id } from '../delivery/samples.ts';
import { createdAt } from './shared-records.ts';

const definition = {
  context: { variables: { firstName: 'Jamie' }, now: '2026-05-04T09:00:00+02:00' },
  tools: [{ name: 'find_order', when: { number: '4711' }, result: { state: 'shipped' } }],
  turns: [{ say: 'Where is my order 4711?', checks: [{ said: 'shipped' }] }],
  checks: [{ tool: { name: 'find_order', arguments: { number: '4711' } } }, { notSaid: 'delivered' }],
};

const suite = {
  id: id('tst'),
  name: 'Orders',
  agentId: id('agt'),
  businessId: id('biz'),
  campaignId: null,
  runOnSave: true,
  requiredToPublish: false,
  judge: null,
  cases: 12,
  lastRun: { id: id('run'), status: 'PASSED', createdAt },
  createdAt,
  updatedAt: createdAt,
};

const check = {
  check: { said: 'shipped' },
  turn: 0,
  passed: true,
  expected: 'says "shipped"',
  found: 'Your order has been shipped.',
};
const line = { role: 'agent', text: 'Your order has been shipped.', turn: 0 };

export const TEST_RECORDS: Record<string, unknown> = {
  TestDefinition: definition,
  TestCheckResult: check,
  TestLine: line,
  TestSuite: suite,
  TestCase: {
    id: id('tcs'),
    suiteId: suite.id,
    kind: 'eval',
    name: 'Finds an order',
    position: 0,
    definition,
    createdAt,
    updatedAt: createdAt,
  },
  TestImport: { count: 1, caseIds: [id('tcs')] },
  TestRun: {
    id: id('run'),
    suiteId: suite.id,
    status: 'FAILED',
    cause: 'save',
    seed: 7,
    agentVersion: 4,
    businessVersion: 11,
    counts: { total: 12, passed: 11, failed: 1, errors: 0 },
    createdAt,
    startedAt: createdAt,
    endedAt: createdAt,
  },
  TestResult: {
    id: id('trs'),
    runId: id('run'),
    caseId: id('tcs'),
    kind: 'eval',
    name: 'Finds an order',
    status: 'PASSED',
    statusBefore: 'FAILED',
    checks: [check],
    transcript: [{ role: 'caller', text: 'Where is my order 4711?', turn: 0 }, line],
    error: null,
    callId: null,
    hasRecording: false,
    attempts: 1,
    durationMs: 140,
  },
};

const { name, agentId, businessId, runOnSave } = suite;
export const TEST_BODIES: Record<string, unknown> = {
  CreateTestSuiteBody: { name, agentId, businessId, runOnSave },
  UpdateTestSuiteBody: { runOnSave: false },
  AddTestCaseBody: { name: 'Finds an order', definition },
  UpdateTestCaseBody: { definition },
  KeepCallAsTestBody: { suiteId: id('tst'), name: 'The caller who changed the day' },
  ImportTranscriptBody: {
    name: 'Call of May 4',
    transcript: [
      { role: 'agent', text: 'Willow Dental, how can I help?' },
      { role: 'caller', text: 'When do you open?' },
      { role: 'agent', text: 'At nine.' },
    ],
  },
  StartTestRunBody: { kinds: ['eval'], seed: 7 },
};
