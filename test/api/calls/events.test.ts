// The events of a call, and whether each subscriber has them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEvent } from '../../../db/outbox.ts';
import { addDeliveries } from '../../../db/queries/webhooks/deliveries.ts';
import type { WebhookDeliveryTable } from '../../../db/schema/webhooks.ts';
import { newId } from '../../../db/shared/id.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

async function happened(
  type: 'call.received' | 'call.ended' | 'appointment.scheduled',
  subjectId: string,
  nowMs: number,
) {
  const { accountId } = api.tenant;
  const id = await addEvent(api.context.db, { accountId, type, subjectId, data: {}, nowMs });
  assert.ok(id);
  return id;
}

async function delivered(eventId: string, webhookId: string, entry: Partial<WebhookDeliveryTable>): Promise<void> {
  await addDeliveries(api.context.db, api.tenant.accountId, webhookId, [
    {
      id: newId('dlv'),
      eventId,
      eventType: 'call.ended',
      url: `https://example.com/${webhookId}`,
      attempt: 1,
      success: 1,
      statusCode: 204,
      requestBody: '{}',
      responseBody: '',
      error: null,
      durationMs: 10,
      isReplay: 0,
      isTest: 0,
      createdAt: 1,
      nextRetryAt: null,
      ...entry,
    },
  ]);
}

test('the newest event comes first, with the last attempt at each webhook', async () => {
  const call = await seedCall(api, api.tenant);
  await happened('call.received', call.id, 1_000);
  const ended = await happened('call.ended', call.id, 2_000);
  await delivered(ended, 'whk_1', { success: 0, statusCode: 500, createdAt: 3_000, nextRetryAt: 4_000 });
  await delivered(ended, 'whk_1', { attempt: 2, createdAt: 4_000 });
  await delivered(ended, 'whk_2', { success: 0, statusCode: null, error: 'timeout', createdAt: 3_500 });
  await delivered(ended, 'whk_2', { isTest: 1, createdAt: 9_000 });

  const { status, json } = await api.tenant.ask('GET', `/calls/${call.id}/events`);
  assert.equal(status, 200);
  assert.equal(json.pagination.total, 2);
  const [newest, oldest] = json.data;
  assert.ok(newest && oldest);
  assert.deepEqual([newest.id, newest.type, newest.createdAt], [ended, 'call.ended', '1970-01-01T00:00:02.000Z']);
  assert.deepEqual(
    newest.deliveries.map(({ id: _, ...delivery }: { id: string }) => delivery),
    [
      {
        webhookId: 'whk_1',
        url: 'https://example.com/whk_1',
        attempt: 2,
        success: true,
        statusCode: 204,
        error: null,
        at: '1970-01-01T00:00:04.000Z',
        nextRetryAt: null,
      },
      {
        webhookId: 'whk_2',
        url: 'https://example.com/whk_2',
        attempt: 1,
        success: false,
        statusCode: null,
        error: 'timeout',
        at: '1970-01-01T00:00:03.500Z',
        nextRetryAt: null,
      },
    ],
  );
  assert.deepEqual([oldest.type, oldest.deliveries], ['call.received', []]);

  const second = await api.tenant.ask('GET', `/calls/${call.id}/events?limit=1&page=2`);
  assert.deepEqual(
    second.json.data.map(({ type }: { type: string }) => type),
    ['call.received'],
  );
});

test('an appointment that the call booked is one of its events', async () => {
  const call = await seedCall(api, api.tenant);
  await api.context.db
    .insertInto('appointments')
    .values({
      id: 'apt_1',
      accountId: api.tenant.accountId,
      businessId: 'biz_1',
      callId: call.id,
      service: null,
      startsAt: 1,
      endsAt: 2,
      name: null,
      phone: null,
      phoneProved: 0,
      notes: null,
      status: 'booked',
      resource: null,
      sequence: 0,
      history: '[]',
      reference: null,
      eraseAfter: null,
      createdAt: 1,
    })
    .execute();
  await happened('appointment.scheduled', 'apt_1', 1_000);
  const { json } = await api.tenant.ask('GET', `/calls/${call.id}/events`);
  assert.deepEqual(
    json.data.map(({ type }: { type: string }) => type),
    ['appointment.scheduled'],
  );
});

test("another tenant's call has no events to be seen", async () => {
  const call = await seedCall(api, api.other);
  const { status, json } = await api.tenant.ask('GET', `/calls/${call.id}/events`);
  assert.equal(status, 404);
  assert.equal(json.code, 'NOT_FOUND');
});
