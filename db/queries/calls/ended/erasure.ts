// Erasure of ended calls: only ids, times, duration, status and the counted categories of a call remain. Texts in logs
// are replaced by texts of the same length, so that SQLite writes them in the same place.

import type { Db } from '../../../schema.ts';
import { scrubPages } from '../../../upkeep.ts';
import { forgetKeptCalls } from '../../test-runs/clips.ts';
import { deleteViews } from '../running/live-views.ts';

/** Answers to idempotent requests are kept for a day. */
export const ANSWERS_KEPT_MS = 25 * 3_600_000;

const ANALYSIS_BLANKS: Record<string, unknown> = { data: {}, reasons: {}, disposition: null };
const CALL_BLANKS = {
  analysis: null,
  disposition: null,
  fromNumber: '',
  toNumber: '',
  forwardedFrom: null,
  callerName: null,
  summary: null,
  tags: [],
  transcript: [],
  variables: {},
  metadata: {},
};
const CONTACT_BLANKS = { phoneNumber: '', name: null, email: null, variables: {}, metadata: {} };
const MESSAGE_BLANKS = { text: '', from: null, to: null };
const APPOINTMENT_BLANKS = { name: null, phone: null, notes: null };

interface ErasedCall {
  id: string;
  businessId: string;
}

/**
 * Erases ended calls of one account and returns the newly erased ones. The caller must remove the recordings' files.
 * Call it in a transaction.
 */
export async function eraseCalls(
  trx: Db,
  accountId: string,
  args: { callIds: readonly string[]; nowMs: number },
): Promise<ErasedCall[]> {
  // PostgreSQL has no empty list.
  if (args.callIds.length === 0) return [];
  const people = await trx
    .selectFrom('calls')
    .select((eb) =>
      eb
        .case()
        .when('direction', '=', 'inbound')
        .then(eb.ref('fromNumber'))
        .else(eb.ref('toNumber'))
        .end()
        .as('number'),
    )
    .where('id', 'in', args.callIds)
    .where('accountId', '=', accountId)
    .where('medium', '=', 'sip')
    .where('endedAt', 'is not', null)
    .execute();
  const erased = await trx
    .updateTable('calls')
    .set((eb) => ({
      fromNumber: eb.case().when('medium', '=', 'web').then(eb.ref('fromNumber')).else('').end(),
      toNumber: '',
      forwardedFrom: null,
      callerName: null,
      contactId: null,
      variables: '{}',
      metadata: '{}',
      summary: null,
      tags: '[]',
      transcript: '[]',
      analysis: null,
      disposition: null,
      recordingPath: null,
      recordingFormat: null,
      recordingState: null,
      recordingKey: null,
      recordingBytes: null,
      erasedAt: args.nowMs,
    }))
    .where('id', 'in', args.callIds)
    .where('accountId', '=', accountId)
    .where('endedAt', 'is not', null)
    .where('erasedAt', 'is', null)
    .returning(['id', 'businessId', 'createdAt'])
    .execute();
  const ids = erased.map(({ id }) => id);
  if (ids.length === 0) return [];
  await trx.deleteFrom('callTimelines').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callProblems').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callOutputs').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callFeed').where('callId', 'in', ids).execute();
  await deleteViews(trx, ids);
  await forgetKeptCalls(trx, ids, args.nowMs);
  await trx.deleteFrom('callContinuations').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callDialogs').where('callId', 'in', ids).execute();
  await trx.deleteFrom('engineRequests').where('callId', 'in', ids).execute();
  // Nobody who was erased is called back.
  await trx.deleteFrom('scheduledCalls').where('accountId', '=', accountId).where('inCallId', 'in', ids).execute();
  const attempts = await trx
    .updateTable('dialAttempts')
    .set({ toNumber: '', contactId: null })
    .where('callId', 'in', ids)
    .returning('id')
    .execute();
  const numbers = people.map(({ number }) => number);
  await eraseRefusals(trx, accountId, numbers);
  await eraseReadings(trx, accountId, numbers);
  const appointmentIds = await eraseAppointments(trx, 'callId', ids, args.nowMs);
  await eraseLog(trx, [...ids, ...appointmentIds]);
  const recent = erased.filter(({ createdAt }) => createdAt > args.nowMs - ANSWERS_KEPT_MS);
  const recentIds = new Set(recent.map(({ id }) => id));
  if (recentIds.size > 0)
    await eraseAnswers(trx, accountId, {
      path: '%/calls%',
      isPersonal: (response) => namesAny(response, recentIds),
      blank: blanksOf,
    });
  await scrubPages(trx, 'calls', ids);
  await scrubPages(
    trx,
    'dialAttempts',
    attempts.map(({ id }) => id),
  );
  return erased;
}

