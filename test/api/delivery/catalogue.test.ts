import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { CATALOGUE, messageSchema, openapiWebhooks } from '../../../api/delivery/catalogue.ts';
import { messageBody } from '../../../api/delivery/message.ts';
import { sampleData } from '../../../api/delivery/samples.ts';
import { startApi } from '../../../bench/rig/api/api.ts';
import { EVENT_TYPES } from '../../../db/outbox.ts';
import { createInboundCall, endCall, markStarted } from '../../../db/queries/calls/life.ts';
import { markTransferred } from '../../../db/queries/calls/running/changes.ts';
import { optOut } from '../../../db/queries/dialling/opt-out.ts';
import { bookAppointment } from '../../../db/rules/booking.ts';
import { newId } from '../../../db/shared/id.ts';

const NOW = Date.UTC(2026, 10, 18, 12);

/** The same schema, but no object in it may carry a field that it does not name. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, strict(value)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  if (copy.properties !== undefined && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}

function assertMatches(type: (typeof EVENT_TYPES)[number], body: string): void {
  const schema = strict(JSON.parse(JSON.stringify(messageSchema(type)))) as TSchema;
  const message: unknown = JSON.parse(body);
  const [, errors] = Errors(schema, message);
  assert.ok(Check(schema, message), `${type}: ${JSON.stringify(errors)}`);
}

test('every event type has a schema, and its sample is complete by it', () => {
  assert.deepEqual(Object.keys(CATALOGUE).sort(), [...EVENT_TYPES].sort());
  for (const type of EVENT_TYPES) {
    const data = JSON.stringify(sampleData(type, NOW));
    assertMatches(type, messageBody({ id: 'evt_1', type, createdAtMs: NOW, data }));
    assert.ok(!/recording(Url|Path)/.test(data), `${type} must not tell where the recording lies`);
  }
});

test('the check does find missing and unknown fields', () => {
  const { summary: _, ...rest } = sampleData('call.ended', NOW) as unknown as Record<string, unknown>;
  const body = (data: unknown) =>
    messageBody({ id: 'evt_1', type: 'call.ended', createdAtMs: NOW, data: JSON.stringify(data) });
  assert.throws(() => assertMatches('call.ended', body(rest)));
  assert.throws(() => assertMatches('call.ended', body({ ...rest, summary: null, recordingUrl: 'x' })));
});

test('OpenAPI documents every event, and so does the page for operators', async (t) => {
  const api = await startApi();
  t.after(() => api.close());
  const document = (await api.inject({ url: '/openapi.json' })).json as unknown as {
    webhooks: Record<string, unknown>;
    components: { schemas: Record<string, object> };
  };
  /** The document with every reference replaced by what it leads to. */
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (value === null || typeof value !== 'object') return value;
    if ('$ref' in value) {
      const { examples: _, ...schema } = document.components.schemas[String(value.$ref).split('/').at(-1) ?? ''] as {
        examples?: unknown;
      };
      return whole(schema);
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, whole(item)]));
  };
  assert.deepEqual(Object.keys(document.webhooks).sort(), [...EVENT_TYPES].sort());
  assert.deepEqual(whole(document.webhooks), openapiWebhooks());
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  for (const type of EVENT_TYPES) assert.ok(page.includes(`\`${type}\``), type);
});

test('what the service writes to the outbox matches its schema', async (t) => {
  const api = await startApi();
  t.after(() => api.close());
  const { db } = api.context;
  const { accountId } = api.tenant;
  const callId = newId('call');
  await createInboundCall(db, {
    id: callId,
    accountId,
    businessId: newId('biz'),
    campaignId: newId('cmp'),
    agentId: newId('agt'),
    phoneNumberId: newId('pn'),
    fromNumber: '+12025550143',
    toNumber: '+12025550100',
    callerName: null,
    trunkId: null,
    engineId: 'engine',
    nowMs: NOW,
  });
  await markStarted(db, { callId, type: 'call.started', nowMs: NOW });
  await bookAppointment(db, {
    accountId,
    businessId: newId('biz'),
    callId,
    service: 'Check-up',
    startsAtMs: NOW + 3_600_000,
    endsAtMs: NOW + 5_400_000,
    name: 'Jamie Rivera',
    phone: '+12025550143',
    notes: null,
    nowMs: NOW,
  });
  await markTransferred(db, { callId, nowMs: NOW });
  await endCall(db, {
    callId,
    status: 'VOICEMAIL',
    outcome: 'voicemail_left',
    endReason: 'voicemail',
    endedAtMs: NOW + 30_000,
    sentiment: 'neutral',
    summary: 'Left a message.',
    tags: ['message'],
    transcript: [{ speaker: 'agent', text: 'Hello.', timestamp: 120 }],
    latency: { turns: 1, p50Ms: 480, p95Ms: 480 },
    usage: {
      promptTokens: 2_000,
      cachedTokens: null,
      completionTokens: 40,
      requests: 2,
      fallbackRequests: 0,
      discardedRequests: 0,
      discardedTokens: null,
    },
    recordingPath: 'recordings/secret-place.wav',
    contact: null,
  });
  await db
    .insertInto('contacts')
    .values({
      id: newId('cnt'),
      accountId,
      campaignId: newId('cmp'),
      phoneNumber: '+12025550143',
      name: null,
      email: null,
      status: 'PENDING',
      attempts: 0,
      lastCallId: null,
      nextAttemptAt: null,
      variables: '{}',
      metadata: '{}',
      createdAt: NOW,
    })
    .execute();
  await optOut(db, {
    accountId,
    phoneNumber: '+12025550143',
    callId,
    source: 'call',
    reason: null,
    nowMs: NOW,
  });
  const order = await api.tenant.ask('POST', '/phone-numbers/port-in', {
    phoneNumber: '+12025550100',
    loaSignedAt: '2026-11-01',
    accountHolder: 'Rivera Dental LLC',
  });
  const moved = await api.admin.ask('PATCH', `/admin/port-orders/${order.json.data.id}`, { status: 'CANCELLED' });
  assert.equal(moved.status, 200, moved.text);

  const rows = await db.selectFrom('events').selectAll().execute();
  for (const row of rows) {
    const type = row.type as (typeof EVENT_TYPES)[number];
    assertMatches(type, messageBody({ id: row.id, type, createdAtMs: row.createdAt, data: row.data }));
    assert.ok(!row.data.includes('secret-place'), 'never where the recording lies');
  }
  assert.deepEqual(
    new Set(rows.map(({ type }) => type)),
    new Set([
      'call.received',
      'call.started',
      'appointment.scheduled',
      'call.transferred',
      'call.ended',
      'call.voicemail',
      'contact.opted_out',
      'port-order.status_changed',
    ]),
  );
});
