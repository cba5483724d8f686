// One of everything for a tenant, created through the API where possible, so that contract tests and the fuzzer have
// ids of real objects. Objects that only the engine or a carrier creates are written into the database.

import assert from 'node:assert/strict';
import { insertRefreshToken } from '../../../db/queries/accounts/sessions.ts';
import { putHoldMusic } from '../../../db/queries/businesses/hold-music.ts';
import { insertCalendar } from '../../../db/queries/calendars/calendars.ts';
import { insertSignIn } from '../../../db/queries/calendars/sign-ins.ts';
import { putCost } from '../../../db/queries/costs/costs.ts';
import { keepRecording } from '../../../db/queries/test-runs/recordings.ts';
import { newId } from '../../../db/shared/id.ts';
import { seal } from '../../../db/shared/secrets/secret-box.ts';
import { knownVoices, listModels } from '../../../models/install/catalogue.ts';
import { callRow } from '../rows/call-row.ts';
import type { Tenant, TestApi } from './api.ts';
import { buy, stock, usNumber } from './numbers.ts';
import { PASSWORD, signedIn } from './sign-in.ts';

export type World = Record<string, string>;

async function made<D>(answer: Promise<{ status: number; text: string; json: { data: D } }>): Promise<D> {
  const { status, text, json } = await answer;
  assert.equal(status, 201, text);
  return json.data;
}

let worlds = 0;

