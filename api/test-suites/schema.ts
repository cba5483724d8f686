// Test suites, cases, runs and results as clients send and read them.

import { type Static, Type } from 'typebox';
import { RESULT_STATUSES, RUN_STATUSES, TEST_KINDS } from '../../db/domain/tests/definitions.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { NOT_BLANK } from '../frame/patterns.ts';
import { Checks, LANGUAGE, TestCheckResult, TestContext, TestDefinition, TestLine } from './definition-schema.ts';

const strict = { additionalProperties: false } as const;
const Id = Type.String({ minLength: 1, maxLength: 200 });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK });
export const SEED_MAX = 2_147_483_647;
const Seed = Type.Integer({ minimum: 0, maximum: SEED_MAX });

export const SuiteParams = Type.Object({ id: Type.String() });
export const SuiteQuery = Type.Object({
  ...pageQuery,
  agentId: Type.Optional(Type.String()),
  businessId: Type.Optional(Type.String()),
});
export type SuiteQuery = Static<typeof SuiteQuery>;

const suiteFields = {
  name: Name,
  agentId: Id,
  businessId: Id,
  campaignId: Type.Optional(nullable(Id)),
  runOnSave: Type.Optional(
    Type.Boolean({ description: 'Its evals run when its agent, its business or a tool of theirs has changed' }),
  ),
  requiredToPublish: Type.Optional(
    Type.Boolean({
      description: 'Drafts of its agent, its business or their tools are published once it has passed with them',
    }),
  ),
  judge: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The model that answers questions of `judge` checks; null: the one of the environment',
      }),
    ),
  ),
};

export const SuiteCreate = Type.Object(suiteFields, strict);
export type SuiteCreate = Static<typeof SuiteCreate>;
export const SuitePatch = Type.Partial(Type.Object(suiteFields), strict);
export type SuitePatch = Static<typeof SuitePatch>;
export const SUITE_READ_ONLY = ['id', 'cases', 'lastRun', 'createdAt', 'updatedAt'] as const;

export const SuiteRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    agentId: Type.String(),
    businessId: Type.String(),
    campaignId: nullable(Type.String({ description: 'Whose greeting, task and tools count too' })),
    runOnSave: Type.Boolean(),
    requiredToPublish: Type.Boolean(),
    judge: nullable(Type.String()),
    cases: Type.Integer({ description: 'Their number' }),
    lastRun: Type.Unsafe<{ id: string; status: (typeof RUN_STATUSES)[number]; createdAt: string } | null>({
      type: ['object', 'null'],
      properties: {
        id: { type: 'string' },
        status: { type: 'string', enum: [...RUN_STATUSES] },
        createdAt: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'status', 'createdAt'],
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'TestSuite' },
);
export type SuiteRecord = Static<typeof SuiteRecord>;

const caseFields = {
  name: Name,
  kind: Type.Optional(oneOf(TEST_KINDS, { description: 'Default `eval`: in text. `simulation`: by voice' })),
  position: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Its place; default: the last' }),
  ),
  definition: TestDefinition,
};
export const CaseCreate = Type.Object(caseFields, strict);
export type CaseCreate = Static<typeof CaseCreate>;
export const CasePatch = Type.Partial(Type.Object(caseFields), strict);
export type CasePatch = Static<typeof CasePatch>;
export const CASE_READ_ONLY = ['id', 'suiteId', 'createdAt', 'updatedAt'] as const;

export const CaseRecord = Type.Object(
  {
    id: Type.String(),
    suiteId: Type.String(),
    kind: oneOf(TEST_KINDS),
    name: Type.String(),
    position: Type.Integer(),
    definition: TestDefinition,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'TestCase' },
);
export type CaseRecord = Static<typeof CaseRecord>;

export const TestImport = Type.Object(
  {
    transcript: Type.Unknown({
      description:
        'A call of Vapi or Retell as their APIs or webhooks give it, one of this service, or a list of `{role, text}`',
    }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, pattern: NOT_BLANK, description: 'Of the cases; default: Turn' }),
    ),
    checks: Type.Optional(Checks),
    language: Type.Optional(Type.String(LANGUAGE)),
    context: Type.Optional(TestContext),
    callId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The call of this service that it is of, with which the cases go; default: `id` of the transcript',
      }),
    ),
  },
  strict,
);
export type TestImport = Static<typeof TestImport>;

export const TestImported = Type.Object(
  { count: Type.Integer(), caseIds: Type.Array(Type.String()) },
  { title: 'TestImport', description: 'The cases that were made' },
);
export type TestImported = Static<typeof TestImported>;

export const KeepAsTest = Type.Object(
  {
    suiteId: Id,
    name: Type.Optional(caseFields.name),
    checks: Type.Optional(Checks),
  },
  strict,
);
export type KeepAsTest = Static<typeof KeepAsTest>;

export const RunCreate = Type.Object(
  {
    seed: Type.Optional(Seed),
    kinds: Type.Optional(
      Type.Array(oneOf(TEST_KINDS), { minItems: 1, uniqueItems: true, maxItems: 2, description: 'Default: both' }),
    ),
    caseIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true, description: 'Default: all' }),
    ),
  },
  strict,
);
export type RunCreate = Static<typeof RunCreate>;

export const RunQuery = Type.Object({ ...pageQuery, suiteId: Type.Optional(Type.String()) });
export type RunQuery = Static<typeof RunQuery>;

export const RunRecord = Type.Object(
  {
    id: Type.String(),
    suiteId: Type.String(),
    status: oneOf(RUN_STATUSES, {
      description: '`FAILED`: a check did not pass; `ERROR`: none failed, and a case could not be run',
    }),
    cause: oneOf(['request', 'save'] as const, { description: '`save`: its agent, business or tools had changed' }),
    seed: Seed,
    agentVersion: nullable(Type.Integer()),
    businessVersion: nullable(Type.Integer()),
    counts: Type.Object({
      total: Type.Integer(),
      passed: Type.Integer(),
      failed: Type.Integer(),
      errors: Type.Integer(),
    }),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
  },
  { title: 'TestRun' },
);
export type RunRecord = Static<typeof RunRecord>;

export const ResultRecord = Type.Object(
  {
    id: Type.String(),
    runId: Type.String(),
    caseId: Type.String(),
    kind: oneOf(TEST_KINDS),
    name: Type.String(),
    status: oneOf(RESULT_STATUSES),
    statusBefore: nullable(
      oneOf(RESULT_STATUSES, { description: 'What came of the case in the run before; null: none' }),
    ),
    checks: Type.Array(TestCheckResult),
    transcript: Type.Array(TestLine),
    error: nullable(Type.String({ description: 'Why it could not be run' })),
    callId: nullable(Type.String({ description: 'The call that the case was made of' })),
    hasRecording: Type.Boolean({ description: 'Of simulations: `GET /test-results/{id}/audio` has it' }),
    attempts: Type.Integer(),
    durationMs: nullable(Type.Integer()),
  },
  { title: 'TestResult' },
);
export type ResultRecord = Static<typeof ResultRecord>;
