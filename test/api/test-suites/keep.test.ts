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

/** Keeps a call in which the caller said this from 3.1 s on, and "On Tuesday." from 8.1 s on. */
async function keep(said: string, redaction: object, of: object = {}) {
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
  const { status, json } = await api.tenant.ask('POST', `/calls/${callId}/keep-as-test`, { suiteId });
  assert.equal(status, 201, JSON.stringify(json));
  const script = json.data.definition.caller?.script ?? [];
  assert.equal(script.length, 2);
  const clips = await clipsOfCase(db, accountId, json.data.id);
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