/** A tenant's world. Numbers of different worlds do not collide. */
export async function makeWorld(api: TestApi, tenant: Tenant): Promise<World> {
  const first = 1000 + 20 * worlds++;
  const number = (offset: number) => usNumber(first + offset);
  await stock(
    api,
    [0, 1, 2, 3].map((offset) => ({ phoneNumber: number(offset) })),
  );
  const numberId = (await made(buy(tenant, number(0)))).id;
  const spareNumberId = (await made(buy(tenant, number(1)))).id;
  const voiceId = knownVoices({})[0]?.id ?? '';
  assert.notEqual(voiceId, '');
  const agentId = (await made(tenant.ask('POST', '/agents', { name: 'Ada', voiceId }))).id;
  const spareAgentId = (await made(tenant.ask('POST', '/agents', { name: 'Bob', voiceId }))).id;
  const business = { industry: 'bakery', timezone: 'UTC' };
  const businessId = (await made(tenant.ask('POST', '/businesses', { name: 'One', ...business, criteria: [POLITE] })))
    .id;
  const spareBusinessId = (await made(tenant.ask('POST', '/businesses', { name: 'Two', ...business }))).id;
  const campaign = { agentId, businessId };
  const campaignId = (
    await made(tenant.ask('POST', '/campaigns', { name: 'Main', ...campaign, phoneNumberIds: [numberId] }))
  ).id;
  const spareCampaignId = (await made(tenant.ask('POST', '/campaigns', { name: 'Spare', ...campaign }))).id;
  const contacts = await tenant.ask('POST', `/campaigns/${campaignId}/contacts`, {
    contacts: [{ phoneNumber: number(10), name: 'Eve' }],
  });
  const listedNumber = number(11);
  await made(tenant.ask('POST', '/do-not-call', { phoneNumber: listedNumber }));
  const music = { businessId, accountId: tenant.accountId, durationMs: 2_000, samples: Buffer.alloc(64_000, 1) };
  await putHoldMusic(api.context.db, { ...music, updatedAt: api.context.now() });
  const port = { phoneNumber: number(12), loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' };
  return {
    voiceId,
    agentId,
    spareAgentId,
    businessId,
    spareBusinessId,
    campaignId,
    spareCampaignId,
    numberId,
    spareNumberId,
    offeredNumber: number(2),
    stockNumber: number(3),
    listedNumber,
    contactId: contacts.json.data.contacts[0]?.id ?? '',
    portOrderId: (await made(tenant.ask('POST', '/phone-numbers/port-in', port))).id,
    cancelledPortOrderId: (
      await made(tenant.ask('POST', '/phone-numbers/port-in', { ...port, phoneNumber: number(13) }))
    ).id,
    sessionId: await session(api, tenant),
    documentId: (
      await made(tenant.ask('POST', `/businesses/${businessId}/documents`, { name: 'Manual', text: 'Two years.' }))
    ).id,
    calendarId: await calendar(api, tenant, businessId),
    signInId: await signIn(api, tenant),
    feedToken: await feedToken(tenant, businessId),
    rerunId: (await made<{ id: string }>(tenant.ask('POST', `/businesses/${businessId}/reruns`))).id,
    toolId: (await made(tenant.ask('POST', '/tools', tool(1)))).id,
    spareToolId: (await made(tenant.ask('POST', '/tools', tool(2)))).id,
    tokenId: (await made(tenant.ask('POST', '/auth/tokens', { name: 'world' }))).id,
    colleagueId: (await made(tenant.ask('POST', '/account/users', { email: `colleague${first}@example.com` }))).id,
    sipAccountId: (await made(api.admin.ask('POST', '/admin/sip-accounts', { username: `phone${first}` }))).id,
    trunkId: (await made(api.admin.ask('POST', '/admin/trunks', { name: `T${first}`, host: 'sip.example.com' }))).id,
    conversationId: (await made(tenant.ask('POST', '/conversations', { campaignId }))).id,
    ...(await widgetKeys(tenant, campaignId)),
    carrierId: (
      await made(api.admin.ask('POST', '/admin/carriers', { kind: 'telnyx', key: 'KEY0123456789ABCDEF0123456789' }))
    ).id,
    alertRuleId: (await made(tenant.ask('POST', '/alert-rules', ALERT))).id,
    spareAlertRuleId: (await made(tenant.ask('POST', '/alert-rules', ALERT))).id,
    priceId: (await made(api.admin.ask('POST', '/admin/prices', PRICE))).id,
    sparePriceId: (await made(api.admin.ask('POST', '/admin/prices', PRICE))).id,
    modelName: listModels({})[0]?.name ?? '',
    accountId: tenant.accountId,
    lineAt: String(first),
    ...(await rowsOfOthers(api, tenant, { agentId, businessId, campaignId, numberId, lineAt: String(first) })),
    ...(await tests(api, tenant, { agentId, businessId })),
    ...(await person(api)),
  };
}

async function widgetKeys(tenant: Tenant, campaignId: string): Promise<World> {
  const make = async (name: string) =>
    made(tenant.ask('POST', '/widget-keys', { campaignId, name, origins: ['https://www.example.com'] }));
  const { id, key } = await make('Site');
  return { widgetKeyId: id, publicKey: key, spareWidgetKeyId: (await make('Spare')).id };
}

/** One at an address at which nobody answers. */
async function calendar({ context }: TestApi, { accountId }: Tenant, businessId: string): Promise<string> {
  const id = newId('cal');
  const access = JSON.stringify({ url: 'https://calendar.invalid/a.ics', username: '', password: '' });
  await insertCalendar(context.db, {
    ...{ id, accountId, businessId, kind: 'ics', name: 'Hers', resource: null, address: 'https://calendar.invalid/…' },
    sealed: seal(context.secretKey, id, access),
    ...{ writes: 0, names: 1, state: 'ok', error: null, readAt: null, parsedAt: null, tag: null, busyTimes: 0 },
    ...{ dueAt: context.now() + 86_400_000, createdAt: context.now(), renewingUntil: 0 },
  });
  return id;
}

/** To Google, whose window is open. */
async function signIn({ context }: TestApi, { accountId }: Tenant): Promise<string> {
  const id = newId('csi');
  const kept = { url: 'https://accounts.google.com/', secret: 'secret', verifier: 'verifier' };
  await insertSignIn(context.db, {
    ...{ id, accountId, kind: 'google', state: 'waiting', error: null },
    sealed: seal(context.secretKey, id, JSON.stringify(kept)),
    ...{ askAt: 0, askEveryMs: 0, expiresAt: context.now() + 86_400_000, createdAt: context.now() },
  });
  return id;
}

/** The secret in the address of the business's calendar. */
async function feedToken(tenant: Tenant, businessId: string): Promise<string> {
  const { url } = (await tenant.ask('POST', `/businesses/${businessId}/calendar-feed`)).json.data as { url: string };
  return new URL(url).searchParams.get('token') ?? '';
}

const ALERT = {
  ...{ name: 'Failed calls', metric: 'failed_share', comparison: 'above', value: 0.2, windowMinutes: 60 },
  to: [{ by: 'mail', to: 'owner@example.com' }],
};
const PRICE = { kind: 'llm', model: 'gpt-*', perMillionInput: '0.4', currency: 'USD' };

const POLITE = { name: 'polite', question: 'Was the agent polite?' };

/** Nobody listens there. */
const tool = (n: number) => ({
  name: `tool_${n}`,
  description: 'Asks.',
  url: 'https://tools.invalid/',
  timeoutMs: 200,
});

/** A session of the tenant elsewhere. */
async function session({ context }: TestApi, { userId }: Tenant): Promise<string> {
  const familyId = newId('req');
  const nowMs = context.now();
  await insertRefreshToken(context.db, {
    tokenHash: familyId,
    familyId,
    userId,
    expiresAt: nowMs + 7 * 86_400_000,
    usedAt: null,
    revokedAt: null,
    createdAt: nowMs,
    appEnv: context.config.appEnv,
    signedInAt: nowMs,
    userAgent: 'Mozilla/5.0',
    address: '198.51.100.7',
    provider: null,
    endsAt: null,
  });
  return familyId;
}

async function person(api: TestApi): Promise<World> {
  const { email, refreshToken } = await signedIn(api);
  return { email, password: PASSWORD, refreshToken, verifyToken: 'filled in when it is needed' };
}

/** A call that has ended, its appointment, a webhook and a delivery of it. */
async function rowsOfOthers(api: TestApi, tenant: Tenant, ids: World): Promise<World> {
  const { db, now } = api.context;
  const { accountId } = tenant;
  const callId = newId('call');
  await putCost(db, {
    ...{ subjectId: callId, accountId, businessId: ids.businessId ?? '', campaignId: ids.campaignId ?? '' },
    ...{ agentId: ids.agentId ?? '', beganAt: now(), lines: '[]', currency: null, isEstimated: 0, isPartial: 0 },
    ...{ llm: null, stt: null, tts: null, trunk: null, total: null },
  });
  await db
    .insertInto('calls')
    .values(
      callRow({
        id: callId,
        accountId,
        businessId: ids.businessId ?? '',
        campaignId: ids.campaignId ?? '',
        agentId: ids.agentId ?? '',
        phoneNumberId: ids.numberId ?? '',
        callerName: 'Eve',
        status: 'COMPLETED',
        outcome: 'completed',
        endReason: 'caller_hangup',
        answeredAt: now() - 58_000,
        endedAt: now(),
        durationSeconds: 58,
        sentiment: 'positive',
        summary: 'Eve asked for the hours.',
        tags: '["hours"]',
        transcript: JSON.stringify([{ speaker: 'agent', text: 'Hello', timestamp: Number(ids.lineAt) }]),
        latency: JSON.stringify({ turns: 1, p50Ms: 500, p95Ms: 700 }),
        createdAt: now() - 60_000,
      }),
    )
    .execute();
  const appointmentId = newId('apt');
  await db
    .insertInto('appointments')
    .values({
      id: appointmentId,
      accountId,
      businessId: ids.businessId ?? '',
      callId,
      service: 'Cut',
      startsAt: now() + 3_600_000,
      endsAt: now() + 7_200_000,
      name: 'Eve',
      phone: '+12025550111',
      phoneProved: 0,
      notes: null,
      status: 'booked',
      resource: null,
      sequence: 0,
      history: '[]',
      reference: null,
      eraseAfter: null,
      createdAt: now(),
    })
    .execute();
  return { callId, appointmentId, ...(await webhookRows(api, accountId)) };
}

async function webhookRows(api: TestApi, accountId: string): Promise<World> {
  const { db, now } = api.context;
  const webhookId = newId('whk');
  await db
    .insertInto('webhooks')
    .values({
      id: webhookId,
      accountId,
      // Nothing listens on port 1: a delivery fails at once.
      url: 'https://127.0.0.1:1/hook',
      events: '["call.ended"]',
      isActive: 1,
      secretDigest: Buffer.alloc(32, 7).toString('base64'),
      lastTriggeredAt: now(),
      failureCount: 1,
      failingSince: now(),
      disabledReason: null,
      createdAt: now(),
      deletedAt: null,
    })
    .execute();
  const deliveryId = newId('dlv');
  await db
    .insertInto('webhookDeliveries')
    .values({
      id: deliveryId,
      accountId,
      webhookId,
      eventId: newId('evt'),
      eventType: 'call.ended',
      url: 'https://127.0.0.1:1/hook',
      attempt: 1,
      success: 0,
      statusCode: null,
      requestBody: '{}',
      responseBody: null,
      error: 'refused',
      durationMs: 3,
      isReplay: 0,
      isTest: 0,
      createdAt: now(),
      nextRetryAt: null,
    })
    .execute();
  return { webhookId, deliveryId };
}

/** Fills `{name}` in text and in the strings of a body. */
export function fill<T>(value: T, world: World): T {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (whole, name) => world[name] ?? whole) as T;
  if (Array.isArray(value)) return value.map((item) => fill(item, world)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, world)])) as T;
}

