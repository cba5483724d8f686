// Erases calls older than their account's retention: every night in the account's zone, oldest first, a few in each
// transaction with pauses in between, so that neither calls nor requests wait for it.

import { DateTime } from 'luxon';
import { HOUR_MS } from '../../../db/domain/hours/durations.ts';
import { eraseCalls } from '../../../db/queries/calls/ended/erasure.ts';
import {
  callsToErase,
  keepSweep,
  listSweeps,
  oldestRunningCall,
  type Sweep,
} from '../../../db/queries/calls/ended/sweeps.ts';
import { eraseOldConversations } from '../../../db/queries/conversations/erasure.ts';
import { erasePastAppointments } from '../../../db/queries/erasure/appointments.ts';
import type { Db } from '../../../db/schema.ts';
import type { Files } from '../../../db/shared/files/files.ts';
import { checkpoint } from '../../../db/upkeep.ts';
import { audit } from '../../audit/business-log.ts';
import { cutLog, removeElsewhere, removeRecording, removeStored } from './erase.ts';

/** Calls in one transaction: about 8 ms, the longest acceptable wait of the engine's writer. */
const BATCH_CALLS = 20;
/** The work takes at most a fifth of a core. */
const REST_FACTOR = 4;
const CHECKPOINT_EVERY_BATCHES = 25;
const LOG_WAIT_MS = 60_000;

const NIGHT_HOURS = { from: 2, to: 5 };
/** After this time the sweep also runs by day: the machine was off at night. */
const OVERDUE_MS = 36 * HOUR_MS;
/** One sweep a night. */
const AGAIN_AFTER_MS = 12 * HOUR_MS;

interface SweepOptions {
  recordingsDir: string;
  files: Files;
  secretKey: Buffer;
  nowMs: number;
  /** The time of a question to an engine. */
  now(): number;
  /** Waits between two transactions, given how long the first took. */
  rest(tookMs: number): Promise<unknown>;
  /** Ends the sweep after the current batch. */
  isStopped(): boolean;
}

/** A pause that leaves the machine to others. */
export const restAfter = (tookMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, tookMs * REST_FACTOR));

/** Whether any account's sweep is due. */
export async function isSweepDue(db: Db, nowMs: number): Promise<boolean> {
  return (await sweepsAt(db, nowMs)).some((sweep) => isDue(sweep, nowMs));
}

/** Times ahead of now are of a clock that was wrong: to hold by them would leave calls unswept until then. */
const sweepsAt = async (db: Db, nowMs: number): Promise<Sweep[]> =>
  (await listSweeps(db)).map((sweep) => ({
    ...sweep,
    sweptAt: sweep.sweptAt > nowMs ? 0 : sweep.sweptAt,
    erasedUntil: sweep.erasedUntil > nowMs ? 0 : sweep.erasedUntil,
  }));

function isDue({ timezone, sweptAt }: Sweep, nowMs: number): boolean {
  const ageMs = nowMs - sweptAt;
  if (ageMs >= OVERDUE_MS && sweptAt > 0) return true;
  const { hour } = DateTime.fromMillis(nowMs, { zone: timezone });
  return ageMs >= AGAIN_AFTER_MS && hour >= NIGHT_HOURS.from && hour < NIGHT_HOURS.to;
}

/**
 * Sweeps the due accounts; returns the number of erased calls.
 * @throws {FilesError} if recordings could not be deleted
 */
export async function sweepCalls(db: Db, options: SweepOptions): Promise<number> {
  let total = 0;
  let isAnyErased = false;
  let firstFailure: unknown = null;
  for (const sweep of await sweepsAt(db, options.nowMs)) {
    if (options.isStopped() || !isDue(sweep, options.nowMs)) continue;
    const { erased, others, failure } = await sweepAccount(db, sweep, options);
    total += erased;
    isAnyErased ||= erased + others > 0;
    firstFailure ??= failure;
  }
  if (isAnyErased) await cutLog(db, LOG_WAIT_MS);
  if (firstFailure !== null) throw firstFailure;
  return total;
}

/**
 * Conversations in which nobody has written since, and appointments made by hand that were over before, a few in each
 * transaction; returns their number.
 */
async function sweepOthers(
  db: Db,
  accountId: string,
  times: { beforeMs: number; nowMs: number },
  { isStopped, rest }: Pick<SweepOptions, 'isStopped' | 'rest'>,
): Promise<number> {
  let total = 0;
  for (const erase of [eraseOldConversations, erasePastAppointments])
    for (let erased = BATCH_CALLS; erased === BATCH_CALLS && !isStopped(); total += erased) {
      const startedMs = performance.now();
      const wish = { ...times, limit: BATCH_CALLS };
      erased = await db.transaction().execute((trx) => erase(trx, accountId, wish));
      if (erased === BATCH_CALLS) await rest(performance.now() - startedMs);
    }
  return total;
}

async function sweepAccount(
  db: Db,
  { accountId, ...sweep }: Sweep,
  options: SweepOptions,
): Promise<{ erased: number; others: number; failure: unknown }> {
  const { nowMs, isStopped, rest } = options;
  const beforeMs = DateTime.fromMillis(nowMs, { zone: sweep.timezone }).minus({ days: sweep.retentionDays }).toMillis();
  const byBusiness = new Map<string, number>();
  let fromMs = sweep.erasedUntil;
  let isDone = false;
  let failure: unknown = null;
  for (let batch = 1; !isDone && failure === null && !isStopped(); batch++) {
    const startedMs = performance.now();
    const due = await callsToErase(db, accountId, { fromMs, beforeMs, limit: BATCH_CALLS });
    const removals = await Promise.allSettled(
      due.map(async (call) => {
        await removeStored(options.files, call);
        await removeElsewhere({ ...options, db }, call);
      }),
    );
    const ready = due.filter((_, index) => removals[index]?.status === 'fulfilled');
    const stuck = removals.findIndex(({ status }) => status === 'rejected');
    if (stuck >= 0) failure = (removals[stuck] as PromiseRejectedResult).reason;
    isDone = due.length < BATCH_CALLS && stuck < 0;
    for (const { id } of ready) await removeRecording(options.recordingsDir, { id, recordingPath: null });
    fromMs = isDone
      ? Math.min(beforeMs, (await oldestRunningCall(db, accountId)) ?? beforeMs)
      : // A call whose recording could not be deleted is the first of the next sweep.
        (due.at(stuck)?.startedAt ?? fromMs);
    await db.transaction().execute(async (trx) => {
      const erased = await eraseCalls(trx, accountId, { callIds: ready.map(({ id }) => id), nowMs });
      for (const { businessId } of erased) byBusiness.set(businessId, (byBusiness.get(businessId) ?? 0) + 1);
      await keepSweep(trx, accountId, { erasedUntil: fromMs });
    });
    if (batch % CHECKPOINT_EVERY_BATCHES === 0) await checkpoint(db);
    if (!isDone) await rest(performance.now() - startedMs);
  }
  const others = await sweepOthers(db, accountId, { beforeMs, nowMs }, options);
  const actor = { accountId, userId: 'retention' };
  await db.transaction().execute(async (trx) => {
    for (const [businessId, calls] of byBusiness) {
      await audit(trx, actor, businessId, 'calls-erased', { calls: { from: calls, to: 0 } }, nowMs);
    }
    if (isDone) await keepSweep(trx, accountId, { sweptAt: nowMs });
  });
  return { erased: [...byBusiness.values()].reduce((sum, calls) => sum + calls, 0), others, failure };
}
