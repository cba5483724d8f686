// /test-suites, /test-cases and /test-runs: how an agent is tried before callers try it.
import { RECORDING_RESPONSES, sendRecording } from '../calls/recording/send.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { Binary, errorResponses, ok, okList } from '../frame/envelope-schema.ts';
import { PageQuery } from '../frame/pagination.ts';
import { createCase, listCaseRecords, patchCase, readCase, removeCase } from './cases.ts';
import { importTranscript } from './import.ts';
import { keepAsTest } from './keep.ts';
import {
  cancelRunNow,
  listResultRecords,
  listRunRecords,
  readJunit,
  readRun,
  recordingOfResult,
  startRun,
} from './runs.ts';
import {
  CASE_READ_ONLY,
  CaseCreate,
  CasePatch,
  CaseRecord,
  KeepAsTest,
  ResultRecord,
  RunCreate,
  RunQuery,
  RunRecord,
  SUITE_READ_ONLY,
  SuiteCreate,
  SuiteParams,
  SuitePatch,
  SuiteQuery,
  SuiteRecord,
  TestImport,
  TestImported,
} from './schema.ts';
import { createSuite, deleteSuite, listSuiteRecords, patchSuite, readSuite } from './service.ts';

const tags = ['Tests'];
const params = SuiteParams;

export function registerTestSuites(app: App, context: ApiContext): void {
  registerSuites(app, context);
  registerCases(app, context);
  registerRuns(app, context);
}

