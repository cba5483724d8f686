// Tests that were made of a call go with it: cases, results and recordings, and no run waits for what is gone.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { keepRecording } from '../../../db/queries/test-runs/recordings.ts';
import { lifeOfCall } from '../../support/api/life-of-call.ts';
import { recordedResult } from '../../support/api/recorded-result.ts';
import { type Setup, setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let set: Setup;
let suiteId: string;
let callId: string;
beforeEach(async () => {
  set = await setUpCampaign(api, api.tenant);
  const body = { name: 'Imported', businessId: set.business.id, agentId: set.agent.id };
  suiteId = (await api.tenant.ask('POST', '/test-suites', body)).json.data.id;
  callId = await lifeOfCall(api, set);
});

const LINES = [
  { role: 'agent', text: 'Hello.' },
  { role: 'caller', text: 'My name is Zenobia.' },
];
const send = (body: object) => api.tenant.ask('POST', `/test-suites/${suiteId}/import`, { transcript: LINES, ...body });
const cases = async () => (await api.tenant.ask('GET', `/test-suites/${suiteId}/cases`)).json.data;
const erase = () => api.tenant.ask('DELETE', `/calls/${callId}`);
const begin = async () => (await api.tenant.ask('POST', `/test-suites/${suiteId}/runs`, {})).json.data;
const runOf = async (id: string) => (await api.tenant.ask('GET', `/test-runs/${id}`)).json.data;

test('a call’s record that was imported goes with the call, and other cases stay', async () => {
  await send({ transcript: { id: callId, transcript: LINES } });
  await send({ callId, name: 'By its lines' });
  await send({ name: 'Of somebody else' });
  assert.equal((await cases()).length, 3);
  await erase();
  assert.deepEqual(
    (await cases()).map(({ name }) => name),
    ['Of somebody else 1: My name is Zenobia.'],
  );
});

test('results go too where the case was deleted before the call was erased', async () => {
  await send({ callId });
  const [made] = await cases();
  const run = await begin();
  await api.tenant.ask('DELETE', `/test-cases/${made?.id}`);
  const results = async () => (await api.tenant.ask('GET', `/test-runs/${run.id}/results`)).json.data;
  assert.deepEqual(
    (await results()).map((result) => result.callId),
    [callId],
  );
  await erase();
  assert.deepEqual(await results(), []);
});

test('a run does not wait for cases that were erased, and without any has passed nothing', async () => {
  await send({ callId });
  const first = await begin();
  await erase();
  const { status, counts, endedAt } = await runOf(first.id);
  assert.deepEqual([status, counts.total, endedAt === null], ['CANCELLED', 0, false]);
  await send({});
  assert.equal((await runOf((await begin()).id)).counts.total, 1, 'the suite can be run again');
});

test('nothing is imported of a call that is another account’s, or erased already', async () => {
  const foreign = await api.other.ask('POST', `/test-suites/${suiteId}/import`, { transcript: LINES, callId });
  assert.equal(foreign.status, 422);
  const unknown = await send({ callId: 'call_none' });
  assert.equal(unknown.status, 422);
  await erase();
  assert.equal((await send({ callId })).status, 404);
  assert.deepEqual(await cases(), []);
});

test('a recording is read whole and in parts, by its account alone, until its call is erased', async () => {
  const { db } = api.context;
  const { accountId } = api.tenant;
  const id = await recordedResult(db, { accountId, callId, caseId: 'tcs_1', words: '0123456789' });
  const path = `/test-results/${id}/audio` as const;
  const whole = await api.tenant.ask('GET', path);
  assert.deepEqual([whole.status, whole.text, whole.headers['content-type']], [200, '0123456789', 'audio/mp3']);
  const part = await api.tenant.ask('GET', path, undefined, { range: 'bytes=2-4' });
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, '234', 'bytes 2-4/10']);
  assert.equal((await api.other.ask('GET', path)).status, 404);
  await erase();
  assert.equal((await api.tenant.ask('GET', path)).status, 404);
});

test('an account keeps its newest recordings, and a result whose recording is gone says so', async () => {
  const { db } = api.context;
  const { accountId } = api.tenant;
  const run = await begun();
  const of = { accountId, callId: null, caseId: 'tcs_1', runId: run, words: '01234' };
  const old = await recordedResult(db, { ...of, createdAt: 1 });
  const kept = await recordedResult(db, { ...of, createdAt: 2 });
  const newest = { resultId: 'trs_x', accountId, runId: run, createdAt: 3, bytes: 5, audio: Buffer.from('56789') };
  await keepRecording(db, newest, 12);
  const results = (await api.tenant.ask('GET', `/test-runs/${run}/results`)).json.data;
  const has = new Map(results.map((result) => [result.id, result.hasRecording]));
  assert.deepEqual([has.get(old), has.get(kept)], [false, true]);
});

/** A run with a case that is nobody's call. */
async function begun(): Promise<string> {
  await send({});
  return (await begin()).id;
}
