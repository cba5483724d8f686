// A call that is kept as a test: its caller's channel cut at their turns, and silent where the business's rules find
// something.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clipsOfCase } from '../../../db/queries/test-runs/clips.ts';
import { encodeWav } from '../../../media/wav.ts';
import { lifeOfCall } from '../../support/api/life-of-call.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
const RATE_HZ = 8_000;

/** A call in which the caller said this from 3.1 s on, and "On Tuesday." from 8.1 s on, and a suite for it. */
async function recorded(said: string, redaction: object, of: object = {}) {
  const set = await setUpCampaign(api, api.tenant);
  const { business, agent } = set;
  await api.tenant.ask('PATCH', `/businesses/${business.id}`, { redaction } as never);
  if (Object.keys(of).length > 0) await api.tenant.ask('PATCH', `/agents/${agent.id}`, of as never);
  const callId = await lifeOfCall(api, set);
  const { db, config } = api.context;
  const { accountId } = api.tenant;
  const name = `${callId}.wav`;
  // The caller's sample is the second it is in, the agent's is 9.
  const stereo = Int16Array.from({ length: 12 * RATE_HZ * 2 }, (_, n) =>
    n % 2 === 0 ? 1 + Math.floor(n / 2 / RATE_HZ) : 9,
  );
  writeFileSync(join(config.recordingsDir, name), encodeWav({ channels: 2, sampleRateHz: RATE_HZ }, stereo));
  const transcript = [
    { speaker: 'agent', text: 'What is your card number?', timestamp: 200 },
    { speaker: 'caller', text: said, timestamp: 3_100 },
    { speaker: 'agent', text: 'Which day would you like?', timestamp: 6_000 },
    { speaker: 'caller', text: 'On Tuesday.', timestamp: 8_100 },
  ];
  await db
    .updateTable('calls')
    .set({ transcript: JSON.stringify(transcript), recordingPath: name, recordingState: null })
    .where('id', '=', callId)
    .execute();
  const speech = {
    caller: [
      [3_000, 4_000],
      [4_200, 4_900],
      [8_000, 8_900],
    ],
    agent: [],
  };
  const data = JSON.stringify({ turns: [], bargeIns: [], speech });
  await db
    .insertInto('callTimelines')
    .values({ callId, accountId, data })
    .onConflict((conflict) => conflict.column('callId').doUpdateSet({ data }))
    .execute();
  const suite = { name: 'Kept', agentId: agent.id, businessId: business.id };
  const suiteId = (await api.tenant.ask('POST', '/test-suites', suite)).json.data.id;
  return { callId, suiteId, keep: () => api.tenant.ask('POST', `/calls/${callId}/keep-as-test`, { suiteId }) };
}

async function keep(said: string, redaction: object, of: object = {}) {
  const { status, json } = await (await recorded(said, redaction, of)).keep();
  assert.equal(status, 201, JSON.stringify(json));
  const script = json.data.definition.caller?.script ?? [];
  assert.equal(script.length, 2);
  const clips = await clipsOfCase(api.context.db, api.tenant.accountId, json.data.id);
  const [first, day] = [clips.get(0)?.samples, clips.get(1)?.samples];
  assert.ok(first && day);
  return { script, first, day };
}

const CARD = { kinds: ['card'], transcript: false, webhooks: true, audio: false };

test('each turn is cut out of the caller’s channel, and one with a card number is silent and without it', async () => {
  const { script, first, day } = await keep('It is 4111 1111 1111 1111.', CARD);
  assert.doesNotMatch(script[0]?.say ?? '', /4111/);
  assert.equal(script[1]?.say, 'On Tuesday.');
  assert.equal(script[1]?.heard, 'Which day would you like?');
  assert.equal(Math.max(...first), 0, 'the card number is silent');
  assert.equal(first.length, (2_140 * RATE_HZ) / 1_000);
  assert.deepEqual([...new Set(day)], [8, 9, 10], 'the caller’s channel from 7.88 to 9.02 s');
});

test('a turn is silent too where the transcript was kept without the number', async () => {
  const { script, first, day } = await keep('It is [card].', { ...CARD, transcript: true });
  assert.equal(script[0]?.say, 'It is [card].');
  assert.equal(Math.max(...first), 0);
  assert.ok(Math.max(...day) > 0);
});

test('a number in another of the agent’s languages is found', async () => {
  const additionalLanguages = ['de-DE'];
  const spoken = 'Vier eins eins eins eins eins eins eins eins eins eins eins eins eins eins eins.';
  const { script, first } = await keep(spoken, CARD, { additionalLanguages });
  assert.match(script[0]?.say ?? '', /\[card\]/);
  assert.equal(Math.max(...first), 0);
});

test('an account makes one call into a test at a time', async () => {
  const { keep } = await recorded('Monday.', CARD);
  const answers = await Promise.all([keep(), keep(), keep()]);
  assert.deepEqual(answers.map(({ status, json }) => json.code ?? status).sort(), [
    201,
    'ACCOUNT_BUSY',
    'ACCOUNT_BUSY',
  ]);
  assert.equal((await keep()).status, 201);
});

test('voices that are too long together are refused, and leave no case', async () => {
  const { callId, suiteId, keep } = await recorded('Monday.', CARD);
  const of = { accountId: api.tenant.accountId, suiteId, callId, sampleRateHz: RATE_HZ };
  const row = { caseId: 'tcs_full', position: 0, ...of, audio: Buffer.alloc(99_990_000) };
  await api.context.db.insertInto('testClips').values(row).execute();
  const { status, json } = await keep();
  assert.deepEqual([status, json.code], [409, 'QUOTA_EXCEEDED']);
  const path = `/test-suites/${suiteId}/cases` as '/test-suites/{id}/cases';
  assert.equal((await api.tenant.ask('GET', path)).json.data.length, 0);
  await api.context.db.deleteFrom('testClips').where('caseId', '=', 'tcs_full').execute();
  assert.equal((await keep()).status, 201);
});

test('a case has five minutes of a caller at most, of whose turns each has one', async () => {
  const { callId, keep } = await recorded('Monday.', CARD);
  const { db, config } = api.context;
  const starts = Array.from({ length: 8 }, (_, turn) => turn * 100_000);
  const transcript = starts.map((timestamp) => ({ speaker: 'caller', text: 'So I said to him …', timestamp }));
  // Seventy seconds each.
  const caller = starts.map((ms) => [ms, ms + 70_000]);
  const data = JSON.stringify({ turns: [], bargeIns: [], speech: { caller, agent: [] } });
  await db
    .updateTable('calls')
    .set({ transcript: JSON.stringify(transcript) })
    .where('id', '=', callId)
    .execute();
  await db.updateTable('callTimelines').set({ data }).where('callId', '=', callId).execute();
  const samples = new Int16Array(14 * 60 * RATE_HZ * 2);
  writeFileSync(
    join(config.recordingsDir, `${callId}.wav`),
    encodeWav({ channels: 2, sampleRateHz: RATE_HZ }, samples),
  );
  const { json } = await keep();
  const clips = await clipsOfCase(db, api.tenant.accountId, json.data.id);
  assert.deepEqual(
    [...clips.values()].map((clip) => clip.samples.length / RATE_HZ),
    [60, 60, 60, 60, 60],
  );
  assert.equal(json.data.definition.caller?.script?.length, 5);
});
