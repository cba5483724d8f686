// The document that describes the interface: what is served is what was committed, complete, and free of anything
// private.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { generatedFiles } from '../../../../api/openapi/generated.ts';
import { EVENT_TYPES } from '../../../../db/outbox.ts';
import { endpoints } from '../../../fixtures/endpoints.ts';
import { useApi } from '../../../support/api/use-api.ts';

/** Ajv as fastify has it. */
const fastifyRequire = createRequire(createRequire(import.meta.url).resolve('fastify'));
const compilerRequire = createRequire(fastifyRequire.resolve('@fastify/ajv-compiler'));
const { Ajv2020 } = compilerRequire('ajv/dist/2020.js') as {
  Ajv2020: new (
    options: object,
  ) => {
    addSchema(schema: unknown, key: string): void;
    getSchema(address: string): ((value: unknown) => boolean) & { errors?: unknown };
    errorsText(errors: unknown): string;
  };
};

interface Operation {
  operationId?: string;
  parameters?: Array<{ in: string; required?: boolean }>;
  summary?: string;
  security?: unknown[];
  responses: Record<string, { description?: string; $ref?: string; content?: Record<string, { schema: unknown }> }>;
  requestBody?: { content: Record<string, { schema: unknown }> };
}

let text: string;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  components: {
    responses: Record<string, { content: { 'application/json': { example: unknown } } }>;
    schemas: Record<string, { examples?: unknown[] }>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
};
const api = useApi({}, async () => {
  const answer = await api.inject({ method: 'GET', url: '/openapi.json' });
  text = answer.text;
  document = JSON.parse(text);
});

test('the served document is the committed one: a change of the interface is seen', () => {
  const committed = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
  assert.ok(
    text === committed,
    'the interface has changed: if that is meant, run "node supervise.mjs run api/openapi/openapi-write.ts" and commit docs/openapi.json',
  );
});

test('the dashboard and the client packages are written with the types of the committed document', () => {
  for (const [file, written] of generatedFiles(JSON.parse(text))) {
    assert.ok(
      written === readFileSync(file, 'utf8'),
      `the interface has changed: run "node supervise.mjs run api/openapi/openapi-write.ts" and commit ${file.pathname}`,
    );
  }
});

/** The endpoints whose body is a file. */
const FILES = /\/port-in\/\{id\}\/documents$|\/documents\/upload$|^PUT .*\/hold-music$/;

test('a field that Python has a word for is no name of a parameter', () => {
  const source = readFileSync(
    new URL('../../../../api/clients/python/voice_calling_client/operations.py', import.meta.url),
    'utf8',
  );
  const names = [...source.matchAll(/[(,] \*{0,2}(\w+): |def (\w+)\(/g)].map(([, field, method]) => field ?? method);
  assert.ok(names.includes('from_') && names.includes('limit'));
  for (const word of ['from', 'import', 'is', 'in', 'class', 'global', 'with', 'as', 'return'])
    assert.ok(!names.includes(word), word);
});

test('every endpoint is described with its success, its errors and who may ask', () => {
  assert.equal(document.openapi, '3.1.0');
  for (const { method, path, status, access, body, instead } of endpoints) {
    const operation = document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path}`);
    assert.ok(operation.summary, `${method} ${path} has no summary`);
    const statuses = Object.keys(operation.responses).map(Number);
    assert.ok(statuses.includes(status), `${method} ${path} ${status}: ${statuses}`);
    if (instead) assert.ok(statuses.includes(instead.status), `${method} ${path} ${instead.status}`);
    assert.equal(statuses.includes(401) || access === 'public', true, `${method} ${path} 401`);
    assert.equal(statuses.includes(403), access === 'admin' || statuses.includes(403), `${method} ${path} 403`);
    assert.equal(operation.security?.length === 0, access === 'public', `${method} ${path} security`);
    assert.equal(
      operation.requestBody !== undefined,
      body !== undefined || FILES.test(`${method} ${path}`),
      `${method} ${path} body`,
    );
  }
});

test('every reference leads somewhere, and every webhook event is described', () => {
  for (const [, kind, name = ''] of text.matchAll(/"\$ref": "#\/components\/(schemas|responses|headers)\/([^"]+)"/g)) {
    assert.ok(document.components[kind as 'schemas' | 'responses' | 'headers'][name], name);
  }
  assert.deepEqual(Object.keys(document.webhooks).sort(), [...EVENT_TYPES].sort());
});

test('every operation has a name of its own, and says of each answer what it is', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(names).size, operations.length);
  for (const { operationId = '', responses } of operations) {
    assert.match(operationId, /^[a-z][A-Za-z]+$/);
    for (const [status, { description, $ref }] of Object.entries(responses)) {
      if (status === 'default') assert.equal($ref, '#/components/responses/Error', operationId);
      else if (Number(status) >= 400) assert.equal($ref, `#/components/responses/Error${status}`, operationId);
      else assert.notEqual(description, 'Default Response', operationId);
    }
  }
});

