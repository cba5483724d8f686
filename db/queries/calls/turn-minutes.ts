// How many turns of callers failed within the last hour: counted as they end, so that a dead model shows while its
// calls still run.
import type { Db } from '../../schema.ts';

export interface TurnsOfHour {
  /** Turns of callers that ended. */
  turns: number;
  /** Of these, those in which the model failed, whoever answered them. */
  failed: number;
}

const MINUTE_MS = 60_000;
const KEPT_MINUTES = 60;

const minuteSinceEpoch = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** A turn of a caller has ended. */
export async function countTurn(
  db: Db,
  { accountId, isFailed, nowMs }: { accountId: string; isFailed: boolean; nowMs: number },
): Promise<void> {
  const failed = isFailed ? 1 : 0;
  const minute = minuteSinceEpoch(nowMs);
  await db
    .insertInto('turnMinutes')
    .values({ accountId, minute, turns: 1, failed })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'minute']).doUpdateSet((eb) => ({
        turns: eb('turnMinutes.turns', '+', 1),
        failed: eb('turnMinutes.failed', '+', failed),
      })),
    )
    .execute();
  await db
    .deleteFrom('turnMinutes')
    .where('minute', '<=', minute - KEPT_MINUTES)
    .execute();
}

/** `accountId`: null for all accounts together. */
export async function turnsOfHour(db: Db, accountId: string | null, nowMs: number): Promise<TurnsOfHour> {
  const minute = minuteSinceEpoch(nowMs);
  let query = db
    .selectFrom('turnMinutes')
    .select((eb) => [eb.fn.sum<number | null>('turns').as('turns'), eb.fn.sum<number | null>('failed').as('failed')])
    .where('minute', '>', minute - KEPT_MINUTES)
    .where('minute', '<=', minute);
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  const { turns, failed } = await query.executeTakeFirstOrThrow();
  return { turns: Number(turns ?? 0), failed: Number(failed ?? 0) };
}
