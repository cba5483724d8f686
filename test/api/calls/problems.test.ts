// Problems that a person finds in a call: said of a line, changed, taken back, listed by, and gone with the call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Papa from 'papaparse';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const LINES = [
  { speaker: 'agent', text: 'Hello', timestamp: 0 },
  { speaker: 'caller', text: 'a trim please', timestamp: 4_380 },
];
const transcript = JSON.stringify(LINES);
const api = useApi();

const mark = (call: Pick<CallTable, 'id'>, timestamp: number, body: unknown, tenant = api.tenant) =>
  tenant.ask('PUT', `/calls/${call.id}/problems/${timestamp}`, body);
const unmark = (call: Pick<CallTable, 'id'>, timestamp: number, tenant = api.tenant) =>
  tenant.ask('DELETE', `/calls/${call.id}/problems/${timestamp}`);
const problemsOf = async ({ id }: Pick<CallTable, 'id'>) => {
  const { problems } = (await api.tenant.ask('GET', `/calls/${id}`)).json.data;
  return problems?.map(({ timestamp, kind, note }) => ({ timestamp, kind, note }));
};
const listed = async (query: string): Promise<string[]> => {
  const { status, json, text } = await api.tenant.ask('GET', `/calls?${query}`);
  assert.equal(status, 200, text);
  assert.equal(json.pagination.total, json.data.length);
  return json.data.map(({ id }: { id: string }) => id);
};

test('a line has one problem, which is changed and taken back', async () => {
  const call = await seedCall(api, api.tenant, { transcript });
  assert.equal(await problemsOf(call), undefined, 'a call without any is as before');
  const made = await mark(call, 4_380, { kind: 'misheard', note: '  She said "a perm".  ' });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(await mark(call, 0, { kind: 'too_slow' }).then(({ status }) => status), 200);
  assert.deepEqual(await problemsOf(call), [
    { timestamp: 0, kind: 'too_slow', note: null },
    { timestamp: 4_380, kind: 'misheard', note: 'She said "a perm".' },
  ]);
  await mark(call, 4_380, { kind: 'wrong_answer', note: ' ' });
  assert.deepEqual((await problemsOf(call))?.[1], { timestamp: 4_380, kind: 'wrong_answer', note: null });
  assert.equal((await unmark(call, 4_380)).status, 200);
  assert.equal((await unmark(call, 4_380)).json.error, 'Problem not found');
  assert.equal((await problemsOf(call))?.length, 1);
});

test('nothing is said of a line that is not there, of a running call, or of another account’s', async () => {
  const call = await seedCall(api, api.tenant, { transcript });
  assert.equal((await mark(call, 17, { kind: 'misheard' })).json.error, 'Line not found');
  assert.equal((await mark(call, 0, { kind: 'bad' })).status, 422);
  assert.equal((await mark(call, 0, { kind: 'other', note: 'x'.repeat(1_001) })).status, 422);
  assert.equal((await mark(call, -1, { kind: 'other' })).json.error, 'Line not found');
  const running = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, transcript });
  assert.equal((await mark(running, 0, { kind: 'other' })).json.code, 'CALL_RUNNING');
  assert.equal((await mark(call, 0, { kind: 'other' }, api.other)).json.error, 'Call not found');
  await mark(call, 0, { kind: 'other' });
  assert.equal((await unmark(call, 0, api.other)).status, 404);
  assert.equal((await problemsOf(call))?.length, 1);
});

test('calls are listed, and exported, by what was wrong, together with other filters', async () => {
  const [slow, misheard, both] = await Promise.all(
    (['inbound', 'inbound', 'outbound'] as const).map((direction, index) =>
      seedCall(api, api.tenant, { transcript, direction, startedAt: api.clock.now - (index + 1) * 60_000, score: 0.5 }),
    ),
  );
  await seedCall(api, api.tenant, { transcript });
  const foreign = await seedCall(api, api.other, { transcript });
  await mark(foreign, 0, { kind: 'too_slow' }, api.other);
  assert.ok(slow && misheard && both);
  await mark(slow, 0, { kind: 'too_slow' });
  await mark(misheard, 4_380, { kind: 'misheard' });
  await mark(both, 0, { kind: 'too_slow' });
  await mark(both, 4_380, { kind: 'interrupted' });
  const own = new Set([slow.id, misheard.id, both.id]);
  const of = async (query: string) => (await listed(query)).filter((id) => own.has(id));
  assert.deepEqual(await of('problem=any'), [slow.id, misheard.id, both.id]);
  assert.deepEqual(await of('problem=too_slow'), [slow.id, both.id]);
  assert.deepEqual(await of('problem=interrupted'), [both.id]);
  assert.deepEqual(await of('problem=too_slow&direction=inbound'), [slow.id]);
  assert.deepEqual(await of('problem=any&minScore=0.4&sort=startedAt'), [both.id, misheard.id, slow.id]);
  assert.ok(!(await listed('problem=any')).includes(foreign.id));
  assert.equal((await api.tenant.ask('GET', '/calls?problem=bad')).status, 422);
  const { text } = await api.tenant.ask('GET', '/calls/export?problem=interrupted');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  assert.deepEqual(
    data.map(({ id }) => id),
    [both.id],
  );
});

test('it goes with the call when that is erased', async () => {
  const call = await seedCall(api, api.tenant, { transcript });
  await mark(call, 0, { kind: 'other', note: 'Zenobia again' });
  assert.equal((await api.tenant.ask('DELETE', `/calls/${call.id}`)).status, 200);
  assert.equal(await problemsOf(call), undefined);
  assert.deepEqual(
    await api.context.db.selectFrom('callProblems').selectAll().where('callId', '=', call.id).execute(),
    [],
  );
  assert.equal((await mark(call, 0, { kind: 'other' })).json.error, 'Line not found');
});