test('a query parameter is never required: each has a default, or may be left out', () => {
  for (const { operationId, parameters = [] } of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    assert.deepEqual(required, [], operationId);
  }
});

test('a GET refuses a parameter that it does not know, whatever else it takes', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    if (methods.get === undefined || !path.startsWith('/api/v1/')) continue;
    assert.ok(methods.get.responses[422], `${path} 422`);
    const short = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, 'x');
    const answer = await api.admin.ask('GET', `${short}?nonsense=1`);
    assert.equal(answer.status, 422, `${path} ${answer.text}`);
    assert.deepEqual(
      answer.json.errors?.map(({ field }) => field),
      ['nonsense'],
    );
  }
});

test('bodies and answers are named components, files are what they are', () => {
  const others = new Set<string>();
  for (const { operationId = '', requestBody, responses } of Object.values(document.paths).flatMap(
    Object.values<Operation>,
  )) {
    for (const content of [requestBody?.content, ...Object.values(responses).map((response) => response.content)]) {
      for (const [type, { schema }] of Object.entries(content ?? {})) {
        if (type === 'application/json') assert.ok('$ref' in (schema as object), operationId);
        else others.add(`${operationId} ${type}`);
      }
    }
  }
  assert.deepEqual([...others].sort(), [
    'addContacts text/csv',
    'downloadPortDocument application/octet-stream',
    'exportAllCosts text/csv',
    'exportCalls text/csv',
    'exportCosts text/csv',
    'exportTrunkPrices text/csv',
    'getHoldMusicAudio audio/wav',
    'getRecording audio/mp3',
    'getRecording audio/wav',
    'getTestRecording audio/mp3',
    'getTestRecording audio/wav',
    'getTestRunAsJunit application/xml',
    'getTimelinePicture image/svg+xml',
    'getVoicePreview audio/wav',
    'importTrunkPrices text/csv',
    'putHoldMusic audio/wav',
    'readCalendarFeed text/calendar',
    'streamCall text/event-stream',
    'uploadDocument multipart/form-data',
    'uploadPortDocument multipart/form-data',
  ]);
});

test('every body and every record has an example, and each example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, inlineRefs: false });
  ajv.addSchema(document, 'openapi');
  // Found by its address: wrapped in a schema of its own, each would compile all that it refers to again.
  const fits = (name: string, example: unknown): void => {
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
    assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
  };
  const without: string[] = [];
  for (const [name, { examples }] of Object.entries(document.components.schemas)) {
    const [example] = (examples ?? []) as unknown[];
    if (example === undefined) without.push(name);
    else fits(name, example);
  }
  for (const { content } of Object.values(document.components.responses)) {
    fits('Error', content['application/json'].example);
  }
  // The rest is made of others, or a file.
  assert.deepEqual(
    without.filter((name) => !/(Event|Result|Answer)$/.test(name)),
    ['Error', 'UploadDocumentBody', 'UploadPortDocumentBody'],
  );
});

test('the reference page needs nothing from elsewhere, and offers nothing of its maker', async () => {
  const redirect = await api.inject({ method: 'GET', url: '/docs' });
  assert.deepEqual([redirect.status, redirect.headers.location], [301, '/docs/']);
  const page = await api.inject({ method: 'GET', url: '/docs/' });
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /(?:src|href)=["']?(?:https?:)?\/\//);
  assert.match(page.text, /\/openapi\.json/);
  assert.match(page.text, /"showDeveloperTools":\s*"never"/);
  assert.match(page.text, /"agent":\s*\{\s*"disabled":\s*true/);
  assert.match(String(page.headers['content-security-policy']), /default-src 'self'/);
  const [, script = ''] = /src="([^"]+scalar\.js[^"]*)"/.exec(page.text) ?? [];
  const code = await api.inject({ method: 'GET', url: new URL(script, 'http://localhost/docs/').pathname });
  assert.equal(code.status, 200);
  assert.match(String(code.headers['content-type']), /javascript/);
});
