// Erasure of ended calls: only ids, times, duration, status and the counted categories of a call remain. Its log, its
// kept answers and its appointments are erased by db/queries/erasure.

import type { Db } from '../../../schema.ts';
import { scrubPages } from '../../../upkeep.ts';
import { ANSWERS_KEPT_MS, eraseCallAnswers } from '../../erasure/answers.ts';
import { eraseAppointments } from '../../erasure/appointments.ts';
import { eraseLog } from '../../erasure/log.ts';
import { forgetKeptCalls } from '../../test-runs/clips.ts';
import { deleteViews } from '../running/live-views.ts';

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
  const { callIds, nowMs } = args;
  // PostgreSQL has no empty list.
  if (callIds.length === 0) return [];
  const numbers = await numbersOfPeople(trx, accountId, callIds);
  const erased = await blankCalls(trx, accountId, callIds, nowMs);
  const ids = erased.map(({ id }) => id);
  if (ids.length === 0) return [];
  await deleteRowsOf(trx, accountId, ids, nowMs);
  const attempts = await trx
    .updateTable('dialAttempts')
    .set({ toNumber: '', contactId: null })
    .where('callId', 'in', ids)
    .returning('id')
    .execute();
  await eraseRefusals(trx, accountId, numbers);
  await eraseReadings(trx, accountId, numbers);
  const appointmentIds = await eraseAppointments(trx, 'callId', ids, nowMs);
  await eraseLog(trx, [...ids, ...appointmentIds]);
  const recent = erased.filter(({ createdAt }) => createdAt > nowMs - ANSWERS_KEPT_MS);
  await eraseCallAnswers(trx, accountId, new Set(recent.map(({ id }) => id)));
  await scrubPages(trx, 'calls', ids);
  await scrubPages(
    trx,
    'dialAttempts',
    attempts.map(({ id }) => id),
  );
  return erased;
}

/** Of the other sides of these calls, but for browsers. */
async function numbersOfPeople(trx: Db, accountId: string, callIds: readonly string[]): Promise<string[]> {
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
    .where('id', 'in', callIds)
    .where('accountId', '=', accountId)
    .where('medium', '=', 'sip')
    .where('endedAt', 'is not', null)
    .execute();
  return [...new Set(people.map(({ number }) => number))].filter((number) => number !== '' && number !== 'anonymous');
}

/** The rows of those that have ended and were not erased before. */
function blankCalls(
  trx: Db,
  accountId: string,
  callIds: readonly string[],
  nowMs: number,
): Promise<Array<ErasedCall & { createdAt: number }>> {
  return trx
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
      erasedAt: nowMs,
    }))
    .where('id', 'in', callIds)
    .where('accountId', '=', accountId)
    .where('endedAt', 'is not', null)
    .where('erasedAt', 'is', null)
    .returning(['id', 'businessId', 'createdAt'])
    .execute();
}

/** Rows that say more of a call, or would do something for its person. */
async function deleteRowsOf(trx: Db, accountId: string, ids: readonly string[], nowMs: number): Promise<void> {
  await trx.deleteFrom('callTimelines').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callProblems').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callOutputs').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callFeed').where('callId', 'in', ids).execute();
  await deleteViews(trx, ids);
  await forgetKeptCalls(trx, ids, nowMs);
  await trx.deleteFrom('callContinuations').where('callId', 'in', ids).execute();
  await trx.deleteFrom('callDialogs').where('callId', 'in', ids).execute();
  await trx.deleteFrom('engineRequests').where('callId', 'in', ids).execute();
  // Nobody who was erased is called back.
  await trx.deleteFrom('scheduledCalls').where('accountId', '=', accountId).where('inCallId', 'in', ids).execute();
}

/**
 * Removes the person's number from refused calls to this account's numbers; the entries stay. Refused calls to other
 * accounts belong to them and may be their evidence.
 */
async function eraseRefusals(trx: Db, accountId: string, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  const ids: string[] = [];
  for (const [column, other] of [
    ['callerNumber', 'calledNumber'],
    ['calledNumber', 'callerNumber'],
  ] as const) {
    const rows = await trx
      .updateTable('refusedCalls')
      .set({ [column]: '' })
      .where(column, 'in', numbers)
      .where(other, 'in', (eb) =>
        eb.selectFrom('phoneNumbers').select('phoneNumber').where('accountId', '=', accountId),
      )
      .returning('id')
      .execute();
    ids.push(...rows.map(({ id }) => id));
  }
  await scrubPages(trx, 'refusedCalls', [...new Set(ids)]);
}

/** The same in the list of how a trunk's INVITEs were read, where the number stands as it came, too. */
async function eraseReadings(trx: Db, accountId: string, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  const rows = await trx
    .updateTable('readInvites')
    .set({ callerReceived: '', callerNumber: '' })
    .where('callerNumber', 'in', numbers)
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
