// Prices as ADMINs write them down: checked, one currency, and trunks' tables in and out.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { trunkRow } from '../../../bench/rig/rows/table-rows.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const api = useFreshApi();
beforeEach(async () => {
  await api.context.db
    .insertInto('trunks')
    .values(trunkRow({ id: 'trk_1', createdAt: 0 }))
    .execute();
});

const add = (body: object) => api.admin.ask('POST', '/admin/prices', { currency: 'EUR', ...body });
const bring = (table: string, query = 'direction=outbound&currency=EUR&trunkId=trk_1') =>
  api.inject({
    ...{ method: 'POST', url: `/api/v1/admin/prices/import?${query}`, payload: table },
    headers: { authorization: `Bearer ${api.admin.token}`, 'content-type': 'text/csv' },
  });
const faultsOf = ({ json }: { json: unknown }) =>
  ((json as { errors?: Array<{ field: string }> }).errors ?? []).map(({ field }) => field);

test('the document’s example of a table is one that is taken', async () => {
  const { json } = await api.inject({ method: 'GET', url: '/openapi.json' });
  const { paths } = json as unknown as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { example: string }> } } }>;
  };
  const { example = '' } = paths['/api/v1/admin/prices/import']?.post.requestBody.content['text/csv'] ?? {};
  const { status, text } = await bring(example);
  assert.equal(status, 201, text);
});

test('a price is added, listed, read and deleted', async () => {
  const { status, json } = await add({
    kind: 'llm',
    engine: 'openai',
    model: 'gpt-*',
    perMillionInput: '0.4',
    perMillionOutput: '1.6',
  });
  assert.equal(status, 201);
  const { id, model, perMillionInput, perMillionCached, increment, currency } = json.data;
  assert.deepEqual(
    { model, perMillionInput, perMillionCached, increment, currency },
    { model: 'gpt-*', perMillionInput: '0.40', perMillionCached: null, increment: null, currency: 'EUR' },
  );
  assert.deepEqual((await api.admin.ask('GET', `/admin/prices/${id}`)).json.data, json.data);
  assert.equal((await api.admin.ask('GET', '/admin/prices?kind=llm')).json.pagination.total, 1);
  assert.equal((await api.admin.ask('GET', '/admin/prices?kind=stt')).json.pagination.total, 0);
  assert.equal((await api.admin.ask('DELETE', `/admin/prices/${id}`)).status, 200);
  assert.equal((await api.admin.ask('GET', `/admin/prices/${id}`)).status, 404);
});

test('what cannot be a price says why, field by field', async () => {
  for (const [body, fields] of [
    [{ kind: 'llm', perMinute: '1' }, ['perMinute', 'perMillionInput']],
    [{ kind: 'stt' }, ['perMinute']],
    [{ kind: 'stt', perMinute: '1.1234567' }, ['perMinute']],
    [{ kind: 'stt', perMinute: '1', prefix: '+49' }, ['prefix']],
    [{ kind: 'trunk', perMinute: '1' }, ['direction']],
    [{ kind: 'trunk', direction: 'inbound', perMinute: '1', model: 'x' }, ['model']],
    [{ kind: 'trunk', direction: 'inbound', perMinute: '1', increment: '0/60' }, ['increment']],
    [{ kind: 'trunk', direction: 'inbound', perMinute: '1', trunkId: 'trk_none' }, ['trunkId']],
    [{ kind: 'llm', model: 'a*b*c', perMillionInput: '1' }, ['model']],
    [{ kind: 'llm', perMillionInput: '1', currency: 'XQQ' }, ['currency']],
  ] as const) {
    const answer = await add(body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(faultsOf(answer), fields, JSON.stringify(body));
  }
});

test('who changed a price is in the audit log of the installation', async () => {
  const { id } = (await add({ kind: 'stt', perMinute: '1' })).json.data;
  await api.admin.ask('DELETE', `/admin/prices/${id}`);
  const { data } = (await api.admin.ask('GET', '/admin/audit-log?resource=price')).json;
  assert.deepEqual(
    data.map(({ action, resourceId }) => [action, resourceId]),
    [
      ['deletePrice', id],
      ['createPrice', id],
    ],
  );
});

test('all prices have one currency', async () => {
  await add({ kind: 'stt', perMinute: '1' });
  const answer = await add({ kind: 'stt', perMinute: '1', currency: 'USD' });
  assert.deepEqual([answer.status, faultsOf(answer)], [422, ['currency']]);
});

test('a carrier’s table is taken whole, with its ways to write a prefix, and given back', async () => {
  const table =
    'Country;prefix;perMinute;increment;connectionFee\r\nGermany;49;0.01;;\r\nFrance;0033;0.02;60/60;0.005\r\nAll;;0.5;1/1;\r\n';
  const { status, json, text } = await bring(table);
  assert.equal(status, 201, text);
  assert.deepEqual(json.data, { added: 3 });
  const answer = await api.admin.ask('GET', '/admin/prices/export?trunkId=trk_1');
  const lines = answer.text
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').slice(0, 7).join(','));
  assert.deepEqual(lines, [
    'trunkId,direction,prefix,perMinute,connectionFee,increment,currency',
    'trk_1,outbound,+49,0.01,,1/1,EUR',
    'trk_1,outbound,+33,0.02,0.005,60/60,EUR',
    'trk_1,outbound,,0.50,,1/1,EUR',
  ]);
  assert.equal((await bring(answer.text)).status, 201);
});

test('a table with a fault is refused whole, and says in which rows', async () => {
  const answer = await bring('prefix,perMinute,increment\n+49,0.01,1/1\n+4x,0.01,\n+33,a lot,\n+34,1,0/0\n');
  assert.equal(answer.status, 422);
  assert.deepEqual(faultsOf(answer), ['prices[1].prefix', 'prices[2].perMinute', 'prices[3].increment']);
  const twice = await bring('prefix,perMinute\n+49,1\n+33,1\n0049,1\n');
  assert.deepEqual(faultsOf(twice), ['prices[2].prefix']);
  assert.equal((await api.admin.ask('GET', '/admin/prices')).json.pagination.total, 0);
  for (const table of ['', 'number,price\n+49,1\n', 'prefix,perMinute\n"+49,1\n'])
    assert.deepEqual(faultsOf(await bring(table)), ['prices'], table);
  assert.deepEqual(faultsOf(await bring('prefix,perMinute\n+49,1\n', 'direction=sideways&currency=EUR')), [
    'direction',
  ]);
});
