// JSON Schema as rows of a form, and back; the arguments of a tool as fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentFields, argumentsOf } from '../../api/dashboard/app/schema/argument-fields.ts';
import {
  freshRow,
  parametersFault,
  parametersOf,
  rowsOf,
  schemaOfRows,
  withJson,
  withRows,
} from '../../api/dashboard/app/schema/parameter-rows.ts';
import { schemaOfType, typeFault, typeOfSchema, withKind } from '../../api/dashboard/app/schema/value-type.ts';

const ORDER = {
  type: 'object',
  properties: {
    number: { type: 'string', description: 'As it stands on the receipt' },
    what: { type: 'string', enum: ['status', 'price'] },
    customer: { const: '{{customerId}}' },
    pin: { type: 'string', writeOnly: true },
    lines: { type: 'array', items: { type: 'integer' }, description: 'Which of it' },
  },
  required: ['number', 'customer'],
};

const parsed = ({ json }: { json: string }): unknown => JSON.parse(json);

test('a schema becomes rows, and the rows the same schema', () => {
  const rows = rowsOf(ORDER) ?? [];
  assert.deepEqual(
    rows.map(({ name, isRequired, type }) => [name, isRequired, type.kind]),
    [
      ['number', true, 'string'],
      ['what', false, 'one-of'],
      ['customer', true, 'other'],
      ['pin', false, 'string'],
      ['lines', false, 'other'],
    ],
  );
  assert.deepEqual(schemaOfRows(rows), ORDER);
});

test('what rows do not show stays in the schema when a row is changed', () => {
  const before = parametersOf({ ...ORDER, additionalProperties: false, $comment: 'of the shop' });
  const [first, ...others] = before.rows ?? [];
  assert.ok(first);
  const after = withRows(before, [{ ...first, name: 'orderNumber', isRequired: false }, ...others]);
  const { number, ...rest } = ORDER.properties;
  assert.deepEqual(parsed(after), {
    type: 'object',
    properties: { orderNumber: number, ...rest },
    required: ['customer'],
    additionalProperties: false,
    $comment: 'of the shop',
  });
});

test('a schema that rows would spoil is edited as JSON alone', () => {
  assert.equal(rowsOf({ type: 'object', properties: { any: true } }), null);
  assert.equal(rowsOf({ type: 'object', required: ['elsewhere'] }), null);
  assert.equal(rowsOf({ anyOf: [] }), null);
  assert.deepEqual(rowsOf({ type: 'object' }), []);
});

test('JSON is followed by the rows as soon as it is valid, and cannot be sent before', () => {
  const broken = withJson('{"type": "object", ');
  assert.equal(broken.rows, null);
  assert.notEqual(parametersFault(broken), null);
  assert.equal(withJson(JSON.stringify(ORDER)).rows?.length, 5);
  assert.notEqual(parametersFault(withJson('')), null);
});

test('a row at fault leaves the JSON as it was, and cannot be sent', () => {
  const before = parametersOf(ORDER);
  const unnamed = withRows(before, [...(before.rows ?? []), freshRow()]);
  assert.equal(unnamed.json, before.json);
  assert.notEqual(parametersFault(unnamed), null);
  const twice = withRows(before, [...(before.rows ?? []), { ...freshRow(), name: 'number' }]);
  assert.notEqual(parametersFault(twice), null);
  assert.equal(parametersFault(withRows(before, [{ ...freshRow(), name: 'only' }])), null);
});

test('a type that says more than a choice stays JSON, word for word', () => {
  for (const schema of [{ type: 'integer', minimum: 1 }, { type: 'string', enum: [] }, { enum: [1, 2] }, {}]) {
    const type = typeOfSchema(schema);
    assert.equal(type.kind, 'other');
    assert.deepEqual(schemaOfType(type), schema);
  }
  assert.notEqual(typeFault({ kind: 'other', choices: [], json: '[]' }), null);
  assert.notEqual(typeFault({ kind: 'one-of', choices: [], json: '' }), null);
});

test('JSON Schema of a value begins with what was chosen before', () => {
  const list = typeOfSchema({ type: 'string', enum: ['yes', 'no'] });
  assert.deepEqual(schemaOfType(withKind(list, 'other')), { type: 'string', enum: ['yes', 'no'] });
  assert.deepEqual(withKind(withKind(list, 'string'), 'one-of').choices, ['yes', 'no']);
});

test('arguments are asked for by their types, without fixed ones', () => {
  const fields = argumentFields({
    properties: {
      ...ORDER.properties,
      count: { type: 'integer', default: 1, description: 'How many' },
      gift: { type: 'boolean' },
    },
    required: ['number', 'count'],
  });
  assert.deepEqual(
    fields.map(({ name, kind, isRequired, hint }) => [name, kind, isRequired, hint]),
    [
      ['number', 'text', true, 'As it stands on the receipt'],
      ['what', 'choice', false, undefined],
      ['pin', 'text', false, undefined],
      ['lines', 'json', false, 'Which of it'],
      ['count', 'number', false, 'How many. Default 1'],
      ['gift', 'yes-no', false, undefined],
    ],
  );
  const entered = { number: '4711', count: '2', gift: 'false', lines: '[1]', what: '' };
  assert.deepEqual(argumentsOf(fields, entered), {
    arguments: { number: '4711', count: 2, gift: false, lines: [1] },
    faults: [],
  });
  assert.deepEqual(
    argumentsOf(fields, { lines: '[1' }).faults.map(({ field }) => field),
    ['arguments.lines'],
  );
});
