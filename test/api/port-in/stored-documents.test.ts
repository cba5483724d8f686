// Documents of port orders in an object store: uploaded, read, and deleted with every version, however long it is away.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { deleteNotedFiles } from '../../../api/upkeep/file-deletions.ts';
import { runRetention } from '../../../api/upkeep/retention.ts';
import { ObjectStore } from '../../../bench/rig/fakes/object-store.ts';
import { FilesError } from '../../../db/shared/files/files.ts';
import { useApi } from '../../support/api/use-api.ts';

const store = await new ObjectStore({ versions: 'kept' }).start();
const api = useApi({ environment: store.environment });
after(() => store.stop());
beforeEach(() => {
  store.fault = null;
  store.faultMethod = null;
});

const pdf = (text: string): string => `%PDF-1.7 ${text}`;
let numbers = 200;

async function order(): Promise<string> {
  const body = {
    phoneNumber: `+1212555${String(numbers++).padStart(4, '0')}`,
    loaSignedAt: '2026-11-01',
    accountHolder: 'Ada Ltd',
  };
  return (await api.tenant.ask('POST', '/phone-numbers/port-in', body)).json.data.id;
}

const upload = (id: string, text: string, kind = 'loa') =>
  api.inject({
    method: 'POST',
    url: `/api/v1/phone-numbers/port-in/${id}/documents`,
    headers: { authorization: `Bearer ${api.tenant.token}`, 'content-type': 'multipart/form-data; boundary=b7' },
    payload: `--b7\r\nContent-Disposition: form-data; name="kind"\r\n\r\n${kind}\r\n--b7\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${text}\r\n--b7--\r\n`,
  });

const rows = (orderId: string) =>
  api.context.db.selectFrom('portDocuments').selectAll().where('portOrderId', '=', orderId).execute();

const drafts = () => readdirSync(join(api.context.config.dataDir, 'port-documents'));

test('a document goes to the store, its draft leaves the disk, and a reviewer reads it', async () => {
  const id = await order();
  const answer = await upload(id, pdf('aubergine'));
  assert.equal(answer.status, 201, answer.text);
  const [row] = await rows(id);
  assert.equal(row?.path, `port-documents/${row?.id}.pdf`);
  assert.deepEqual(drafts(), []);
  const read = await api.admin.ask('GET', `/admin/port-orders/${id}/documents/${row?.id}`);
  assert.deepEqual([read.status, read.text, read.headers['content-type']], [200, pdf('aubergine'), 'application/pdf']);
  store.fault = 'away';
  const away = await api.admin.ask('GET', `/admin/port-orders/${id}/documents/${row?.id}`);
  assert.deepEqual([away.status, away.json.code], [503, 'FILES_DOWN']);
  store.fault = null;
  api.clock.advance(3 * 3_600_000);
  await deleteNotedFiles(api.context);
  assert.equal(store.read(`phone/${row?.path}`)?.toString(), pdf('aubergine'), 'an entered document is kept');
});

test('what is not entered is deleted in the store, also where only its answer was lost', async () => {
  const id = await order();
  const before = store.keys();
  store.fault = 'lost-answer';
  store.faultMethod = 'PUT';
  const answer = await upload(id, pdf('aubergine'));
  assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '10']);
  assert.deepEqual([await rows(id), drafts()], [[], []]);
  assert.equal(store.keys().length, before.length + 1, 'it is there all the same');
  store.fault = 'away';
  store.faultMethod = null;
  await assert.rejects(deleteNotedFiles(api.context), FilesError);
  store.fault = null;
  await deleteNotedFiles(api.context);
  assert.deepEqual(store.keys(), before);
});

test('a process that died while it stored a document leaves none behind', async () => {
  const id = await order();
  const { db } = api.context;
  const before = store.keys();
  store.store('phone/port-documents/doc_dead.pdf', Buffer.from('aubergine'));
  const nowMs = api.clock.now;
  await db
    .insertInto('fileDeletions')
    .values({ key: 'port-documents/doc_dead.pdf', dueAt: nowMs + 7_200_000, createdAt: nowMs })
    .execute();
  assert.equal(await deleteNotedFiles(api.context), 0, 'it may still be under way');
  api.clock.advance(7_200_000);
  await deleteNotedFiles(api.context);
  assert.deepEqual(store.keys(), before);
  assert.ok(id);
});

test('a replaced document, and those of a cancelled order, leave the store when it is back', async () => {
  const id = await order();
  await upload(id, pdf('first'));
  const [first] = await rows(id);
  store.fault = 'away';
  store.faultMethod = 'DELETE';
  assert.equal((await upload(id, pdf('second'))).status, 201);
  await assert.rejects(deleteNotedFiles(api.context), FilesError);
  assert.equal(store.versionCount(`phone/${first?.path}`), 1);
  store.fault = null;
  await deleteNotedFiles(api.context);
  assert.equal(store.versionCount(`phone/${first?.path}`), 0);
  const [second] = await rows(id);
  assert.equal(store.read(`phone/${second?.path}`)?.toString(), pdf('second'));
  await api.tenant.ask('POST', `/phone-numbers/port-in/${id}/cancel`);
  api.clock.advance(86_400_000);
  await runRetention(api.context);
  assert.deepEqual(await rows(id), []);
  await deleteNotedFiles(api.context);
  assert.equal(store.versionCount(`phone/${second?.path}`), 0);
});