/**
 * Removes the person's number from refused calls to this account's numbers; the entries stay. Refused calls to other
 * accounts belong to them and may be their evidence.
 */
async function eraseRefusals(trx: Db, accountId: string, numbers: readonly string[]): Promise<void> {
  const own = namingOf(numbers);
  if (own.length === 0) return;
  const ids: string[] = [];
  for (const [column, other] of [
    ['callerNumber', 'calledNumber'],
    ['calledNumber', 'callerNumber'],
  ] as const) {
    const rows = await trx
      .updateTable('refusedCalls')
      .set({ [column]: '' })
      .where(column, 'in', own)
      .where(other, 'in', (eb) =>
        eb.selectFrom('phoneNumbers').select('phoneNumber').where('accountId', '=', accountId),
      )
      .returning('id')
      .execute();
    ids.push(...rows.map(({ id }) => id));
  }
  await scrubPages(trx, 'refusedCalls', [...new Set(ids)]);
}

const namingOf = (numbers: readonly string[]): string[] =>
  [...new Set(numbers)].filter((number) => number !== '' && number !== 'anonymous');

/** The same in the list of how a trunk's INVITEs were read, where the number stands as it came, too. */
async function eraseReadings(trx: Db, accountId: string, numbers: readonly string[]): Promise<void> {
  const own = namingOf(numbers);
  if (own.length === 0) return;
  const rows = await trx
    .updateTable('readInvites')
    .set({ callerReceived: '', callerNumber: '' })
    .where('callerNumber', 'in', own)
    .where('calledNumber', 'in', (eb) =>
      eb.selectFrom('phoneNumbers').select('phoneNumber').where('accountId', '=', accountId),
    )
    .returning('id')
    .execute();
  await scrubPages(
    trx,
    'readInvites',
    rows.map(({ id }) => id),
  );
}

/** A future appointment keeps its names until it is over: the business expects that person. Returns the ids of all. */
export async function eraseAppointments(
  trx: Db,
  of: 'callId' | 'conversationId',
  ids: readonly string[],
  nowMs: number,
): Promise<string[]> {
  const rows = await trx.selectFrom('appointments').select(['id', 'endsAt', 'status']).where(of, 'in', ids).execute();
  const isAhead = (row: (typeof rows)[number]) => row.status === 'booked' && row.endsAt > nowMs;
  for (const row of rows.filter(isAhead)) {
    await trx.updateTable('appointments').set({ eraseAfter: row.endsAt }).where('id', '=', row.id).execute();
  }
  await blankAppointments(
    trx,
    rows.filter((row) => !isAhead(row)).map(({ id }) => id),
  );
  return rows.map(({ id }) => id);
}

async function blankAppointments(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('appointments')
    .set({ ...APPOINTMENT_BLANKS, eraseAfter: null })
    .where('id', 'in', ids)
    .execute();
  await scrubPages(trx, 'appointments', ids);
}

/**
 * Erases past or cancelled appointments of erased calls, and what was told of them since; returns their number. Call it
 * in a transaction.
 */
export async function eraseOldAppointments(trx: Db, nowMs: number, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('appointments')
    .select('id')
    .where('eraseAfter', 'is not', null)
    // One that was moved since is over at another time.
    .where((eb) => eb.or([eb('endsAt', '<', nowMs), eb('status', '=', 'cancelled')]))
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  await blankAppointments(trx, ids);
  await eraseLog(trx, ids);
  return ids.length;
}

/** Erases a deleted contact from the events of its opt-out, from their deliveries, and from the kept answers. */
export async function eraseContactLog(trx: Db, accountId: string, contactId: string): Promise<void> {
  await eraseLog(trx, [contactId]);
  await eraseAnswers(trx, accountId, {
    path: '%/contacts',
    isPersonal: (response) => response.includes(`"id":"${contactId}"`),
    blank: (value) => (value.id === contactId ? { phoneNumber: '' } : {}),
  });
}

