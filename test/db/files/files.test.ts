// The port of files, by one suite on each of its adapters; and what only an object store has: versions, signatures,
// faults.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ObjectStore, type StoreFault } from '../../../bench/rig/fakes/object-store.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { type Files, FilesError } from '../../../db/shared/files/files.ts';
import { LocalFiles } from '../../../db/shared/files/local-files.ts';
import { S3Files } from '../../../db/shared/files/s3-files.ts';
import type { Patience } from '../../../db/shared/files/s3-requests.ts';
import { readSharedConfig } from '../../../db/shared/settings/environment.ts';

const KEY = 'recordings/call_1.wav';
const data = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
const folder = temporaryFolder('files');
const source = join(folder, 'source.wav');
writeFileSync(source, data);

/** A client of the store, by the variables as an operator sets them. */
function clientOf(store: ObjectStore, changes: Record<string, string> = {}, patience?: Patience): S3Files {
  const { store: settings } = readSharedConfig({ DATA_DIR: folder, ...store.environment, ...changes });
  assert.ok(settings);
  return new S3Files(settings, patience);
}

async function read(files: Files, key: string, range?: { first: number; last: number }): Promise<Buffer> {
  const { body, bytes } = await files.get(key, { range: range ?? null });
  const whole = Buffer.concat((await body.toArray()) as Buffer[]);
  assert.equal(whole.length, bytes);
  return whole;
}

const failsAs =
  (code: FilesError['code'], words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof FilesError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  };

async function keysOf(files: Files, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(prefix)) keys.push(key);
  return keys.sort();
}

/** The same for every adapter. */
function suite(open: () => Promise<Files>): void {
  let files: Files;
  beforeEach(async () => {
    files = await open();
  });

  test('a stored file is read again, whole and in parts; its source stays', async () => {
    await files.put(KEY, source, 'audio/wav');
    assert.ok(existsSync(source));
    assert.deepEqual(await read(files, KEY), data);
    assert.deepEqual(await read(files, KEY, { first: 10, last: 19 }), data.subarray(10, 20));
    assert.deepEqual(await read(files, KEY, { first: 99_999, last: 99_999 }), data.subarray(99_999));
    const facts = await files.head(KEY);
    assert.equal(facts?.bytes, 100_000);
    assert.ok(Math.abs((facts?.modifiedAt.getTime() ?? 0) - Date.now()) < 3_600_000);
  });

  test('an empty file is a file', async () => {
    const path = join(folder, 'empty.wav');
    writeFileSync(path, '');
    await files.put('recordings/empty.wav', path, 'audio/wav');
    assert.equal((await files.head('recordings/empty.wav'))?.bytes, 0);
    assert.equal((await read(files, 'recordings/empty.wav')).length, 0);
  });

  test('a file takes the place of an earlier one', async () => {
    const path = join(folder, 'later.wav');
    writeFileSync(path, 'later');
    await files.put(KEY, source, 'audio/wav');
    await files.put(KEY, path, 'audio/wav');
    assert.equal(String(await read(files, KEY)), 'later');
    assert.deepEqual(readFileSync(source), data);
  });

  test('a deleted file is missing, and is deleted again without a complaint', async () => {
    await files.put(KEY, source, 'audio/wav');
    await files.delete(KEY);
    await files.delete(KEY);
    assert.equal(await files.head(KEY), null);
    await assert.rejects(files.get(KEY), failsAs('missing'));
  });

  test('files are listed by what their keys begin with', async () => {
    for (const key of ['recordings/call_1.wav', 'recordings/call_2.mp3', 'port-documents/doc_1.pdf']) {
      await files.put(key, source, 'audio/wav');
    }
    assert.deepEqual(await keysOf(files, 'recordings/'), ['recordings/call_1.wav', 'recordings/call_2.mp3']);
    assert.deepEqual(await keysOf(files, 'port-documents/doc_1'), ['port-documents/doc_1.pdf']);
    assert.deepEqual(await keysOf(files, 'none/'), []);
  });

  test('a key leads nowhere else', async () => {
    for (const key of ['../secret', 'a/../../secret', '/etc/passwd', '', 'a//b', 'a b', './a', 'a/..']) {
      await assert.rejects(files.get(key), /impossible key/, key);
      await assert.rejects(files.put(key, source, 'audio/wav'), /impossible key/, key);
      await assert.rejects(files.delete(key), /impossible key/, key);
    }
  });

  test('a source that is not there is no fault of the store', async () => {
    await assert.rejects(files.put(KEY, join(folder, 'nothing.wav'), 'audio/wav'), failsAs('missing'));
  });
}

describe('in a folder', () => suite(async () => new LocalFiles(temporaryFolder('files'))));

