// Messages of validation are words for a person: ours, never those of the validator.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fieldErrors } from '../../../../api/frame/validation.ts';
import { startApi } from '../../../../bench/rig/api/api.ts';
import { useApi } from '../../../support/api/use-api.ts';

const api = useApi();

/** Keywords that describe, or only hold other schemas; what fails inside of them has an error of its own. */
const SILENT =
  'description title default example examples properties items anyOf oneOf allOf $ref style in name schema content writeOnly readOnly deprecated'.split(
    ' ',
  );

const SPECIAL = ['required', 'additionalProperties', 'unevaluatedProperties'];

const require = createRequire(createRequire(import.meta.url).resolve('fastify'));
const ajvCompiler = require('@fastify/ajv-compiler') as () => (
  schemas: object,
  options: object,
) => (route: { schema: object }) => { (data: unknown): boolean; errors?: never[] };

/** A value that breaks the keyword, and the words for it. */
const BREAKS: Record<string, [schema: object, value: unknown, words: string]> = {
  type: [{ type: ['integer', 'null'] }, 'x', 'must be an integer or null'],
  enum: [{ enum: ['a', 'b'] }, 'c', 'must be one of a, b'],
  const: [{ const: 7 }, 8, 'must be 7'],
  pattern: [{ type: 'string', pattern: '^a' }, 'b', 'must match ^a'],
  format: [{ type: 'string', format: 'email' }, 'b', 'must be a valid e-mail address'],
  minLength: [{ type: 'string', minLength: 12 }, 'short', 'must have at least 12 characters'],
  maxLength: [{ type: 'string', maxLength: 1 }, 'long', 'must have at most 1 character'],
  minItems: [{ type: 'array', minItems: 1 }, [], 'must not be empty'],
  maxItems: [{ type: 'array', maxItems: 2 }, [1, 2, 3], 'must have at most 2 items'],
  uniqueItems: [
    { type: 'array', uniqueItems: true },
    [1, 2, 1],
    'must not name anything twice: items 0 and 2 are the same',
  ],
  minProperties: [{ type: 'object', minProperties: 1 }, {}, 'must not be empty'],
  maxProperties: [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 field'],
  propertyNames: [
    { type: 'object', propertyNames: { pattern: '^a' } },
    { b: 1 },
    'has a name with other than A-Z, a-z, 0-9 and _',
  ],
  minimum: [{ type: 'number', minimum: 0.5 }, 0, 'must be 0.5 or more'],
  maximum: [{ type: 'number', maximum: 100 }, 101, 'must be 100 or less'],
  exclusiveMinimum: [{ type: 'number', exclusiveMinimum: 0 }, 0, 'must be more than 0'],
  exclusiveMaximum: [{ type: 'number', exclusiveMaximum: 5 }, 5, 'must be less than 5'],
  multipleOf: [{ type: 'number', multipleOf: 5 }, 7, 'must be a multiple of 5'],
};

const options = { customOptions: { coerceTypes: false, verbose: true, strict: false, allErrors: true } };
const compile = ajvCompiler()({}, { ...options, plugins: [] });

for (const [keyword, [schema, value, words]] of Object.entries(BREAKS)) {
  test(`${keyword} fails as "${words}"`, () => {
    const validate = compile({ schema: { type: 'object', properties: { value: schema } } });
    assert.equal(validate({ value }), false);
    assert.ok(
      fieldErrors(validate.errors ?? [], 'body').some(
        ({ field, message }) => field.startsWith('value') && message === words,
      ),
    );
  });
}

test('every keyword of every schema that a request is held against has words', () => {
  const { paths } = api.app.swagger() as { paths: Record<string, Record<string, Operation>> };
  const used = new Set<string>();
  for (const { parameters = [], requestBody } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const { schema } of parameters) keywordsOf(schema, used);
    keywordsOf(requestBody?.content?.['application/json']?.schema, used);
  }
  assert.ok(used.size > 10);
  assert.deepEqual(
    [...used].filter((keyword) => ![...SILENT, ...SPECIAL, ...Object.keys(BREAKS)].includes(keyword)),
    [],
  );
});

interface Operation {
  parameters?: Array<{ schema: unknown }>;
  requestBody?: { content?: Record<string, { schema: unknown }> };
}

