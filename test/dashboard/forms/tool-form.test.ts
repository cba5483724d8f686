// The bodies that the pages of tools, documents and results send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../../api/dashboard/app/api-types.ts';
import {
  type HeadersValue,
  headersBody,
  headersFaults,
  headersOf,
  replaced,
  withSingle,
} from '../../../api/dashboard/app/headers/headers-value.ts';

Object.assign(globalThis, {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { createBodyOf, NEW_TOOL, updateBodyOf, valuesOfTool } = await import(
  '../../../api/dashboard/app/pages/tools/tool-form.ts'
);
const { businessBodyOf, lookupValuesOf } = await import('../../../api/dashboard/app/pages/businesses/business-form.ts');
const { documentOf } = await import('../../../api/dashboard/app/pages/businesses/document-file.ts');
const { outputRows } = await import('../../../api/dashboard/app/results/wishes.ts');

type Refusal = { faults: Array<{ field: string }> };
const atFault =
  (...fields: string[]) =>
  ({ faults }: Refusal): boolean => {
    assert.deepEqual(
      faults.map(({ field }) => field),
      fields,
    );
    return true;
  };

const TOOL: Tool = {
  id: 'tol_1',
  name: 'find_order',
  description: 'Finds an order',
  kind: 'http',
  url: 'https://shop.example/orders/{{number}}',
  method: 'GET',
  headerNames: ['Authorization', 'X-Shop'],
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
  timeoutMs: 5_000,
  sayWhile: null,
  mode: 'wait',
  assign: { plan: 'customer.plan' },
  when: [],
  onInterruption: 'finish',
  only: null,
  catalogue: null,
  catalogueAt: null,
  catalogueError: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  publishedVersion: 1,
  draftVersion: null,
};

test('headers stay unless they are replaced, and then every value is written', () => {
  const kept = headersOf(TOOL.headerNames);
  assert.equal(headersBody(kept), undefined);
  const wanted = replaced(kept);
  assert.deepEqual(
    headersFaults(wanted, 'headers').map(({ field }) => field),
    ['headers.Authorization', 'headers.X-Shop'],
  );
  const rows = [{ name: ' Authorization ', value: 'Bearer new' }];
  assert.deepEqual(headersBody({ ...wanted, rows }), { Authorization: 'Bearer new' });
  assert.equal(headersBody({ ...wanted, rows: [] }), null);
  assert.equal(headersBody(headersOf([])), undefined);
});

test('one header is changed, or goes, and the others stay', () => {
  let value = headersOf(TOOL.headerNames);
  value = withSingle(value, 'Authorization', '');
  assert.deepEqual(
    headersFaults(value, 'headers').map(({ field }) => field),
    ['setHeaders.Authorization'],
  );
  value = withSingle(withSingle(value, 'Authorization', 'Bearer new'), 'X-Shop', null);
  assert.deepEqual(updateBodyOf({ headers: value }), { setHeaders: { Authorization: 'Bearer new', 'X-Shop': null } });
  value = withSingle(withSingle(value, 'Authorization', undefined), 'X-Shop', undefined);
  assert.deepEqual(updateBodyOf({ headers: value }), {});
});

test('two headers of one name are refused, however they are written', () => {
  const value: HeadersValue = {
    kept: [],
    rows: [
      { name: 'X-Key', value: 'a' },
      { name: 'x-key', value: 'b' },
    ],
  };
  assert.deepEqual(
    headersFaults(value, 'headers').map(({ field }) => field),
    ['headers.x-key'],
  );
});

test('a change of a tool is sent alone, and an emptied field as its default', () => {
  const values = valuesOfTool(TOOL);
  assert.deepEqual(updateBodyOf({ sayWhile: ' ', timeoutMs: null }), { sayWhile: null, timeoutMs: 5_000 });
  assert.equal('headers' in updateBodyOf({ ...values }), false);
  assert.deepEqual(updateBodyOf({ assign: [{ variable: ' plan ', path: ' plan ' }] }), { assign: { plan: 'plan' } });
});

test('a new server of tools is sent without a method and parameters, an HTTP tool without a choice', () => {
  const server = createBodyOf({ ...NEW_TOOL, kind: 'mcp', name: 'crm', url: 'https://crm.example/mcp' });
  assert.deepEqual(
    ['method', 'parameters', 'only'].map((name) => name in server),
    [false, false, true],
  );
  const tool = createBodyOf({ ...NEW_TOOL, name: 'find_order', url: TOOL.url });
  assert.deepEqual(
    ['method', 'parameters', 'only'].map((name) => name in tool),
    [true, true, false],
  );
});

test('a tool at fault is not sent', () => {
  const twice = [
    { variable: 'plan', path: 'a' },
    { variable: 'plan', path: 'b' },
  ];
  assert.throws(() => updateBodyOf({ assign: twice }), atFault('assign.plan'));
  assert.throws(() => updateBodyOf({ parameters: { rows: null, json: '{' } }), atFault('parameters'));
});

test('a look-up keeps its headers, takes new ones, and goes', () => {
  const saved = lookupValuesOf({ url: 'https://crm.example', timeoutMs: 800, headerNames: ['Authorization'] });
  assert.ok(saved);
  assert.deepEqual(businessBodyOf({ lookup: { ...saved, timeoutMs: null } }), {
    lookup: { url: 'https://crm.example', timeoutMs: 800 },
  });
  const headers = { ...saved.headers, rows: [{ name: 'Authorization', value: '' }] };
  assert.throws(() => businessBodyOf({ lookup: { ...saved, headers } }), atFault('lookup.headers.Authorization'));
  assert.deepEqual(businessBodyOf({ lookup: null }), { lookup: null });
});

test('values of calls are sent as JSON Schema, and refused beside their row', () => {
  const outputs = [{ name: 'guests', schema: { type: 'integer', minimum: 1 }, description: 'How many' }];
  const rows = outputRows(outputs);
  assert.deepEqual(businessBodyOf({ outputs: rows }), { outputs });
  const [row] = rows;
  assert.ok(row);
  const broken = { ...row, type: { ...row.type, json: '{' } };
  assert.throws(() => businessBodyOf({ outputs: [row, broken] }), atFault('outputs[1].schema'));
});

test('a file is a document by its name and its text', () => {
  assert.deepEqual(documentOf('Terms 2026.v2.MD', '# Warranty'), {
    name: 'Terms 2026.v2',
    kind: 'markdown',
    text: '# Warranty',
  });
  assert.deepEqual(documentOf('prices', 'Cut 42'), { name: 'prices', kind: 'text', text: 'Cut 42' });
  assert.throws(() => documentOf('empty.txt', ' \n'), /empty/);
  assert.throws(() => documentOf('terms.pdf.txt', '%PDF\0'), /no text/);
  assert.throws(() => documentOf('long.txt', 'x'.repeat(900_001)), /900,000/);
});
