// Recordings on their way to the object store, in virtual time: they wait while it is away, for as long as it takes,
// are stored soon after it is back, and leave the disk an hour later. Files of other disks are left alone.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { dueFileDeletions } from '../../../db/queries/files/deletions.ts';
import { type FileFacts, type Files, FilesError } from '../../../db/shared/files/files.ts';
import { LocalFiles } from '../../../db/shared/files/local-files.ts';
import { AfterCallQueue } from '../../../engine/after-call/after-call-queue.ts';
import { RecordingUploads } from '../../../engine/after-call/recording-uploads.ts';
import { systemClock } from '../../../engine/clock.ts';
import { encodeWav } from '../../../media/wav.ts';
import type { DialogueModel } from '../../../models/llm/llm.ts';
import { Stage } from '../campaign/stage.ts';

const START = Date.UTC(2026, 9, 12, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OURS = 'engine:ours';
const WAV = encodeWav({ sampleRateHz: 8_000, channels: 2 }, new Int16Array(16_000));

/** The store: a folder that can be away, or refuse one file. */
class Store implements Pick<Files, 'kind' | 'put' | 'head'> {
  kind: Files['kind'] = 's3';
  readonly files = new LocalFiles(temporaryFolder('store'));
  fault: 'unreachable' | 'refused' | null = null;
  refuses: string | null = null;
  tries = 0;

  async put(key: string, path: string): Promise<FileFacts> {
    this.tries++;
    if (this.fault !== null) throw new FilesError(this.fault, 'no answer');
    if (this.refuses !== null && key.includes(this.refuses)) throw new FilesError('refused', 'too large');
    return this.files.put(key, path);
  }

  async head(key: string): Promise<FileFacts | null> {
    if (this.fault !== null) throw new FilesError(this.fault, 'no answer');
    return this.files.head(key);
  }

  async keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.files.list('recordings/')) keys.push(key);
    return keys;
  }
}

let folder: string;
let stage: Stage;
let clock: VirtualClock;
let store: Store;
let uploads: RecordingUploads;
let logged: string[];
const busy = new Set<string>();
let account: string;

beforeEach(async () => {
  folder = temporaryFolder('uploads');
  stage = new Stage({ startMs: START, seed: 1 });
  clock = new VirtualClock(START);
  store = new Store();
  logged = [];
  busy.clear();
  account = await stage.tables.account();
  uploads = newEngine();
});

afterEach(async () => {
  await uploads.stop();
  await uploads.idle();
  stage.close();
});

const writer = {
  run: (...args: never[]) => stage.run(...(args as [never, never])),
  runDurably: (...args: never[]) => stage.run(...(args as [never, never])),
} as never;
const outage = { explains: () => false };
const log = {
  info: (_: unknown, text?: string) => logged.push(text ?? String(_)),
  warn: (_: unknown, text?: string) => logged.push(text ?? ''),
} as never;

const newEngine = (state = OURS) =>
  new RecordingUploads({
    read: stage.db,
    writer,
    files: store,
    recordingsDir: folder,
    state,
    silence: async () => true,
    isBusy: (callId) => busy.has(callId),
    clock,
    log,
    outage,
  });

/** Steps of at most 10 s, and all that they begin is done before the next. */
async function pass(ms: number): Promise<void> {
  await uploads.idle();
  for (let left = ms; left > 0; left -= 10_000) {
    clock.advance(Math.min(left, 10_000));
    await uploads.idle();
  }
}

let calls = 0;
async function endedCall(
  changes: { state?: string; file?: Buffer | null; mp3?: boolean; endReason?: string } = {},
): Promise<string> {
  const { state = OURS, file = WAV, mp3 = false } = changes;
  const campaign = await stage.tables.campaign(account, { recordingFormat: mp3 ? 'mp3' : 'wav' });
  const callId = `call_${++calls}`;
  const recordingPath = join(folder, `${callId}.wav`);
  if (file !== null) {
    writeFileSync(recordingPath, file);
    utimesSync(recordingPath, clock.nowMs() / 1_000, clock.nowMs() / 1_000);
  }
  await stage.run('createInboundCall', {
    id: callId,
    accountId: account,
    businessId: campaign.businessId,
    campaignId: campaign.id,
    agentId: campaign.agentId,
    phoneNumberId: 'pn_1',
    fromNumber: '+12125550100',
    toNumber: '+12125550101',
    callerName: null,
    trunkId: null,
    engineId: 'eng_1',
    nowMs: clock.nowMs(),
  });
  await stage.run('markAnswered', { callId, recordingPath, recordingState: state, nowMs: clock.nowMs() });
  await stage.run('endCall', {
    callId,
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: (changes.endReason ?? 'caller_hangup') as 'caller_hangup',
    endedAtMs: clock.nowMs() + 2_000,
    transcript: [],
    usage: null,
    recordingPath,
    recordingState: state,
    contact: null,
  });
  return callId;
}

