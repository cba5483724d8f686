// `files push`, `pull` and `verify`: what lies in DATA_DIR goes to the object store and back, compared, in as many runs
// as it takes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { CommandFailed } from '../../api/admin-cli/command.ts';
import { filesLost } from '../../api/admin-cli/files/lost.ts';
import { filesPull } from '../../api/admin-cli/files/pull.ts';
import { filesPush } from '../../api/admin-cli/files/push.ts';
import { filesVerify } from '../../api/admin-cli/files/verify.ts';
import { ObjectStore } from '../../bench/rig/fakes/object-store.ts';
import { isPostgres } from '../../db/database.ts';
import { onDisk } from '../../db/domain/calls/recording-state.ts';
import { diskIdOf } from '../../db/shared/files/disk-id.ts';
import { newId } from '../../db/shared/id.ts';
import { seedCall } from '../support/api/resources.ts';
import { useFreshApi } from '../support/api/use-api.ts';

const store = await new ObjectStore({ versions: 'kept' }).start();
const api = useFreshApi({ environment: store.environment });
after(() => store.stop());

/** The commands' output. */
let told = '';
const write = process.stdout.write;
beforeEach(async () => {
  told = '';
  store.fault = null;
  store.faultMethod = null;
  for (const key of store.keys()) await api.context.files.delete(key.replace('phone/', ''));
});
afterEach(() => {
  process.stdout.write = write;
});

async function run(command: typeof filesPush, args: string[] = []): Promise<void> {
  process.stdout.write = ((text: string) => {
    told += text;
    return true;
  }) as typeof write;
  try {
    await command.run(args, api.context);
  } finally {
    process.stdout.write = write;
  }
}

/** A call whose recording lies in DATA_DIR, as it does without a store. */
async function recorded(text: string, changes: object = {}) {
  const call = await seedCall(api, api.tenant, { recordingFormat: 'wav', ...changes });
  const path = join(api.context.config.recordingsDir, `${call.id}.wav`);
  mkdirSync(api.context.config.recordingsDir, { recursive: true });
  writeFileSync(path, text);
  await api.context.db
    .updateTable('calls')
    .set({ recordingPath: path, ...changes })
    .where('id', '=', call.id)
    .execute();
  return { id: call.id, path, key: `recordings/${call.id}.wav` };
}

async function document(text: string): Promise<{ id: string; path: string; key: string }> {
  const folder = join(api.context.config.dataDir, 'port-documents');
  mkdirSync(folder, { recursive: true });
  const id = newId('doc');
  const path = join(folder, `${id}.pdf`);
  writeFileSync(path, text);
  const row = { id, accountId: api.tenant.accountId, portOrderId: 'port_1', kind: 'loa', path } as const;
  await api.context.db
    .insertInto('portDocuments')
    .values({ ...row, contentType: 'application/pdf', fileName: 'letter.pdf', bytes: text.length, createdAt: 1 })
    .execute();
  return { id, path, key: `port-documents/${id}.pdf` };
}

const callRow = (id: string) =>
  api.context.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const documentPath = async (id: string) =>
  (await api.context.db.selectFrom('portDocuments').select('path').where('id', '=', id).executeTakeFirstOrThrow()).path;
const inStore = (key: string) => store.read(`phone/${key}`)?.toString() ?? null;

test('push stores what rows name, and nothing else; a second run has nothing to do', async () => {
  const calls = [await recorded('one'), await recorded('two')];
  const running = await recorded('running', { endedAt: null, status: 'IN_PROGRESS' });
  const letter = await document('letter');
  writeFileSync(join(api.context.config.recordingsDir, 'call_of_nobody.wav'), 'nobody');
  await run(filesPush);
  assert.match(told, /recordings: 2 stored, 2 had nothing/);
  assert.deepEqual(
    [inStore(calls[0]?.key ?? ''), inStore(calls[1]?.key ?? ''), inStore(letter.key)],
    ['one', 'two', 'letter'],
  );
  for (const { id, key, path } of calls) {
    const { recordingState, recordingKey, recordingBytes } = await callRow(id);
    assert.deepEqual([recordingState, recordingKey, recordingBytes], ['stored', key, 3]);
    assert.ok(existsSync(path), 'the engine removes it later');
  }
  assert.equal((await callRow(running.id)).recordingState, null);
  assert.deepEqual([await documentPath(letter.id), existsSync(letter.path)], [letter.key, false]);
  assert.equal(store.keys().length, 3);
  told = '';
  const before = store.requests.length;
  await run(filesPush);
  assert.match(told, /recordings: 0 stored, 4 had nothing/);
  assert.equal(store.requests.filter((request) => request.startsWith('PUT')).length, 3, String(before));
});