/** A suite that was run, one that waits to be, and one to delete. */
async function tests(api: TestApi, tenant: Tenant, of: { agentId: string; businessId: string }): Promise<World> {
  const suite = async (name: string) => (await made(tenant.ask('POST', '/test-suites', { name, ...of }))).id;
  const definition = { turns: [{ say: 'When do you open?' }] };
  const added = async (suiteId: string, name: string) =>
    (await made(tenant.ask('POST', `/test-suites/${suiteId}/cases`, { name, definition }))).id;
  const [suiteId, readySuiteId, spareSuiteId] = [await suite('Run'), await suite('Ready'), await suite('Spare')];
  const [caseId, spareCaseId] = [await added(suiteId, 'Hours'), await added(suiteId, 'Opening')];
  await added(readySuiteId, 'Hours');
  const testRunId = (await made(tenant.ask('POST', `/test-suites/${suiteId}/runs`))).id;
  const [result] = (await tenant.ask('GET', `/test-runs/${testRunId}/results`)).json.data;
  const testResultId = result?.id ?? '';
  const recording = { resultId: testResultId, accountId: tenant.accountId, runId: testRunId, createdAt: api.clock.now };
  await keepRecording(api.context.db, { ...recording, bytes: 4, audio: Buffer.from('none') });
  return { suiteId, readySuiteId, spareSuiteId, caseId, spareCaseId, testRunId, testResultId };
}
