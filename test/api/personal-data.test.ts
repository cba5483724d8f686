// Where people are: every column is registered, and after an erasure nobody is found in any file or in the output.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dropLeftovers } from '../../api/upkeep/leftovers.ts';
import { startApi, type TestApi } from '../../bench/rig/api/api.ts';
import { fileOnly } from '../../bench/rig/database/postgres.ts';
import { addEvent } from '../../db/outbox.ts';
import { saveProblem } from '../../db/queries/calls/ended/problems.ts';
import { conversationWith, setOptOut, updateConversation } from '../../db/queries/conversations/conversations.ts';
import { addMessage, updateMessage } from '../../db/queries/conversations/messages.ts';
import { storeAnalysis } from '../../db/queries/results/analysis.ts';
import { insertClips } from '../../db/queries/test-runs/clips.ts';
import { addReadInvites } from '../../db/queries/trunks/read-invites.ts';
import { contactResource } from '../../db/records/resources.ts';
import { PERSONAL_DATA, type StoredTable } from '../../db/schema/personal-data.ts';
import { newId } from '../../db/shared/id.ts';
import { openRaw } from '../../db/sqlite/open.ts';
import { CALLEE, lifeOfCall, PERSONAL } from '../support/api/life-of-call.ts';
import { recordedResult } from '../support/api/recorded-result.ts';
import { type Setup, setUpCampaign } from '../support/api/resources.ts';
import { leftovers } from '../support/leftovers.ts';

let api: TestApi;
let set: Setup;
let raw: ReturnType<typeof openRaw> | null = null;
before(async () => {
  api = await startApi();
  set = await setUpCampaign(api, api.tenant);
});
after(() => {
  raw?.close();
  return api.close();
});

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function query<T>(sql: string): T[] {
  raw ??= openRaw(api.context.config.database, { readonly: true });
  return raw.prepare(sql).pluck().all() as T[];
}