/** Erases what was written in these conversations from the kept answers. */
export async function eraseWrittenAnswers(trx: Db, accountId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await eraseAnswers(trx, accountId, {
    path: '%/conversations/%',
    isPersonal: (response) => ids.some((id) => response.includes(`"conversationId":"${id}"`)),
    blank: blanksOf,
  });
}

/** Erases the events of the resources and the log of their deliveries. */
export async function eraseLog(trx: Db, subjectIds: readonly string[]): Promise<void> {
  if (subjectIds.length === 0) return;
  const events = await trx
    .selectFrom('events')
    .select(['seq', 'id', 'data'])
    .where('subjectId', 'in', subjectIds)
    .execute();
  for (const { seq, data } of events) {
    await trx
      .updateTable('events')
      .set({ data: blanked(data) })
      .where('seq', '=', seq)
      .execute();
  }
  if (events.length === 0) return;
  const deliveries = await trx
    .selectFrom('webhookDeliveries')
    .select(['id', 'requestBody', 'responseBody'])
    .where(
      'eventId',
      'in',
      events.map(({ id }) => id),
    )
    .execute();
  for (const { id, requestBody, responseBody } of deliveries) {
    await trx
      .updateTable('webhookDeliveries')
      .set(blankDelivery({ requestBody, responseBody }))
      .where('id', '=', id)
      .execute();
  }
}

/** The log entry of an attempt after the erasure of its call. */
export function blankDelivery<T extends { requestBody: string; responseBody: string | null }>(
  entry: T,
): { requestBody: string; responseBody: null } {
  const bytes = Buffer.byteLength(entry.requestBody) + Buffer.byteLength(entry.responseBody ?? '');
  return { requestBody: padded(blanked(entry.requestBody), bytes), responseBody: null };
}

/** Which kept answers name the person, and what takes the place of their members. */
interface PersonalAnswers {
  path: string;
  isPersonal: (response: string) => boolean;
  blank: Blanks;
}

async function eraseAnswers(trx: Db, accountId: string, { path, isPersonal, blank }: PersonalAnswers): Promise<void> {
  const rows = await trx
    .selectFrom('idempotencyKeys')
    .select(['key', 'response'])
    .where('accountId', '=', accountId)
    .where('path', 'like', path)
    .where('response', 'is not', null)
    .execute();
  for (const { key, response } of rows) {
    if (response === null || !isPersonal(response)) continue;
    await trx
      .updateTable('idempotencyKeys')
      .set({ response: blanked(response, blank) })
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .execute();
  }
}

const namesAny = (text: string, ids: ReadonlySet<string>): boolean =>
  [...text.matchAll(/"id":"(call_\w+)"/g)].some(([, id = '']) => ids.has(id));

type Blanks = (value: Record<string, unknown>) => Readonly<Record<string, unknown>>;

/** JSON without personal data, by default that of calls and appointments, of the same length in bytes. */
function blanked(text: string, blank: Blanks = blanksOf): string {
  let value: unknown = {};
  try {
    value = blankedValue(JSON.parse(text), blank);
  } catch {
    // Not JSON: all of it is erased.
  }
  return padded(JSON.stringify(value), Buffer.byteLength(text));
}

/** White space after JSON means nothing. */
const padded = (json: string, bytes: number): string => json + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(json)));

function blankedValue(value: unknown, blank: Blanks): unknown {
  if (Array.isArray(value)) return value.map((item) => blankedValue(item, blank));
  if (value === null || typeof value !== 'object') return value;
  const blanks = blank(value as Record<string, unknown>);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name in blanks ? blanks[name] : blankedValue(item, blank)]),
  );
}

function blanksOf(value: Record<string, unknown>): Readonly<Record<string, unknown>> {
  if ('transcript' in value) return CALL_BLANKS;
  if ('conversationId' in value && 'segments' in value) return MESSAGE_BLANKS;
  if ('startsAt' in value) return APPOINTMENT_BLANKS;
  if ('attempts' in value && 'nextAttemptAt' in value) return CONTACT_BLANKS;
  return 'analysedAt' in value ? ANALYSIS_BLANKS : {};
}