function registerSuites(app: App, context: ApiContext): void {
  const config = { readOnlyFields: SUITE_READ_ONLY };
  app.get(
    '/test-suites',
    {
      schema: {
        tags,
        summary: 'List test suites, newest first',
        querystring: SuiteQuery,
        response: { 200: okList(SuiteRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => listSuiteRecords(context, request.auth.accountId, request.query),
  );
  app.post(
    '/test-suites',
    {
      config,
      schema: {
        tags,
        summary: 'Create a test suite: conversations that an agent of a business is tried with',
        body: SuiteCreate,
        response: { 201: ok(SuiteRecord), ...errorResponses(400, 401, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ data: await createSuite(context, request.auth.accountId, request.body) }),
  );
  const one = { 200: ok(SuiteRecord) };
  app.get(
    '/test-suites/:id',
    { schema: { tags, summary: 'One test suite', params, response: { ...one, ...errorResponses(401, 404, 429) } } },
    async (request) => ({ data: await readSuite(context, request.auth.accountId, request.params.id) }),
  );
  app.patch(
    '/test-suites/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a test suite',
        params,
        body: SuitePatch,
        response: { ...one, ...errorResponses(400, 401, 404, 422, 429) },
      },
    },
    async (request) => ({ data: await patchSuite(context, request.auth.accountId, request.params.id, request.body) }),
  );
  app.delete(
    '/test-suites/:id',
    {
      schema: {
        tags,
        summary: 'Delete a test suite with its cases and its runs',
        params,
        response: { ...one, ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await deleteSuite(context, request.auth.accountId, request.params.id) }),
  );
}

function registerCases(app: App, context: ApiContext): void {
  const config = { readOnlyFields: CASE_READ_ONLY };
  app.get(
    '/test-suites/:id/cases',
    {
      schema: {
        tags,
        summary: 'Cases of a test suite, in their order',
        params,
        querystring: PageQuery,
        response: { 200: okList(CaseRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => listCaseRecords(context, request.auth.accountId, request.params.id, request.query),
  );
  app.post(
    '/test-suites/:id/cases',
    {
      config,
      schema: {
        tags,
        summary: 'Add a case to a test suite',
        params,
        body: CaseCreate,
        response: { 201: ok(CaseRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ data: await createCase(context, request.auth.accountId, request.params.id, request.body) }),
  );
  app.post(
    '/test-suites/:id/import',
    {
      schema: {
        tags,
        summary: 'Make cases of a transcript, one for each turn of its caller',
        description:
          'The agent’s old words become a hint beside the new ones. A case has no checks but those that are given.',
        params,
        body: TestImport,
        response: { 201: ok(TestImported), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ data: await importTranscript(context, request.auth.accountId, request.params.id, request.body) }),
  );
  app.post(
    '/calls/:id/keep-as-test',
    {
      // Its answer has the caller's words, which go with the call.
      config: { idempotent: false },
      schema: {
        tags,
        summary: 'Keep a call as a test: its caller’s own voice, cut at their turns',
        description:
          'The recording must be a WAV. What the business’s redaction finds in a turn is taken out of its words, and the turn is silent. The case, its audio and its results go with the call when that is erased.',
        params,
        body: KeepAsTest,
        response: { 201: ok(CaseRecord), ...errorResponses(400, 401, 404, 409, 422, 429, 503) },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ data: await keepAsTest(context, request.auth.accountId, request.params.id, request.body) }),
  );
  const one = { 200: ok(CaseRecord) };
  app.get(
    '/test-cases/:id',
    { schema: { tags, summary: 'One case', params, response: { ...one, ...errorResponses(401, 404, 429) } } },
    async (request) => ({ data: await readCase(context, request.auth.accountId, request.params.id) }),
  );
  app.patch(
    '/test-cases/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a case; its definition is replaced whole',
        params,
        body: CasePatch,
        response: { ...one, ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request) => ({ data: await patchCase(context, request.auth.accountId, request.params.id, request.body) }),
  );
  app.delete(
    '/test-cases/:id',
    {
      schema: {
        tags,
        summary: 'Delete a case; what came of it in runs stays',
        params,
        response: { ...one, ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await removeCase(context, request.auth.accountId, request.params.id) }),
  );
}

function registerRuns(app: App, context: ApiContext): void {
  const one = { 200: ok(RunRecord) };
  app.post(
    '/test-suites/:id/runs',
    {
      schema: {
        tags,
        summary: 'Run a test suite with its agent and business as they are now',
        description:
          'One run of a suite at a time. No tool is run, nobody is called, and nothing is counted as a call.',
        params,
        body: RunCreate,
        response: { 201: ok(RunRecord), ...errorResponses(400, 401, 404, 409, 422, 429) },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ data: await startRun(context, request.auth.accountId, request.params.id, request.body) }),
  );
  app.get(
    '/test-runs',
    {
      schema: {
        tags,
        summary: 'Runs of test suites, newest first',
        querystring: RunQuery,
        response: { 200: okList(RunRecord), ...errorResponses(401, 422, 429) },
      },
    },
    (request) => listRunRecords(context, request.auth.accountId, request.query),
  );
  app.get(
    '/test-runs/:id',
    { schema: { tags, summary: 'How far a run is', params, response: { ...one, ...errorResponses(401, 404, 429) } } },
    async (request) => ({ data: await readRun(context, request.auth.accountId, request.params.id) }),
  );
  app.get(
    '/test-runs/:id/results',
    {
      schema: {
        tags,
        summary: 'What came of each case of a run',
        params,
        querystring: PageQuery,
        response: { 200: okList(ResultRecord), ...errorResponses(401, 404, 422, 429) },
      },
    },
    (request) => listResultRecords(context, request.auth.accountId, request.params.id, request.query),
  );
  app.get(
    '/test-runs/:id/junit.xml',
    {
      schema: {
        tags,
        summary: 'What came of a run, as JUnit XML',
        params,
        response: {
          200: { description: 'The results', content: { 'application/xml': { schema: Binary } } },
          ...errorResponses(401, 404, 429),
        },
      },
    },
    async (request, reply) =>
      reply
        .type('application/xml; charset=utf-8')
        .send(await readJunit(context, request.auth.accountId, request.params.id)),
  );
  app.get(
    '/test-results/:id/audio',
    {
      schema: {
        tags,
        summary: 'The recording of a simulation: an MP3, the caller left, the agent right',
        description: 'Honours `Range`, `If-Range` and `If-None-Match`. The newest ones of an account are kept.',
        params,
        response: RECORDING_RESPONSES,
      },
    },
    async (request, reply) =>
      sendRecording(request, reply, await recordingOfResult(context, request.auth.accountId, request.params.id)),
  );
  app.post(
    '/test-runs/:id/cancel',
    {
      schema: {
        tags,
        summary: 'End a run; what is done stays',
        params,
        response: { ...one, ...errorResponses(401, 404, 429) },
      },
    },
    async (request) => ({ data: await cancelRunNow(context, request.auth.accountId, request.params.id) }),
  );
}