for (const versions of ['off', 'kept', 'none'] as const) {
  describe(`in an object store, versions ${versions}`, () => {
    let store: ObjectStore;
    let files: S3Files;
    beforeEach(async () => {
      await files?.close();
      await store?.stop();
      store = await new ObjectStore({ versions }).start();
      files = clientOf(store);
    });
    after(async () => {
      await files.close();
      await store.stop();
    });
    suite(async () => files);

    test('a deletion leaves no version, no mark, and nothing of other files', async () => {
      for (let time = 0; time < 3; time++) await files.put(KEY, source, 'audio/wav');
      await files.put(`${KEY}.more`, source, 'audio/wav');
      await files.delete(KEY);
      assert.equal(store.versionCount(`phone/${KEY}`), 0);
      assert.deepEqual(store.keys(), [`phone/${KEY}.more`]);
    });

    test('a store that only says that it deletes is found out', async () => {
      await files.put(KEY, source, 'audio/wav');
      store.fault = 'keeps-all';
      await assert.rejects(files.delete(KEY), failsAs('refused', /still there/));
    });
  });
}

describe('an object store', () => {
  let store: ObjectStore;
  let files: S3Files;
  before(async () => {
    store = await new ObjectStore().start();
    files = clientOf(store);
    await files.put(KEY, source, 'audio/wav');
  });
  beforeEach(() => {
    store.fault = null;
    store.faultMethod = null;
  });
  after(async () => {
    await files.close();
    await store.stop();
  });

  test('keeps the type and the sum of a file', async () => {
    const facts = await files.head(KEY);
    assert.match(facts?.sha256 ?? '', /^[0-9a-f]{64}$/);
    const answer = await files.put('recordings/other.wav', source, 'audio/wav');
    assert.equal(answer.sha256, facts?.sha256);
  });

  test('a wrong variable is named', async () => {
    const cases: Array<[Record<string, string>, RegExp]> = [
      [{ S3_SECRET_ACCESS_KEY: 'wrong' }, /SignatureDoesNotMatch: S3_SECRET_ACCESS_KEY/],
      [{ S3_ACCESS_KEY_ID: 'wrong' }, /InvalidAccessKeyId: S3_ACCESS_KEY_ID/],
      [{ S3_REGION: 'wrong' }, /S3_REGION/],
      [{ S3_BUCKET: 'wrong' }, /NoSuchBucket: S3_BUCKET/],
    ];
    for (const [changes, words] of cases) {
      const wrong = clientOf(store, changes);
      await assert.rejects(wrong.check(), failsAs('refused', words));
      await wrong.close();
    }
    await files.check();
  });

  test('a store that is away, slow or closed to us fails with what it is', async () => {
    const cases: Array<[StoreFault, FilesError['code']]> = [
      ['away', 'unreachable'],
      ['slow-down', 'unreachable'],
      ['denied', 'refused'],
    ];
    for (const [fault, code] of cases) {
      store.fault = fault;
      await assert.rejects(files.get(KEY), failsAs(code), fault);
      await assert.rejects(files.put('recordings/new.wav', source, 'audio/wav'), failsAs(code), fault);
      await assert.rejects(files.head(KEY), failsAs(code), fault);
      await assert.rejects(files.delete(KEY), failsAs(code), fault);
      await assert.rejects(keysOf(files, ''), failsAs(code), fault);
      await assert.rejects(files.check(), failsAs(code), fault);
    }
    store.fault = null;
    assert.deepEqual(await read(files, KEY), data);
    const nobody = clientOf(store, { S3_ENDPOINT: 'http://127.0.0.1:9' });
    await assert.rejects(nobody.check(), failsAs('unreachable', /127\.0\.0\.1:9/));
    await nobody.close();
  });

  test('a store that takes requests and is silent is given up in time, at each stage', async () => {
    const hasty = clientOf(store, {}, { connectMs: 1_000, headersMs: 50, silentMs: 50, stalledMs: 50 });
    store.fault = 'hang';
    await assert.rejects(hasty.get(KEY), failsAs('unreachable'));
    await assert.rejects(hasty.delete(KEY), failsAs('unreachable'));
    await assert.rejects(hasty.check(), failsAs('unreachable'));
    await assert.rejects(hasty.put('recordings/new.wav', source, 'audio/wav'), failsAs('unreachable', /took no more/));
    store.fault = 'hang-in-body';
    await assert.rejects(read(hasty, KEY));
    await hasty.close();
  });

  test('a body that is cut ends with an error, not as a shorter file', async () => {
    store.fault = 'cut-body';
    await assert.rejects(read(files, KEY));
  });

  test('a reader that gives up leaves nothing open', async () => {
    store.fault = 'hang-in-body';
    const abort = new AbortController();
    const { body } = await files.get(KEY, { signal: abort.signal });
    body.on('error', () => undefined);
    assert.equal(store.openBodies, 1);
    abort.abort();
    while (store.openBodies > 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await files.get(KEY);
    second.body.on('error', () => undefined).destroy();
    while (store.openBodies > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test('an answer that is lost is a failure, and the next try succeeds', async () => {
    store.fault = 'lost-answer';
    await assert.rejects(files.put('recordings/lost.wav', source, 'audio/wav'), failsAs('unreachable'));
    store.fault = null;
    await files.put('recordings/lost.wav', source, 'audio/wav');
    assert.deepEqual(store.read('phone/recordings/lost.wav'), data);
  });

  test('a long list comes page by page', async () => {
    for (let i = 0; i < 2_100; i++) store.store(`phone/many/file-${String(i).padStart(4, '0')}`, Buffer.from('x'));
    assert.equal((await keysOf(files, 'many/')).length, 2_100);
  });
});