function keywordsOf(schema: unknown, found: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (keyword === 'properties') for (const property of Object.values(value as object)) keywordsOf(property, found);
    if (['items', 'propertyNames', 'additionalProperties'].includes(keyword)) keywordsOf(value, found);
    if (keyword.endsWith('Of') && Array.isArray(value)) for (const branch of value) keywordsOf(branch, found);
  }
}

test('a parameter of the query that is not known is 422, with the nearest known one', async () => {
  const answer = await api.tenant.ask('GET', '/calls?limt=10&page=1');
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.json.errors, [{ field: 'limt', message: 'is not a known parameter; did you mean "limit"?' }]);
  const other = await api.tenant.ask('GET', '/agents?colour=red');
  assert.deepEqual(other.json.errors, [{ field: 'colour', message: 'is not a known parameter' }]);
});

test("another service's name of a field is answered with ours, or with where it stands", async () => {
  const said = async (path: string, body: object, field: string) => {
    const { json } = await api.tenant.ask('POST', path, body);
    return json.errors?.find((error: { field: string }) => error.field === field)?.message ?? '';
  };
  const meant = (name: string) => `is not a known field; did you mean "${name}"?`;
  const call = {
    from_number: '+12025550100',
    to_number: '+12025550143',
    assistantId: 'a',
    webhook: 'https://a.example',
  };
  assert.equal(await said('/calls', call, 'from_number'), meant('fromPhoneNumberId'));
  assert.equal(await said('/calls', call, 'to_number'), meant('toNumber'));
  assert.equal(await said('/calls', call, 'assistantId'), meant('campaignId'));
  assert.match(await said('/calls', call, 'webhook'), /: events are subscribed to by POST \/webhooks$/);
  const agent = { name: 'Kim', voice_id: 'flite-slt', prompt: 'You are', firstMessage: 'Hello' };
  assert.equal(await said('/agents', agent, 'voice_id'), meant('voiceId'));
  assert.match(await said('/agents', agent, 'prompt'), /: the prompt is systemPrompt of the business/);
  assert.match(await said('/agents', agent, 'firstMessage'), /greetingTemplate of the business or the campaign$/);
  assert.equal(await said('/businesses', { first_sentence: 'Hello' }, 'first_sentence'), meant('greetingTemplate'));
  const list = await api.tenant.ask('GET', '/calls?metadata=1');
  assert.deepEqual(list.json.errors, [{ field: 'metadata', message: 'is not a known parameter' }]);
});

test('HEAD is answered where GET is, without a body', async () => {
  for (const path of ['/healthz', '/api/v1/agents', '/openapi.json', '/']) {
    const headers = { authorization: `Bearer ${api.tenant.token}` };
    const [get, head] = await Promise.all(
      (['GET', 'HEAD'] as const).map((method) => api.app.inject({ method, url: path, headers })),
    );
    assert.deepEqual([head?.statusCode, head?.payload], [200, ''], path);
    assert.equal(head?.headers['content-length'], String(Buffer.byteLength(get?.payload ?? '')), path);
  }
  assert.equal((await api.app.inject({ method: 'HEAD', url: '/api/v1/agents' })).statusCode, 401);
});

test('browsers are told to upgrade to https only where the service is served by it', async () => {
  const policyOf = async (environment: Record<string, string>) => {
    const own = await startApi({ environment });
    const { headers } = await own.inject({ url: '/' });
    await own.close();
    return String(headers['content-security-policy']);
  };
  assert.doesNotMatch(await policyOf({}), /upgrade-insecure-requests/);
  assert.doesNotMatch(await policyOf({ PUBLIC_URL: 'http://192.168.1.5:8080' }), /upgrade-insecure-requests/);
  assert.match(await policyOf({ PUBLIC_URL: 'https://voice.example.com' }), /upgrade-insecure-requests/);
});

test('a value of another form is told the form, for each pattern of the document', async () => {
  const patterns = new Set<string>();
  JSON.stringify(JSON.parse(readFileSync('docs/openapi.json', 'utf8')), (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  assert.ok(patterns.size > 15);
  const told = (pattern: string) => {
    const validate = compile({ schema: { type: 'object', properties: { value: { type: 'string', pattern } } } });
    assert.equal(validate({ value: '\n' }), false, pattern);
    return fieldErrors(validate.errors ?? [], 'body')[0]?.message ?? '';
  };
  for (const pattern of patterns) assert.doesNotMatch(told(pattern), /must match/, pattern);
});