test('each column of each table is registered once, as one that may name a person or as one that does not', {
  skip: fileOnly,
}, () => {
  const tables = query<string>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'
       and name not like 'passage_words%' and name not like 'name_grams%'`,
  ).map(camel);
  const registered = Object.entries(PERSONAL_DATA).flatMap(([table, { personal, others }]) =>
    [...Object.keys(personal), ...others.split(' ')].map((column) => `${table}.${column}`),
  );
  const columns = tables.flatMap((table) =>
    query<string>(`select name from pragma_table_info('${snake(table)}')`).map((column) => `${table}.${camel(column)}`),
  );
  assert.deepEqual(registered.toSorted(), columns.toSorted());
});

/** Somebody who was called as a contact, opted out, booked, and whose call was refused once. */
async function lifeOfPerson(): Promise<{ callId: string; contactPath: string }> {
  const { db } = api.context;
  const { accountId } = api.tenant;
  const contact = {
    phoneNumber: CALLEE,
    name: 'Zenobia King',
    email: 'Zenobia@example.com',
    variables: { crm: 'secret-crm' },
    metadata: { crm: 'secret-crm' },
  };
  const path = `/campaigns/${set.campaign.id}/contacts` as const;
  const added = (await api.tenant.ask('POST', path, { contacts: [contact] })).json.data;
  const contactId = added.contacts[0]?.id ?? '';
  const callId = await lifeOfCall(api, set, { contactId });
  const row = await db.selectFrom('contacts').selectAll().where('id', '=', contactId).executeTakeFirstOrThrow();
  const nowMs = api.clock.now;
  const data = contactResource(row);
  await addEvent(db, { accountId, type: 'contact.opted_out', subjectId: contactId, data, nowMs });
  const number = set.number.phoneNumber;
  const refusal = {
    sourceAddress: '192.0.2.7',
    trunkId: null,
    sipStatus: 480,
    reason: 'x',
    count: 1,
    createdAt: nowMs,
  };
  await db
    .insertInto('refusedCalls')
    .values([
      { ...refusal, id: newId('rfc'), callerNumber: CALLEE, calledNumber: number },
      { ...refusal, id: newId('rfc'), callerNumber: number, calledNumber: CALLEE },
    ])
    .execute();
  const read = { calledReceived: number, callerReceived: CALLEE, calledNumber: number, callerNumber: CALLEE };
  await addReadInvites(db, {
    rows: [{ ...read, id: newId('inv'), trunkId: 'trk_1', rule: 'plus', createdAt: nowMs }],
  });
  const text = JSON.stringify({ to: CALLEE, name: 'Zenobia' });
  await db.insertInto('callDialogs').values({ callId, leg: 'caller', dialog: text, updatedAt: nowMs }).execute();
  // Sealed: here as nobody writes it, to be found if it stays.
  await db.insertInto('callContinuations').values({ callId, engineId: 'e', sealed: text, writtenAt: nowMs }).execute();
  await db
    .insertInto('callTimelines')
    .values({ callId, accountId, data: text })
    .onConflict((conflict) => conflict.column('callId').doUpdateSet({ data: text }))
    .execute();
  await saveProblem(db, { callId, accountId, atMs: 10, kind: 'other', note: 'Zenobia said it', createdAt: nowMs });
  const times = { createdAt: nowMs, expiresAt: nowMs + 30_000, claimedAt: nowMs, claimedBy: 'e', doneAt: nowMs };
  await db
    .insertInto('engineRequests')
    .values({ id: newId('req'), accountId, kind: 'dial', callId, payload: text, result: text, ...times })
    .execute();
  await db
    .updateTable('calls')
    .set({ recordingKey: `recordings/${callId}.wav` })
    .where('id', '=', callId)
    .execute();
  const analysedAt = new Date(nowMs).toISOString();
  const found = { data: { who: 'Zenobia' }, reasons: {}, criteria: {}, by: 'model', analysedAt } as const;
  await storeAnalysis(db, {
    callId,
    accountId,
    analysis: found,
    score: null,
    disposition: 'Zenobia calls again',
    nowMs,
  });
  // Of a view that was renewed while the call ended.
  const words = JSON.stringify([{ speaker: 'caller', text: 'Zenobia', timestamp: 10 }]);
  await db.insertInto('liveViews').values({ callId, accountId, watchedUntil: nowMs, words }).execute();
  // Kept as a test: here as words, to be found if they stay.
  const kept = { caseId: newId('tcs'), suiteId: newId('tst'), accountId, callId, position: 0, sampleRateHz: 8_000 };
  await insertClips(db, [{ ...kept, audio: Buffer.from(text) }]);
  await recordedResult(db, { accountId, callId, caseId: kept.caseId, words: text });
  const response = JSON.stringify({ success: true, data: { id: callId, toNumber: CALLEE, transcript: [] } });
  const answer = {
    method: 'POST',
    path: '/api/v1/calls',
    bodyHash: 'x',
    statusCode: 201,
    owner: 'x',
    createdAt: nowMs,
  };
  await db
    .insertInto('idempotencyKeys')
    .values({ accountId, key: 'k', response, ...answer })
    .execute();
  const { id: campaignId, businessId, agentId } = set.campaign;
  const own = { id: null, phoneNumber: number, campaignId, agentId };
  const conversation = await conversationWith(db, { accountId, businessId, personNumber: CALLEE }, own, nowMs);
  await updateConversation(db, accountId, conversation.id, { sealed: text });
  const written = { author: 'person', text, sealed: text, segments: 1, status: 'received' } as const;
  const message = await addMessage(db, conversation, written, nowMs);
  await updateMessage(db, { id: message?.id ?? '', accountId }, { error: text });
  const told = { conversationId: conversation.id, segments: 1, text: 'Zenobia writes', from: CALLEE, to: number };
  await addEvent(db, { accountId, type: 'message.received', subjectId: message?.id ?? '', data: told, nowMs });
  await setOptOut(db, conversation, nowMs);
  await api.tenant.ask('POST', '/do-not-call', { phoneNumber: CALLEE, reason: 'Zenobia asked for it' });
  return { callId, contactPath: `${path}/${contactId}` };
}

/** Columns with an erasure of ours in which somebody of PERSONAL stands, or whose row belongs to the contact. */
function columnsWithPerson(): string[] {
  return Object.entries(PERSONAL_DATA).flatMap(([table, { personal }]) =>
    Object.keys(personal).flatMap((column) => {
      const values = query<string | null>(`select "${snake(column)}" from ${snake(table)}`);
      const isPerson = values.some(
        (value) => value !== null && (PERSONAL.some((word) => value.includes(word)) || /^cnt_|\.wav$/.test(value)),
      );
      return isPerson ? [`${table}.${column}`] : [];
    }),
  );
}

test('whoever was called, opted out and booked is found nowhere once call, contact and entry are erased', {
  skip: fileOnly,
}, async () => {
  const { callId, contactPath } = await lifeOfPerson();
  const OURS = ['call', 'appointment', 'contact', 'conversation', 'do-not-call'];
  const expected = (Object.keys(PERSONAL_DATA) as StoredTable[]).flatMap((table) =>
    Object.entries(PERSONAL_DATA[table].personal).flatMap(([column, by]) =>
      OURS.includes(by) ? [`${table}.${column}`] : [],
    ),
  );
  // Of an outbound call, it is the account's.
  const calledFrom = 'calls.fromNumber';
  const found = columnsWithPerson();
  assert.deepEqual(
    expected.filter((column) => column !== calledFrom && !found.includes(column)),
    [],
    'the life of the person leaves nothing in a column that is said to name people',
  );
  // A backup that was killed half way.
  const { dataDir } = api.context.config;
  mkdirSync(join(dataDir, '.backup-2JfOUl'));
  writeFileSync(join(dataDir, '.backup-2JfOUl', 'voice.db'), 'Zenobia');
  await api.tenant.ask('DELETE', `/do-not-call/${encodeURIComponent(CALLEE)}`);
  assert.equal((await api.tenant.ask('DELETE', contactPath)).status, 200);
  assert.equal((await api.tenant.ask('DELETE', `/calls/${callId}`)).status, 200);
  await dropLeftovers(dataDir, Date.now() + 25 * 3_600_000);
  assert.deepEqual(columnsWithPerson(), []);
  assert.deepEqual(leftovers(dataDir, PERSONAL), []);
  assert.deepEqual(
    PERSONAL.filter((word) => api.logs.join().includes(word)),
    [],
  );
});