const row = (callId: string) =>
  stage.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();

test('a recording is stored after its call, and leaves the disk an hour later', async () => {
  const callId = await endedCall();
  uploads.start();
  await pass(0);
  const { recordingState, recordingKey, recordingBytes, recordingPath } = await row(callId);
  assert.deepEqual([recordingState, recordingKey, recordingBytes], ['stored', `recordings/${callId}.wav`, WAV.length]);
  assert.ok(recordingPath !== null && existsSync(recordingPath));
  await pass(59 * MINUTE);
  assert.ok(existsSync(recordingPath));
  await pass(6 * MINUTE);
  assert.ok(!existsSync(recordingPath));
  assert.deepEqual(await store.keys(), [`recordings/${callId}.wav`]);
});

test('while the store is away for an hour recordings wait, and go there within five minutes of its return', async () => {
  store.fault = 'unreachable';
  uploads.start();
  const ids: string[] = [];
  for (let i = 0; i < 60; i++) {
    ids.push(await endedCall());
    uploads.wake();
    await pass(MINUTE);
  }
  assert.equal(uploads.waiting, 60);
  assert.ok(store.tries < 90, `${store.tries} tries: the store is left alone`);
  assert.deepEqual(readdirSync(folder).length, 60);
  assert.equal(logged.length, 1, 'said once');
  store.fault = null;
  await pass(5 * MINUTE);
  for (const id of ids) assert.equal((await row(id)).recordingState, 'stored');
  assert.equal(uploads.waiting, 0);
  assert.match(logged.at(-1) ?? '', /is back/);
});

test('a recording that the store refuses does not hold up the others, and is tried again', async () => {
  const first = await endedCall();
  const others = [await endedCall(), await endedCall(), await endedCall(), await endedCall(), await endedCall()];
  store.refuses = first;
  uploads.start();
  await pass(2 * MINUTE);
  for (const id of others) assert.equal((await row(id)).recordingState, 'stored', id);
  assert.equal((await row(first)).recordingState, OURS);
  store.refuses = null;
  await pass(3 * MINUTE);
  assert.equal((await row(first)).recordingState, 'stored');
});

test('a store that refuses everything, by a wrong key, gets all of it once the key is right', async () => {
  const ids = [await endedCall(), await endedCall(), await endedCall()];
  store.fault = 'refused';
  uploads.start();
  await pass(HOUR);
  store.fault = null;
  await pass(5 * MINUTE);
  for (const id of ids) assert.equal((await row(id)).recordingState, 'stored');
});

test('a new engine takes up what the last one on its disk left, and nothing of another disk', async () => {
  const own = await endedCall();
  const foreign = await endedCall({ state: 'engine:other', file: null });
  const local = await endedCall();
  await stage.db.updateTable('calls').set({ recordingState: null }).where('id', '=', local).execute();
  uploads = newEngine();
  uploads.start();
  const queue = afterCall();
  await queue.resume(clock.nowMs());
  await queue.idle();
  await pass(2 * HOUR);
  assert.equal((await row(own)).recordingState, 'stored');
  const { recordingState, recordingPath } = await row(foreign);
  assert.deepEqual([recordingState, recordingPath], ['engine:other', join(folder, `${foreign}.wav`)]);
  assert.equal((await row(local)).recordingState, null, 'what was there before the store is pushed by command');
  assert.ok(existsSync(join(folder, `${local}.wav`)));
  await queue.stop();
});

const afterCall = () =>
  new AfterCallQueue({
    clock: systemClock,
    recordingsDir: folder,
    recordingState: OURS,
    onSettled: () => uploads.wake(),
    read: stage.db,
    writer,
    model: { name: 'fake' } as unknown as DialogueModel,
    log,
    wavGraceMs: 0,
    encode: async ({ mp3Path }) => writeFileSync(mp3Path, 'mp3'),
  });

