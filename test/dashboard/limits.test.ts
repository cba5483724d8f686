// The limits of fields have one home, the schemas of the interface: forms take them from what is generated of the
// OpenAPI document.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConversationSettings, CreateBusinessBody } from '../../api/dashboard/app/api-limits.ts';
import { spanText } from '../../api/dashboard/app/limits.ts';
import { clientLimits, longestOf } from '../../api/openapi/client-limits.ts';

const app = fileURLToPath(new URL('../../api/dashboard/app/', import.meta.url));
/** Where limits are stated: the generated ones, and those that the document leaves open. */
const HOMES = ['api-limits.ts', 'limits.ts'];
/** A limit as a literal, in an attribute or in an object. */
const BY_HAND = /\b(?:min|max|minLength|maxLength|minItems|maxItems|minimum|maximum)(?:=\{|=["']|: )\s*-?[\d.]/;
/** `100 to 10,000` in a hint. */
const IN_WORDS = /\bhint=.*\b\d[\d,]* to \d/;

test('no form states a limit by hand', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: app })
    .filter((name) => !HOMES.includes(name))
    .flatMap((name) =>
      readFileSync(join(app, name), 'utf8')
        .split('\n')
        // The end of a bar of progress is no limit of a field.
        .filter((line) => (BY_HAND.test(line) && !line.includes('<Progress')) || IN_WORDS.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  assert.deepEqual(found, []);
});

test('a limit by hand would be found', () => {
  for (const line of ['maxLength={200}', 'min="2020-01-01"', '{ maxLength: 2 }', 'max={10_000}', 'max={.5}'])
    assert.match(line, BY_HAND);
  assert.match('hint="0 to 10. Default 2"', IN_WORDS);
  for (const line of ['max={to || undefined}', 'limits={LIMITS.CreateAgentBody.name}', 'query: { limit: 20 }'])
    assert.doesNotMatch(line, BY_HAND);
});

test('a form asks by schema and field', () => {
  assert.deepEqual(CreateBusinessBody.services.items.duration, { minimum: 0, maximum: 10_080 });
  assert.equal(spanText(ConversationSettings.reminderSeconds), '2 to 120');
});

test('limits of fields, of members, of names and values, of one of two alternatives', () => {
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Made' } } } };
  const schemas = {
    Made: {
      properties: {
        name: { type: 'string', maxLength: 5, description: 'no limit' },
        rows: { type: 'array', maxItems: 3, items: { properties: { n: { minimum: 1 }, free: { type: 'string' } } } },
        map: { propertyNames: { pattern: '^[a-z]{1,9}$' }, additionalProperties: { maxLength: 7 } },
        inner: { $ref: '#/components/schemas/Inner' },
        maybe: { anyOf: [{ type: 'null' }, { maximum: 8, default: 4 }] },
        free: { type: 'object', additionalProperties: true },
      },
    },
    Inner: { properties: { share: { maximum: 1 } } },
    Unused: { properties: { name: { maxLength: 1 } } },
  };
  const query = [
    { name: 'page', in: 'query', schema: { minimum: 1 } },
    { name: 'score', in: 'query', schema: { minimum: 0, maximum: 1 } },
  ];
  assert.deepEqual(
    clientLimits(
      [
        { operationId: 'make', requestBody: body },
        { operationId: 'list', parameters: query },
      ],
      schemas,
    ),
    {
      Inner: { share: { maximum: 1 } },
      Made: {
        name: { maxLength: 5 },
        rows: { maxItems: 3, items: { n: { minimum: 1 } } },
        map: { names: { maxLength: 9 }, values: { maxLength: 7 } },
        maybe: { maximum: 8, default: 4 },
      },
      list: { score: { minimum: 0, maximum: 1 } },
    },
  );
});

test('the longest text of a pattern, where the pattern says it', () => {
  const cases: Array<[string, number | null]> = [
    ['^[A-Za-z][A-Za-z0-9_]{0,63}$', 64],
    ['^[A-Z]{3}$', 3],
    ['^[0-9*#w]{1,32}$', 32],
    ['\\S', null],
    ['^[a-z]+$', null],
    ['^[a-z]{2,}$', null],
    ['^[a-z]([a-z]|[0-9]){1,3}$', null],
  ];
  for (const [pattern, longest] of cases) assert.equal(longestOf(pattern), longest, pattern);
});
