// Port orders at Telnyx: handed over with their documents, followed, and their numbers released there in the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followPortOrders } from '../../../api/port-in/at-carrier.ts';
import { TELNYX_KEY } from '../../support/carriers/fake-telnyx.ts';
import { connect, useCarriers } from '../../support/carriers/use-carriers.ts';

const lab = useCarriers();
const NUMBER = '+12125550177';

async function upload(id: string, kind: 'loa' | 'bill'): Promise<void> {
  const part = (about: string, value: string) => `--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n${value}\r\n`;
  const answer = await lab.api.inject({
    method: 'POST',
    url: `/api/v1/phone-numbers/port-in/${id}/documents`,
    headers: { authorization: `Bearer ${lab.api.admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
    payload: `${part('name="kind"', kind)}${part('name="file"; filename="a.pdf"', `%PDF-${kind}`)}--b--\r\n`,
  });
  assert.equal(answer.status, 201, answer.text);
}

async function submitted(): Promise<string> {
  const body = { phoneNumber: NUMBER, loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' };
  const { id } = (await lab.api.admin.ask('POST', '/phone-numbers/port-in', body)).json.data;
  await upload(id, 'loa');
  await upload(id, 'bill');
  return id;
}

async function withTelnyx(): Promise<void> {
  const id = await connect(lab.api, TELNYX_KEY);
  await lab.api.admin.ask('POST', `/admin/carriers/${id}/trunk`, {});
}

async function round(): Promise<void> {
  lab.api.clock.advance(5 * 60_000 + 1);
  await followPortOrders(lab.api.context);
}

const order = async (id: string) => (await lab.api.admin.ask('GET', `/phone-numbers/port-in/${id}`)).json.data;
const atTelnyx = () => {
  const [first] = lab.telnyx.ports.values();
  assert.ok(first);
  return first;
};

test('an order is made there once, with holder, trunk and documents, and goes its way', async () => {
  const { api, http, telnyx } = lab;
  await withTelnyx();
  const id = await submitted();
  http.planned = [{ route: 'POST api.telnyx.com/v2/porting_orders', kind: 'broken-after' }];
  await round();
  await round();
  assert.equal(telnyx.ports.size, 1);
  const there = atTelnyx();
  assert.deepEqual([there.phone_numbers, there.customer_reference], [[NUMBER], id]);
  assert.deepEqual(there.end_user, { admin: { entity_name: 'Ada Ltd' } });
  assert.deepEqual(there.phone_number_configuration, { connection_id: [...telnyx.connections.keys()][0] });
  const { loa, invoice } = there.documents as { loa: string; invoice: string };
  assert.equal(Buffer.from(telnyx.documents.get(loa) ?? '', 'base64').toString(), '%PDF-loa');
  assert.equal(Buffer.from(telnyx.documents.get(invoice) ?? '', 'base64').toString(), '%PDF-bill');
  // Not confirmed there yet.
  await round();
  assert.equal((await order(id)).status, 'SUBMITTED');
  there.status = { value: 'submitted' };
  await round();
  assert.equal((await order(id)).status, 'IN_REVIEW');
  there.status = { value: 'foc-date-confirmed' };
  there.activation_settings = { foc_datetime_actual: '2026-12-04T15:00:00Z' };
  await round();
  assert.deepEqual([(await order(id)).status, (await order(id)).focDate], ['FOC_SCHEDULED', '2026-12-04']);
  there.status = { value: 'ported' };
  telnyx.numbers.set('n1', { id: 'n1', phone_number: NUMBER, connection_id: '', customer_reference: '' });
  await round();
  assert.equal((await order(id)).status, 'COMPLETED');
  const [number] = (await api.admin.ask('GET', '/phone-numbers')).json.data;
  const [carrier] = (await api.admin.ask('GET', '/admin/carriers')).json.data;
  assert.deepEqual([number?.phoneNumber, number?.trunkId], [NUMBER, carrier?.trunkId]);
  // Its release is told where it is.
  assert.equal((await api.admin.ask('DELETE', `/phone-numbers/${number?.id}`)).status, 200);
  assert.equal(telnyx.numbers.size, 0);
});

test('a number that cannot be ported rejects the order in the words of the carrier', async () => {
  await withTelnyx();
  lab.telnyx.refusingPorts = 'The number is not portable';
  const id = await submitted();
  await round();
  const { status, statusHistory } = await order(id);
  assert.equal(status, 'REJECTED');
  assert.equal(statusHistory.at(-1)?.reason, 'The number is not portable');
});

test('a cancellation is told: a draft goes, one that runs is cancelled', async () => {
  const { api, telnyx } = lab;
  await withTelnyx();
  const cancel = (id: string) => api.admin.ask('POST', `/phone-numbers/port-in/${id}/cancel`);
  const draft = await submitted();
  await round();
  await cancel(draft);
  await round();
  assert.equal(telnyx.ports.size, 0);
  const running = await submitted();
  await round();
  atTelnyx().status = { value: 'submitted' };
  await cancel(running);
  await round();
  assert.deepEqual(atTelnyx().status, { value: 'cancel-pending' });
});

test('the papers of other accounts go to no carrier that is not offered to them', async () => {
  const { api, telnyx } = lab;
  await withTelnyx();
  await api.context.db.updateTable('users').set({ role: 'USER' }).where('id', '=', api.admin.userId).execute();
  const id = await submitted();
  await round();
  assert.deepEqual([telnyx.ports.size, telnyx.documents.size, (await order(id)).status], [0, 0, 'SUBMITTED']);
});
