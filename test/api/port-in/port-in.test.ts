// Port-in: the steps of an order, its documents, its events, and the number at the end.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dropClosedDocuments } from '../../../api/port-in/closed-documents.ts';
import { runRetention } from '../../../api/upkeep/retention.ts';
import type { AnswerJson } from '../../../bench/rig/api/answers.ts';
import type { Answer, Tenant } from '../../../bench/rig/api/api.ts';
import { stock } from '../../../bench/rig/api/numbers.ts';
import { passDays } from '../../support/api/days.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\n');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]);
const BOUNDARY = 'x-boundary-7';

let next = 100;
const newNumber = () => `+1212555${String(next++).padStart(4, '0')}`;

const start = (tenant: Tenant, phoneNumber = newNumber()) =>
  tenant.ask('POST', '/phone-numbers/port-in', { phoneNumber, loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' });

async function upload(
  tenant: Tenant,
  id: string,
  parts: ReadonlyArray<[name: string, value: string | Buffer, file?: string]>,
  headers: Record<string, string> = {},
) {
  const payload = Buffer.concat([
    ...parts.flatMap(([name, value, file]) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(file === undefined ? '\r\n\r\n' : `; filename="${file}"\r\nContent-Type: application/pdf\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  const answer = await api.inject({
    method: 'POST',
    url: `/api/v1/phone-numbers/port-in/${id}/documents`,
    headers: {
      authorization: `Bearer ${tenant.token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
    payload,
  });
  return answer as Answer<AnswerJson<'POST', `/phone-numbers/port-in/${string}/documents`>>;
}

const both = async (tenant: Tenant, id: string) => {
  await upload(tenant, id, [
    ['kind', 'loa'],
    ['file', PDF, 'letter.pdf'],
  ]);
  return upload(tenant, id, [
    ['file', PNG, 'bill.png'],
    ['kind', 'bill'],
  ]);
};

const eventsOf = async (id: string) =>
  (
    await api.context.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('subjectId', '=', id)
      .orderBy('seq')
      .execute()
  ).map(({ type, data }) => ({
    type,
    status: JSON.parse(data).status,
    history: JSON.parse(data).statusHistory.length,
  }));

test('an order goes from draft to a number of the account, each change with its event', async () => {
  const created = await start(api.tenant);
  assert.equal(created.status, 201);
  const { id, phoneNumber, status, statusHistory } = created.json.data;
  assert.match(id, /^port_/);
  assert.equal(status, 'DRAFT');
  assert.deepEqual(statusHistory, [{ status: 'DRAFT', at: new Date(api.clock.now).toISOString() }]);
  assert.deepEqual(await eventsOf(id), []);
  const one = await upload(api.tenant, id, [
    ['kind', 'loa'],
    ['file', PDF, '../../etc/passwd'],
  ]);
  assert.equal(one.status, 201);
  assert.equal(one.json.data.status, 'DRAFT');
  assert.equal(one.json.data.documents[0]?.fileName, 'passwd');
  const two = await upload(api.tenant, id, [
    ['file', JPEG, 'bill.jpg'],
    ['kind', 'bill'],
  ]);
  assert.equal(two.json.data.status, 'SUBMITTED');
  assert.equal(two.json.data.documents[1]?.contentType, 'image/jpeg');
  const move = (body: unknown) => api.admin.ask('PATCH', `/admin/port-orders/${id}`, body);
  assert.equal((await move({ status: 'COMPLETED' })).status, 409);
  assert.equal((await move({ status: 'IN_REVIEW' })).status, 200);
  assert.equal((await move({ status: 'FOC_SCHEDULED', focDate: '2026-12-01' })).json.data.focDate, '2026-12-01');
  assert.equal((await move({ status: 'COMPLETED' })).json.data.status, 'COMPLETED');
  assert.deepEqual(await eventsOf(id), [
    { type: 'port-order.status_changed', status: 'SUBMITTED', history: 2 },
    { type: 'port-order.status_changed', status: 'IN_REVIEW', history: 3 },
    { type: 'port-order.status_changed', status: 'FOC_SCHEDULED', history: 4 },
    { type: 'port-order.status_changed', status: 'COMPLETED', history: 5 },
  ]);
  const numbers = (await api.tenant.ask('GET', '/phone-numbers')).json.data;
  assert.equal(numbers.find((number: { phoneNumber: string }) => number.phoneNumber === phoneNumber)?.campaignId, null);
  const cancelled = await api.tenant.ask('POST', `/phone-numbers/port-in/${id}/cancel`);
  assert.equal(cancelled.status, 409);
  assert.match(cancelled.json.error ?? '', /COMPLETED/);
});

test('documents are known by their content and kept under names of our own', async () => {
  const { id } = (await start(api.tenant)).json.data;
  const refused: Array<[Parameters<typeof upload>[2], string]> = [
    [
      [
        ['kind', 'loa'],
        ['file', 'MZ not a pdf', 'letter.pdf'],
      ],
      'file',
    ],
    [
      [
        ['kind', 'loa'],
        ['file', '', 'letter.pdf'],
      ],
      'file',
    ],
    [[['kind', 'loa']], 'file'],
    [[['file', PDF, 'letter.pdf']], 'kind'],
    [
      [
        ['kind', 'invoice'],
        ['file', PDF, 'letter.pdf'],
      ],
      'kind',
    ],
  ];
  for (const [parts, field] of refused) {
    const answer = await upload(api.tenant, id, parts);
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json.errors?.[0]?.field, field);
  }
  const large = Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]);
  assert.equal(
    (
      await upload(api.tenant, id, [
        ['kind', 'loa'],
        ['file', large, 'x.pdf'],
      ])
    ).status,
    413,
  );
  assert.equal(
    (
      await upload(api.tenant, 'port_none', [
        ['kind', 'loa'],
        ['file', PDF, 'x.pdf'],
      ])
    ).status,
    404,
  );
  assert.equal(
    (
      await upload(api.other, id, [
        ['kind', 'loa'],
        ['file', PDF, 'x.pdf'],
      ])
    ).status,
    404,
  );
  const json = await api.tenant.ask('POST', `/phone-numbers/port-in/${id}/documents`, { kind: 'loa' });
  assert.equal(json.status, 415);
  const folder = join(api.context.config.dataDir, 'port-documents');
  const left = () => readdirSync(folder).length;
  const before = left();
  await upload(api.tenant, id, [
    ['kind', 'loa'],
    ['file', PDF, 'first.pdf'],
  ]);
  await upload(api.tenant, id, [
    ['kind', 'loa'],
    ['file', PNG, 'second.png'],
  ]);
  // The second stands in place of the first; of what was refused nothing is left.
  assert.equal(left(), before + 1);
  assert.ok(readdirSync(folder).every((name) => /^doc_[0-9a-z]+\.(pdf|png|jpg)$/.test(name)));
  const { documents } = (await api.tenant.ask('GET', `/phone-numbers/port-in/${id}`)).json.data;
  assert.equal(documents.length, 1);
  assert.equal(documents[0]?.fileName, 'second.png');
  const file = await api.inject({
    method: 'GET',
    url: `/api/v1/admin/port-orders/${id}/documents/${documents[0]?.id}`,
    headers: { authorization: `Bearer ${api.admin.token}` },
  });
  assert.equal(file.headers['content-type'], 'image/png');
  const stored = readdirSync(folder).filter((name) => name.startsWith(documents[0]?.id ?? '-'));
  assert.deepEqual(readFileSync(join(folder, stored[0] ?? '')), PNG);
  assert.equal((await api.tenant.ask('GET', `/admin/port-orders/${id}/documents/${documents[0]?.id}`)).status, 403);
});

test('an order can be cancelled by its owner and rejected by an ADMIN with a reason', async () => {
  const { id } = (await start(api.tenant)).json.data;
  const move = (body: unknown, of = id) => api.admin.ask('PATCH', `/admin/port-orders/${of}`, body);
  assert.equal((await move({ status: 'SUBMITTED' })).status, 409);
  assert.equal((await api.other.ask('POST', `/phone-numbers/port-in/${id}/cancel`)).status, 404);
  const cancelled = await api.tenant.ask('POST', `/phone-numbers/port-in/${id}/cancel`);
  assert.equal(cancelled.json.data.status, 'CANCELLED');
  assert.deepEqual(await eventsOf(id), [{ type: 'port-order.status_changed', status: 'CANCELLED', history: 2 }]);
  const second = (await start(api.tenant)).json.data.id;
  await both(api.tenant, second);
  const without = await move({ status: 'REJECTED' }, second);
  assert.equal(without.status, 422);
  assert.equal(without.json.errors?.[0]?.field, 'reason');
  const rejected = await move({ status: 'REJECTED', reason: 'Name differs' }, second);
  assert.equal(rejected.json.data.statusHistory.at(-1)?.reason, 'Name differs');
  assert.equal(
    (
      await upload(api.tenant, second, [
        ['kind', 'loa'],
        ['file', PDF, 'x.pdf'],
      ])
    ).status,
    409,
  );
  assert.equal((await api.tenant.ask('PATCH', `/admin/port-orders/${second}`, { status: 'CANCELLED' })).status, 403);
  assert.equal((await move({ status: 'IN_REVIEW' }, 'port_none')).status, 404);
});

test('what an order must say is checked, and one number has one order at a time', async () => {
  const phoneNumber = newNumber();
  const post = (body: unknown, tenant = api.tenant) => tenant.ask('POST', '/phone-numbers/port-in', body);
  const good = { phoneNumber, loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' };
  for (const [change, field] of [
    [{ phoneNumber: '+1' }, 'phoneNumber'],
    [{ loaSignedAt: '2026-02-30' }, 'loaSignedAt'],
    [{ loaSignedAt: '01.11.2026' }, 'loaSignedAt'],
    [{ loaSignedAt: '2027-01-01' }, 'loaSignedAt'],
    [{ accountHolder: ' ' }, 'accountHolder'],
    [{ accountHolder: undefined }, 'accountHolder'],
  ] as const) {
    const answer = await post({ ...good, ...change });
    assert.equal(answer.status, 422, JSON.stringify(change));
    assert.equal(answer.json.errors?.[0]?.field, field);
  }
  assert.equal((await post(good)).status, 201);
  assert.equal((await post(good)).status, 409);
  assert.equal((await post(good, api.other)).status, 201);
});

test('lists are of the account; an ADMIN sees all', async () => {
  const own = (await api.tenant.ask('GET', '/phone-numbers/port-in?limit=1')).json;
  assert.equal(own.data.length, 1);
  const all = (await api.admin.ask('GET', '/admin/port-orders?limit=100')).json;
  assert.ok(all.pagination.total > own.pagination.total);
  const foreign = all.data.find((order: { accountId: string }) => order.accountId === api.other.accountId);
  assert.equal((await api.tenant.ask('GET', `/phone-numbers/port-in/${foreign?.id}`)).status, 404);
  assert.equal((await api.tenant.ask('GET', '/admin/port-orders')).status, 403);
});

test('an order is not completed while somebody else holds the number', async () => {
  const phoneNumber = newNumber();
  await stock(api, [{ phoneNumber }]);
  await api.other.ask('GET', '/phone-numbers/search');
  assert.equal((await api.other.ask('POST', '/phone-numbers/purchase', { phoneNumber })).status, 201);
  const { id } = (await start(api.tenant, phoneNumber)).json.data;
  await both(api.tenant, id);
  for (const status of ['IN_REVIEW', 'FOC_SCHEDULED'])
    await api.admin.ask('PATCH', `/admin/port-orders/${id}`, { status });
  const before = await eventsOf(id);
  assert.equal((await api.admin.ask('PATCH', `/admin/port-orders/${id}`, { status: 'COMPLETED' })).status, 409);
  assert.deepEqual(await eventsOf(id), before);
  assert.equal((await api.tenant.ask('GET', `/phone-numbers/port-in/${id}`)).json.data.status, 'FOC_SCHEDULED');
});

test('a form that cannot be read is a bad request, one without its parts is invalid', async () => {
  const { id } = (await start(api.tenant)).json.data;
  const headed = (lines: string) => `--b\r\n${lines}\r\n\r\n`;
  const forms: Array<[status: number, contentType: string, payload: string]> = [
    [400, 'multipart/form-data', 'x'],
    [400, 'multipart/form-data; boundary=b', `${headed('Content-Disposition: form-data; name="kind"')}lo`],
    [
      400,
      'multipart/form-data; boundary=b',
      `${headed('Content-Disposition: form-data; name="file"; filename="a"')}%P`,
    ],
    [422, 'multipart/form-data; boundary=b', `${headed('no header')}x\r\n--b--\r\n`],
    [422, 'multipart/form-data; boundary=b', '--b--\r\n'],
  ];
  for (const [status, contentType, payload] of forms) {
    const answer = await api.inject({
      method: 'POST',
      url: `/api/v1/phone-numbers/port-in/${id}/documents`,
      headers: { authorization: `Bearer ${api.tenant.token}`, 'content-type': contentType },
      payload,
    });
    assert.equal(answer.status, status, `${contentType} ${payload}: ${answer.text}`);
    assert.equal(answer.json.success, false);
  }
});

test('the documents of a cancelled order are deleted, files too, and those of a completed one after a month', async () => {
  const folder = join(api.context.config.dataDir, 'port-documents');
  const files = () => readdirSync(folder).length;
  const order = async () => {
    const { id } = (await start(api.tenant)).json.data;
    await both(api.tenant, id);
    return id;
  };
  await runRetention(api.context);
  const before = existsSync(folder) ? files() : 0;
  const cancelled = await order();
  assert.equal(files(), before + 2);
  const answer = await api.tenant.ask('POST', `/phone-numbers/port-in/${cancelled}/cancel`);
  assert.deepEqual(answer.json.data.documents, []);
  assert.equal(files(), before);
  const done = await order();
  for (const status of ['IN_REVIEW', 'FOC_SCHEDULED', 'COMPLETED'])
    await api.admin.ask('PATCH', `/admin/port-orders/${done}`, { status });
  await passDays(api, 29);
  await runRetention(api.context);
  assert.equal(files(), before + 2);
  await passDays(api, 2);
  await runRetention(api.context);
  assert.ok(files() <= before, 'and those of other orders that are over');
  assert.deepEqual((await api.tenant.ask('GET', `/phone-numbers/port-in/${done}`)).json.data.documents, []);
});

test('documents of orders that have just been completed hold up no others', async () => {
  const order = async (documentIds: string[], change: { status: 'COMPLETED' | 'CANCELLED' }) => {
    const { id: portOrderId } = (await start(api.tenant)).json.data;
    const statusHistory = JSON.stringify([{ status: change.status, at: api.clock.now }]);
    const { db } = api.context;
    await db
      .updateTable('portOrders')
      .set({ ...change, statusHistory })
      .where('id', '=', portOrderId)
      .execute();
    const { accountId } = api.tenant;
    const document = { accountId, portOrderId, contentType: 'application/pdf', path: '/nowhere', bytes: 1 };
    for (const id of documentIds)
      await db
        .insertInto('portDocuments')
        .values({ ...document, id, kind: id.endsWith('1') ? 'loa' : 'bill', fileName: 'a.pdf', createdAt: 1 })
        .execute();
  };
  await order(['doc_01', 'doc_02'], { status: 'COMPLETED' });
  await order(['doc_z1', 'doc_z2'], { status: 'CANCELLED' });
  assert.equal(await dropClosedDocuments(api.context, api.clock.now, 1), 1);
  assert.equal(await dropClosedDocuments(api.context, api.clock.now, 2), 1, 'the one that the first left');
  const left = await api.context.db.selectFrom('portDocuments').select('id').execute();
  assert.deepEqual(
    left.map(({ id }) => id).filter((id) => /^doc_(0|z)\d$/.test(id)),
    ['doc_01', 'doc_02'],
  );
});

test('the documents of an account take 400 MiB at most', async () => {
  const { id } = (await start(api.tenant)).json.data;
  await api.context.db
    .insertInto('portDocuments')
    .values({
      id: 'doc_full',
      accountId: api.tenant.accountId,
      portOrderId: 'port_other',
      kind: 'loa',
      contentType: 'application/pdf',
      fileName: 'letter.pdf',
      path: '/nowhere',
      bytes: 400 * 1024 * 1024 - 10,
      createdAt: api.clock.now,
    })
    .execute();
  const answer = await upload(api.tenant, id, [
    ['kind', 'loa'],
    ['file', PDF, 'letter.pdf'],
  ]);
  assert.equal(answer.json.code, 'QUOTA_EXCEEDED', answer.text);
  assert.match(answer.json.error ?? '', /400 MiB/);
});

test('an upload and a cancellation with a key are answered again, and done once', async () => {
  const tenant = await api.newTenant();
  const { id } = (await start(tenant)).json.data;
  const letter: Parameters<typeof upload>[2] = [
    ['kind', 'loa'],
    ['file', PDF, 'letter.pdf'],
  ];
  const key = { 'idempotency-key': '0f0e0d0c-0b0a-4908-8706-050403020111' };
  const first = await upload(tenant, id, letter, key);
  const again = await upload(tenant, id, letter, key);
  assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 201, 'true']);
  assert.equal(again.text, first.text);
  const other = await upload(tenant, id, [letter[0] ?? ['kind', 'loa'], ['file', PNG, 'letter.pdf']], key);
  assert.deepEqual([other.status, other.json.errors?.[0]?.field], [422, 'Idempotency-Key']);
  const files = readdirSync(join(api.context.config.dataDir, 'port-documents'));
  assert.equal(files.filter((name) => name.endsWith('.part')).length, 0);
  const bad = await upload(tenant, id, letter, { 'idempotency-key': '7' });
  assert.equal(bad.status, 422);
  const cancelKey = { 'idempotency-key': '0f0e0d0c-0b0a-4908-8706-050403020112' };
  const cancel = () => tenant.ask('POST', `/phone-numbers/port-in/${id}/cancel`, undefined, cancelKey);
  const cancelled = await cancel();
  assert.equal(cancelled.json.data.status, 'CANCELLED');
  assert.equal((await cancel()).text, cancelled.text);
  // Also when the order has long been closed.
  assert.equal((await upload(tenant, id, letter, key)).text, first.text);
});