test('a push that broke off goes on, and sends nothing twice', async () => {
  const calls = [];
  for (let i = 0; i < 10; i++) calls.push(await recorded(`recording ${i}`));
  await api.context.files.put(calls[0]?.key ?? '', calls[0]?.path ?? '', 'audio/wav');
  store.fault = 'lost-answer';
  store.faultMethod = 'PUT';
  await assert.rejects(run(filesPush), CommandFailed);
  assert.equal((await callRow(calls[0]?.id ?? '')).recordingState, 'stored', 'what was there is only compared');
  store.fault = null;
  await run(filesPush);
  for (const [i, { id, key }] of calls.entries()) {
    assert.equal((await callRow(id)).recordingState, 'stored');
    assert.deepEqual([inStore(key), store.versionCount(`phone/${key}`)], [`recording ${i}`, 1]);
  }
});

test('a file in the store that is another is sent again', async () => {
  const call = await recorded('right');
  store.store(`phone/${call.key}`, Buffer.from('wrong'), 'audio/wav', { 'x-amz-meta-sha256': 'other' });
  await run(filesPush);
  assert.equal(inStore(call.key), 'right');
});

test('pull brings everything back and leaves no version in the store', async () => {
  const call = await recorded('one');
  const letter = await document('letter');
  await run(filesPush);
  await api.context.db.updateTable('calls').set({ recordingPath: '/elsewhere/x.wav' }).execute();
  writeFileSync(call.path, 'damaged');
  await run(filesPull);
  assert.equal(readFileSync(call.path, 'utf8'), 'one');
  assert.equal(readFileSync(letter.path, 'utf8'), 'letter');
  const { recordingState, recordingKey, recordingPath } = await callRow(call.id);
  // Machines that share a database must know whose disk it is on.
  const { database, recordingsDir } = api.context.config;
  const state = isPostgres(database) ? onDisk(diskIdOf(recordingsDir)) : null;
  assert.deepEqual([recordingState, recordingKey, recordingPath], [state, null, call.path]);
  assert.equal(await documentPath(letter.id), letter.path);
  assert.deepEqual([store.keys(), store.everything().length], [[], 0]);
  assert.deepEqual(
    readdirSync(api.context.config.dataDir).filter((name) => name.startsWith('.')),
    [],
  );
});

test('verify tells what is missing, what is another, and what nothing names', async () => {
  const [right, missing, other] = [await recorded('right'), await recorded('missing'), await recorded('other')];
  await run(filesPush);
  await run(filesVerify);
  assert.match(told, /3 files are right, 0 are missing or wrong, 0 were named by nothing/);
  await api.context.files.delete(missing.key);
  store.store(`phone/${other.key}`, Buffer.from('longer than it was'));
  store.store('phone/recordings/call_erased.wav', Buffer.from('aubergine'));
  told = '';
  await assert.rejects(run(filesVerify), CommandFailed);
  assert.match(told, new RegExp(`${missing.key}: the object store does not have it`));
  assert.match(told, new RegExp(`${other.key}: has 18 bytes and not 5`));
  assert.match(told, /call_erased\.wav: no call names it/);
  assert.ok(!told.includes(right.key));
  await assert.rejects(run(filesVerify, ['--delete-unnamed']), CommandFailed);
  assert.ok(!store.everything().includes('aubergine'));
});

test('the recordings of a disk that is gone for good are given up, and their calls can be erased', async () => {
  const gone = await recorded('gone', { recordingState: 'engine:gone' });
  const waiting = await recorded('waiting', { recordingState: 'engine:other' });
  await run(filesLost);
  assert.match(told, /gone 1 recordings\nother 1 recordings/);
  await assert.rejects(run(filesLost, ['unknown']), /nothing waits/);
  await run(filesLost, ['gone']);
  const { recordingState, recordingPath } = await callRow(gone.id);
  assert.deepEqual([recordingState, recordingPath], ['lost', null]);
  assert.equal((await callRow(waiting.id)).recordingState, 'engine:other');
  assert.equal((await api.tenant.ask('DELETE', `/calls/${gone.id}`)).status, 200);
});

test('without a store, or with a wrong key, the commands say so', async () => {
  store.fault = 'denied';
  await assert.rejects(run(filesPush), /403 AccessDenied/);
  const { files } = api.context;
  api.context.files = { ...files, kind: 'local' } as typeof files;
  await assert.rejects(run(filesPush), /set S3_ENDPOINT/);
  api.context.files = files;
});
