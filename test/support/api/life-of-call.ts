// A call that has ended, and a person in every place that knows calls.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApi } from '../../../bench/rig/api/api.ts';
import { endCall, insertCall } from '../../../db/queries/calls/life.ts';
import { addFeed } from '../../../db/queries/calls/running/feed.ts';
import { bookAppointment } from '../../../db/rules/booking.ts';
import { newId } from '../../../db/shared/id.ts';
import type { Setup } from './resources.ts';

export const CALLEE = '+14155552671';
/** Texts that only this person's data contains. */
export const PERSONAL = [CALLEE, 'Zenobia', 'aubergine', 'secret-crm'];

/** A call with something personal in every place that knows calls; `startsAt` of its appointment. */
export async function lifeOfCall(
  api: TestApi,
  set: Setup,
  { startedAt = api.clock.now - 60_000, startsAt = api.clock.now - 86_400_000, contactId = 'cnt_1' } = {},
): Promise<string> {
  const { db, config } = api.context;
  const { accountId } = api.tenant;
  const row = await insertCall(db, accountId, {
    id: newId('call'),
    businessId: set.business.id,
    campaignId: set.campaign.id,
    agentId: set.agent.id,
    phoneNumberId: set.number.id,
    contactId,
    direction: 'outbound',
    medium: 'sip',
    forwardedFrom: CALLEE,
    fromNumber: set.number.phoneNumber,
    toNumber: CALLEE,
    callerName: 'Zenobia King',
    variables: '{"first":"Zenobia"}',
    metadata: '{"id":"secret-crm"}',
    trunkId: null,
    engineId: null,
    nowMs: startedAt,
  });
  await db
    .insertInto('dialAttempts')
    .values({
      id: newId('att'),
      accountId,
      callId: row.id,
      campaignId: row.campaignId,
      contactId,
      toNumber: CALLEE,
      trunkId: null,
      claimedAt: startedAt,
      endedAt: null,
      outcome: null,
    })
    .execute();
  const transcript = [
    { speaker: 'caller' as const, text: `I want an aubergine. ${'Really. '.repeat(600)}`, timestamp: 0 },
  ];
  await addFeed(db, { accountId, callId: row.id, type: 'transcript', data: transcript[0], nowMs: startedAt });
  await bookAppointment(db, {
    accountId,
    businessId: row.businessId,
    callId: row.id,
    service: 'Cut',
    startsAtMs: startsAt,
    endsAtMs: startsAt + 1,
    name: 'Zenobia King',
    phone: CALLEE,
    notes: 'aubergine',
    nowMs: startedAt,
  });
  await db.updateTable('calls').set({ answeredAt: startedAt }).where('id', '=', row.id).execute();
  mkdirSync(config.recordingsDir, { recursive: true });
  const recordingPath = join(config.recordingsDir, `${row.id}.wav`);
  for (const kind of ['wav', 'mp3']) writeFileSync(join(config.recordingsDir, `${row.id}.${kind}`), 'aubergine');
  await endCall(db, {
    callId: row.id,
    status: 'COMPLETED',
    outcome: 'hung_up',
    endReason: 'caller_hangup',
    endedAtMs: startedAt + 30_000,
    sentiment: 'positive',
    summary: 'Zenobia wants an aubergine.',
    tags: ['aubergine'],
    transcript,
    latency: null,
    recordingPath,
    contact: null,
  });
  for (const event of await db.selectFrom('events').selectAll().where('accountId', '=', accountId).execute()) {
    const requestBody = JSON.stringify({ id: event.id, type: event.type, data: JSON.parse(event.data) });
    await db
      .insertInto('webhookDeliveries')
      .values({
        id: newId('dlv'),
        accountId,
        webhookId: 'whk_1',
        eventId: event.id,
        eventType: event.type,
        url: 'https://example.com',
        attempt: 1,
        success: 1,
        statusCode: 200,
        requestBody,
        responseBody: 'thanks, Zenobia',
        error: null,
        durationMs: 1,
        isReplay: 0,
        isTest: 0,
        createdAt: startedAt,
        nextRetryAt: null,
      })
      .execute();
  }
  return row.id;
}
