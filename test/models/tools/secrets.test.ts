// Arguments that are kept nowhere (`writeOnly`), wherever they stand in the schema and whatever a model made of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecrets } from '../../../models/tools/secrets.ts';
import type { JsonSchema } from '../../../models/tools/tool.ts';

const SECRET = { type: 'string', writeOnly: true };
const object = (properties: Record<string, unknown>, more: object = {}): JsonSchema =>
  ({ type: 'object', properties, ...more }) as JsonSchema;
const shown = (schema: JsonSchema, args: Record<string, unknown>, result: unknown = null) =>
  withoutSecrets(schema, { arguments: args, result });

test('marked values are masked at any depth, and nothing else is touched', () => {
  const schema = object({
    pin: SECRET,
    name: { type: 'string' },
    card: object({ code: SECRET, holder: { type: 'string' } }),
    codes: { type: 'array', items: SECRET },
    people: { type: 'array', items: object({ pin: SECRET, name: { type: 'string' } }) },
    all: { ...object({ a: { type: 'string' } }), writeOnly: true },
  });
  const given = {
    pin: 4711,
    name: 'Ada',
    card: { code: 'c', holder: 'Ada' },
    codes: ['x', 'y'],
    people: [{ pin: 'p', name: 'Bo' }],
    all: { a: 'b' },
  };
  const before = structuredClone(given);
  const mask = '********';
  assert.deepEqual(shown(schema, given).arguments, {
    pin: mask,
    name: 'Ada',
    card: { code: mask, holder: 'Ada' },
    codes: [mask, mask],
    people: [{ pin: mask, name: 'Bo' }],
    all: mask,
  });
  assert.deepEqual(given, before, 'the model and the system get what was given');
  assert.deepEqual(shown(object({ name: { type: 'string' } }), given).arguments, given);
});

test('alternatives, references and additional members are schemas too', () => {
  const schema = object(
    {
      either: { anyOf: [{ type: 'number' }, SECRET] },
      both: { allOf: [object({ pin: SECRET })] },
      referred: { $ref: '#/$defs/a~1b' },
      round: { $ref: '#/properties/round' },
    },
    { $defs: { 'a/b': SECRET }, additionalProperties: SECRET },
  );
  const { arguments: args } = shown(schema, { either: 1, both: { pin: 'p' }, referred: 'r', round: 'o', other: 'm' });
  const mask = '********';
  assert.deepEqual(args, { either: mask, both: { pin: mask }, referred: mask, round: 'o', other: mask });
});

test('a value of another type than asked for is masked as well; names of every object are no schema', () => {
  const schema = object({ pin: SECRET });
  assert.deepEqual(shown(schema, { pin: { digits: [4, 7] } }).arguments, { pin: '********' });
  assert.deepEqual(shown(schema, { pin: null }).arguments, { pin: null });
  assert.deepEqual(shown(schema, { toString: 'x', ['__proto__']: 'y', pin: 'größe 🗝️' }).arguments.pin, '********');
});

test('an answer that repeats a value has it masked; a short one only where it is all of a text', () => {
  const schema = object({ pin: SECRET, digit: { type: 'integer', writeOnly: true } });
  const { result } = shown(
    schema,
    { pin: 'Zenobia 🗝️', digit: 4 },
    { ok: true, data: { note: 'PIN Zenobia 🗝️ is right', digit: 4, four: '4', of: '14 of 24', list: ['Zenobia 🗝️'] } },
  );
  assert.deepEqual(result, {
    ok: true,
    data: { note: 'PIN ******** is right', digit: '********', four: '********', of: '14 of 24', list: ['********'] },
  });
});

test('a schema that refers to itself many times is looked at once', () => {
  const itself = Array.from({ length: 20 }, () => ({ $ref: '#' }));
  const schema = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } }, anyOf: itself };
  const shown = withoutSecrets(schema, { arguments: { pin: '4711', order: '7' }, result: null });
  assert.deepEqual(shown.arguments, { pin: '********', order: '7' });
});
