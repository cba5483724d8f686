// How many turns of callers failed within the last hour: counted as they end, so that a dead model shows while its
// calls still run.

import { MINUTE_MS } from '../../../domain/hours/durations.ts';
import type { Db } from '../../../schema.ts';
import { compiledStatement } from '../../../statements/compiled-statement.ts';

export interface TurnsOfHour {
  /** Turns of callers that ended. */
  turns: number;
  /** Of these, those in which the model failed, whoever answered them. */
  failed: number;
}

const KEPT_MINUTES = 60;

const minuteSinceEpoch = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** A turn of a caller has ended. */
export async function countTurn(
  db: Db,
  { accountId, isFailed, nowMs }: { accountId: string; isFailed: boolean; nowMs: number },
): Promise<void> {
  const minute = minuteSinceEpoch(nowMs);
  const [counted] = await addTurn(db, { accountId, minute, failed: isFailed ? 1 : 0 });
  // The first turn of a minute removes what is too old.
  if (counted?.turns === 1) await deleteTurns(db, { upTo: minute - KEPT_MINUTES });
}

const addTurn = compiledStatement((db, turn: { accountId: string; minute: number; failed: number }) =>
  db
    .insertInto('turnMinutes')
    .values({ accountId: turn.accountId, minute: turn.minute, turns: 1, failed: turn.failed })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'minute']).doUpdateSet((eb) => ({
        turns: eb('turnMinutes.turns', '+', 1),
        failed: eb('turnMinutes.failed', '+', eb.ref('excluded.failed')),
      })),
    )
    .returning('turns'),
);

const deleteTurns = compiledStatement((db, { upTo }: { upTo: number }) =>
  db.deleteFrom('turnMinutes').where('minute', '<=', upTo),
);

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
