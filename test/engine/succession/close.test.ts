// What a start makes of the recordings that a killed engine left behind.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import { recoverCalls, removeEmptyRecordings } from '../../../engine/succession/close.ts';
import { encodeWav, WAV_HEADER_BYTES } from '../../../media/wav.ts';
import { engineIs, seedCall } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';

const SECOND = encodeWav({ sampleRateHz: 8_000, channels: 2 }, new Int16Array(16_000));

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
  await recoverCalls({
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

test('recordings of calls that were never written are removed where they hold no audio', async () => {
  writeFileSync(join(recordingsDir, 'call_empty.wav'), '');
  writeFileSync(join(recordingsDir, 'call_header.wav'), SECOND.subarray(0, WAV_HEADER_BYTES));
  writeFileSync(join(recordingsDir, 'call_audio.wav'), SECOND);
  writeFileSync(join(recordingsDir, 'call_running.wav'), '');
  await removeEmptyRecordings(recordingsDir, ['call_empty.wav', 'call_header.wav', 'call_audio.wav', 'gone.wav']);
  assert.deepEqual(readdirSync(recordingsDir).sort(), ['call_audio.wav', 'call_running.wav']);
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
