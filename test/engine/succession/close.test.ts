// The recordings that a killed engine left behind, after the next start.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { pino } from 'pino';
import type { RedactionPolicy } from '../../../db/domain/redaction/policy.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { closeLeftCalls } from '../../../engine/succession/close.ts';
import { encodeWav, WAV_HEADER_BYTES } from '../../../media/wav.ts';
import { engineIs, seedCall, setUpCampaign } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const SECOND = encodeWav({ sampleRateHz: 8_000, channels: 2 }, new Int16Array(16_000));

const CARD = '4111 1111 1111 1111';

const api = useFreshApi();
let recordingsDir: string;
beforeEach(async () => {
  recordingsDir = join(api.context.config.dataDir, 'recordings');
  mkdirSync(recordingsDir, { recursive: true });
});

let hungUp = 0;

/** A call that is open when its engine dies; `bytes` are its recording's. */
async function killed(bytes: Buffer, state: { isPathStored: boolean }) {
  const open = { status: 'IN_PROGRESS', endedAt: null, durationSeconds: 0, outcome: null, endReason: null } as const;
  const { id } = await seedCall(api, api.tenant, { ...open, engineId: 'eng_dead' });
  const path = join(recordingsDir, `${id}.wav`);
  writeFileSync(path, bytes);
  if (state.isPathStored) {
    await api.context.db.updateTable('calls').set({ recordingPath: path, recordingFormat: 'wav' }).execute();
  }
  return { id, path };
}

async function recover(id: string, before: (name: OperationName) => Promise<unknown> = async () => undefined) {
  const run = async (name: OperationName, args: unknown): Promise<unknown> => {
    await before(name);
    const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
    return api.context.db.transaction().execute((trx) => operation(trx, args));
  };
  await closeLeftCalls({
    read: api.context.read,
    writer: { run, runDurably: run, runWithin: run } as never,
    telephony: {
      endStored: async () => {
        hungUp++;
      },
    } as never,
    engineId: 'eng_new',
    recordingsDir,
    now: () => api.clock.now,
    log: pino({ level: 'silent' }),
  });
  return api.context.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

test('a recording that got no audio is removed, with or without its header', async () => {
  for (const bytes of [Buffer.alloc(0), SECOND.subarray(0, WAV_HEADER_BYTES)]) {
    const { id, path } = await killed(bytes, { isPathStored: true });
    const call = await recover(id);
    assert.deepEqual([call.status, call.recordingPath], ['FAILED', null]);
    assert.equal(existsSync(path), false);
  }
});

test('audio is kept although the answer was never written', async () => {
  const { id, path } = await killed(SECOND, { isPathStored: false });
  const call = await recover(id);
  assert.deepEqual([call.status, call.recordingPath, call.recordingFormat], ['FAILED', path, 'wav']);
  assert.equal(existsSync(path), true);
});

test("a recording on another engine's disk stays where it is, and the call names it", async () => {
  const { id } = await killed(SECOND, { isPathStored: true });
  const elsewhere = { recordingPath: `/elsewhere/${id}.wav`, recordingState: 'engine:other' };
  await api.context.db.updateTable('calls').set(elsewhere).where('id', '=', id).execute();
  const { status, recordingPath, recordingState, recordingFormat } = await recover(id);
  assert.deepEqual([status, recordingPath, recordingState], ['FAILED', elsewhere.recordingPath, 'engine:other']);
  assert.equal(recordingFormat, 'wav');
});

test('a file that is no recording is left for its operator', async () => {
  const { id, path } = await killed(Buffer.from('something else that is longer than a header of a WAV file'), {
    isPathStored: true,
  });
  assert.equal((await recover(id)).recordingPath, null);
  assert.equal(existsSync(path), true);
});

test('a dialog is stored beside an open call only', async () => {
  const { db } = api.context;
  const ended = await seedCall(api, api.tenant);
  const open = await seedCall(api, api.tenant, { status: 'RINGING', endedAt: null });
  for (const { id } of [ended, open, { id: 'call_unwritten' }]) {
    await operations.storeDialog(db, { callId: id, leg: 'peer', dialog: {}, nowMs: api.clock.now });
  }
  const stored = await db.selectFrom('callDialogs').select('callId').execute();
  assert.deepEqual(stored, [{ callId: open.id }]);
});

test('a call with which another engine has gone on meanwhile is neither hung up nor closed', async () => {
  const { id } = await killed(SECOND, { isPathStored: true });
  const { db } = api.context;
  const dialog = JSON.stringify({ state: 'confirmed' });
  await db.insertInto('callDialogs').values({ callId: id, leg: 'peer', dialog, updatedAt: 0 }).execute();
  await engineIs(api, { id: 'eng_successor' });
  hungUp = 0;
  const call = await recover(id, async (name) => {
    if (name === 'takeOrphan') await db.updateTable('calls').set({ engineId: 'eng_successor' }).execute();
  });
  assert.deepEqual([call.endedAt, call.engineId, hungUp], [null, 'eng_successor', 0]);
});

/** The call's end as receivers of its webhooks are told, and as the API shows it. */
async function endOf(redaction: RedactionPolicy) {
  const { db, config } = api.context;
  const { agent, business, campaign } = await setUpCampaign(api, api.tenant);
  await db
    .updateTable('businesses')
    .set({ redaction: JSON.stringify(redaction) })
    .execute();
  const of = { agentId: agent.id, businessId: business.id, campaignId: campaign.id };
  const { id, path } = await killed(SECOND, { isPathStored: true });
  await db.updateTable('calls').set(of).where('id', '=', id).execute();
  assert.ok(path.startsWith(config.dataDir));
  const said = { speaker: 'caller', text: `my card is ${CARD}`, timestamp: 0 };
  const feed = { accountId: api.tenant.accountId, callId: id, nowMs: api.clock.now };
  await operations.appendFeed(db, { ...feed, type: 'transcript', data: said });
  await recover(id);
  const events = await db.selectFrom('events').select(['type', 'data']).where('subjectId', '=', id).execute();
  const kept = (await api.tenant.ask('GET', `/calls/${id}`)).json.data.transcript[0]?.text;
  const told = Object.fromEntries(
    events
      .filter(({ type }) => type === 'call.ended' || type === 'call.failed')
      .map(({ type, data }) => [type, JSON.parse(data).transcript[0].text]),
  );
  return { kept, told };
}

test('the events of a call that a crash has closed have no card that only the transcript may keep', async () => {
  const policy: RedactionPolicy = { kinds: ['card'], transcript: false, webhooks: true, audio: false };
  assert.deepEqual(await endOf(policy), {
    kept: `my card is ${CARD}`,
    told: { 'call.ended': 'my card is [card]', 'call.failed': 'my card is [card]' },
  });
  const open = await endOf({ ...policy, webhooks: false });
  assert.equal(open.told['call.ended'], `my card is ${CARD}`);
});

test('a call that another engine has from the moment of its end goes on there', async () => {
  const { id } = await killed(SECOND, { isPathStored: true });
  await engineIs(api, { id: 'eng_successor' });
  const call = await recover(id, async (name) => {
    if (name === 'endCall') await api.context.db.updateTable('calls').set({ engineId: 'eng_successor' }).execute();
  });
  assert.deepEqual([call.endedAt, call.engineId], [null, 'eng_successor']);
});
