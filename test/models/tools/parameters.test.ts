// Parameters of tools: which schemas are taken, what the model sees of them, and what they cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parametersFault, schemaFault } from '../../../models/tools/parameters.ts';
import { shownParameters } from '../../../models/tools/schema.ts';
import type { JsonSchema } from '../../../models/tools/tool.ts';

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });

test('a schema is an object of bounded size and depth', () => {
  assert.equal(schemaFault(object({ day: { type: 'string' } })), null);
  assert.match(schemaFault({ type: 'array' }) ?? '', /type is object/);
  assert.match(schemaFault(object({ day: { type: 'text' } })) ?? '', /no JSON Schema/);
  assert.match(schemaFault(object({ day: { description: 'x'.repeat(20_000) } })) ?? '', /characters/);
  const deep = Array.from({ length: 8 }).reduce<JsonSchema>((inner) => object({ inner }), { type: 'string' });
  assert.match(schemaFault(deep) ?? '', /levels deep/);
});

test('patterns, references and formats are the model’s to read: none is executed', () => {
  const parameters = object({ code: { type: 'string', pattern: '^(a+)+$', format: 'email' }, other: { $ref: '#' } });
  assert.equal(parametersFault(parameters, { code: `${'a'.repeat(40)}!`, other: 3 }), null);
});

test('what a model wrote as text is taken as the number that the schema asks for', () => {
  const parameters = { ...object({ guests: { type: 'integer', minimum: 1 } }), required: ['guests'] };
  const given = { guests: '4' };
  assert.equal(parametersFault(parameters, given), null);
  assert.deepEqual(given, { guests: 4 });
  assert.match(parametersFault(parameters, { guests: 0 }) ?? '', /guests must be >= 1/);
});

test('the model is not shown what is fixed', () => {
  const schema = { ...object({ id: { const: '{{id}}' }, day: { type: 'string' } }), required: ['id', 'day'] };
  assert.deepEqual(shownParameters(schema), {
    type: 'object',
    properties: { day: { type: 'string' } },
    required: ['day'],
  });
});

test('a schema has at most 200 properties, at all of its levels', () => {
  const many = (count: number) => object(Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}])));
  assert.equal(schemaFault(many(200)), null);
  assert.match(schemaFault(many(201)) ?? '', /at most 200 properties/);
  assert.match(schemaFault(object({ one: many(150), list: { type: 'array', items: many(60) } })) ?? '', /200/);
});

test('each keyword that is examined names its fault', () => {
  const faults: Array<[JsonSchema, unknown, RegExp | null]> = [
    [{ type: 'string' }, ['x'], /value must be string/],
    [{ type: ['string', 'null'] }, {}, /value must be string,null/],
    [{ type: 'string' }, 4, null],
    [{ type: 'boolean' }, 'true', null],
    [{ type: 'boolean' }, 'perhaps', /must be boolean/],
    [{ type: 'number' }, '1.5', null],
    [{ type: 'integer' }, '1.5', /must be integer/],
    [{ enum: ['a', 'b'] }, 'c', /allowed values/],
    [{ enum: [{ a: 1 }] }, { a: 1 }, null],
    [{ exclusiveMinimum: 1 }, 1, /must be > 1/],
    [{ exclusiveMaximum: 1 }, 1, /must be < 1/],
    [{ maximum: 3 }, 4, /must be <= 3/],
    [{ multipleOf: 5 }, 7, /must be multiple of 5/],
    [{ minLength: 2 }, 'x', /fewer than 2 characters/],
    [{ maxLength: 1 }, '😀', null],
    [{ maxLength: 1 }, 'xy', /more than 1 characters/],
    [{ minItems: 1 }, [], /fewer than 1 items/],
    [{ maxItems: 1 }, [1, 2], /more than 1 items/],
    [{ type: 'array', items: { type: 'number' } }, ['1', 'x'], /value\.1 must be number/],
    [
      { ...object({ a: {} }), additionalProperties: false },
      { a: 1, b: 2 },
      /value must NOT have additional properties/,
    ],
    [{ ...object({ a: {} }), required: ['a'] }, {}, /value must have required property 'a'/],
  ];
  for (const [schema, value, fault] of faults) {
    const found = parametersFault(object({ value: schema }), { value: structuredClone(value) });
    if (fault === null) assert.equal(found, null, JSON.stringify(schema));
    else assert.match(found ?? 'no fault', fault);
  }
});

test('a value that takes too many steps does not fit', () => {
  const words = Array.from({ length: 1_000 }, (_, n) => `w${n}`);
  const schema = object({ list: { type: 'array', items: { type: 'string', enum: words } } });
  assert.equal(parametersFault(schema, { list: ['w1', 'w999'] }), null);
  assert.match(parametersFault(schema, { list: Array(5_000).fill('w1') }) ?? '', /too many to be examined/);
});