test("another engine's recording is not missing: it stays in the row, as a WAV and as one that should be an MP3", async () => {
  const queue = afterCall();
  for (const mp3 of [false, true]) {
    const foreign = await endedCall({ state: 'engine:other', file: null, mp3 });
    const stored = await endedCall({ state: 'stored', file: null, mp3 });
    for (const id of [foreign, stored]) queue.add(account, id);
    await queue.resume(clock.nowMs());
    await queue.idle();
    for (const id of [foreign, stored]) assert.notEqual((await row(id)).recordingPath, null);
  }
  await queue.stop();
});

test('a recording that becomes an MP3 is stored as that, once', async () => {
  const queue = afterCall();
  uploads = new RecordingUploads({
    read: stage.db,
    writer,
    files: store,
    recordingsDir: folder,
    state: OURS,
    silence: async () => true,
    isBusy: (callId) => queue.isSettling(callId),
    clock,
    log,
    outage,
  });
  const callId = await endedCall({ mp3: true });
  queue.expect(callId);
  uploads.start();
  await pass(2 * MINUTE);
  assert.deepEqual(await store.keys(), [], 'its file may still change');
  queue.add(account, callId);
  await queue.idle();
  await pass(MINUTE);
  assert.deepEqual(await store.keys(), [`recordings/${callId}.mp3`]);
  assert.equal((await row(callId)).recordingFormat, 'mp3');
  await queue.stop();
});

test('a recording of a call that still has a conductor waits for its end', async () => {
  const callId = await endedCall();
  busy.add(callId);
  uploads.start();
  await pass(2 * MINUTE);
  assert.deepEqual(await store.keys(), []);
  busy.clear();
  await pass(MINUTE);
  assert.equal((await row(callId)).recordingState, 'stored');
});

test('a file that is gone is found in the store, or lost', async () => {
  const lost = await endedCall({ file: null });
  const there = await endedCall({ file: null });
  const source = join(folder, 'source');
  writeFileSync(source, WAV);
  await store.put(`recordings/${there}.wav`, source);
  uploads.start();
  await pass(MINUTE);
  const { recordingState, recordingPath } = await row(lost);
  assert.deepEqual([recordingState, recordingPath], ['lost', null]);
  const { recordingState: state, recordingBytes } = await row(there);
  assert.deepEqual([state, recordingBytes], ['stored', WAV.length]);
});

test('a recording that nobody finished is repaired before it is stored', async () => {
  const unfinished = Buffer.from(WAV.subarray(0, WAV.length - 1_001));
  const cutOff = await endedCall({ file: unfinished, endReason: 'crash' });
  const empty = await endedCall({ file: Buffer.alloc(0), endReason: 'crash' });
  uploads.start();
  await pass(MINUTE);
  assert.equal((await row(cutOff)).recordingBytes, WAV.length - 1_004, 'whole samples of both sides');
  assert.equal((await row(empty)).recordingState, 'lost');
});

test('a recording whose call was erased while it was sent is deleted in both places', async () => {
  const callId = await endedCall();
  const put = store.put.bind(store);
  store.put = async (key, path) => {
    const facts = await put(key, path);
    await stage.db.updateTable('calls').set({ erasedAt: 1 }).where('id', '=', callId).execute();
    return facts;
  };
  uploads.start();
  await pass(MINUTE);
  assert.ok(!existsSync(join(folder, `${callId}.wav`)));
  assert.deepEqual(await dueFileDeletions(stage.db, clock.nowMs(), 10), [`recordings/${callId}.wav`]);
});

test('the file of a call that was erased on another machine leaves the disk within minutes', async () => {
  const callId = await endedCall();
  uploads.start();
  await pass(MINUTE);
  await stage.db
    .updateTable('calls')
    .set({ erasedAt: 1, recordingState: null, recordingPath: null })
    .where('id', '=', callId)
    .execute();
  await pass(5 * MINUTE);
  assert.ok(!existsSync(join(folder, `${callId}.wav`)));
});

test('without a store recordings stay on the disk, however long, and those of erased calls are removed', async () => {
  store.kind = 'local';
  const kept = await endedCall();
  const erased = await endedCall();
  await uploads.stop();
  uploads = newEngine();
  uploads.start();
  await pass(2 * HOUR);
  assert.deepEqual([(await row(kept)).recordingState, store.tries], [OURS, 0]);
  await stage.db.updateTable('calls').set({ erasedAt: clock.nowMs() }).where('id', '=', erased).execute();
  await pass(25 * HOUR);
  assert.deepEqual(readdirSync(folder), [`${kept}.wav`]);
});
