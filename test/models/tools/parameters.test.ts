// Parameters of tools: which schemas are taken, what the model sees of them, and what they cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parameters, schemaFault } from '../../../models/tools/parameters.ts';
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
  const parameters = new Parameters(
    object({ code: { type: 'string', pattern: '^(a+)+$', format: 'email' }, other: { $ref: '#' } }),
  );
  assert.equal(parameters.fault({ code: `${'a'.repeat(40)}!`, other: 3 }), null);
});

test('what a model wrote as text is taken as the number that the schema asks for', () => {
  const parameters = new Parameters({ ...object({ guests: { type: 'integer', minimum: 1 } }), required: ['guests'] });
  const given = { guests: '4' };
  assert.equal(parameters.fault(given), null);
  assert.deepEqual(given, { guests: 4 });
  assert.match(parameters.fault({ guests: 0 }) ?? '', /guests must be >= 1/);
});

test('the model is not shown what is fixed', () => {
  const schema = { ...object({ id: { const: '{{id}}' }, day: { type: 'string' } }), required: ['id', 'day'] };
  assert.deepEqual(shownParameters(schema), {
    type: 'object',
    properties: { day: { type: 'string' } },
    required: ['day'],
  });
});
