// How many turns of callers failed within the last hour: counted as they end, so that a dead model shows while its
// calls still run.

import { MINUTE_MS } from '../../../domain/hours/durations.ts';
import type { TurnMinuteTable } from '../../../schema/calls.ts';
import type { Db } from '../../../schema.ts';
import { compiledStatement } from '../../../statements/compiled-statement.ts';

export interface TurnsOfHour {
  /** Turns of callers that ended. */
  turns: number;
  /** Of these, those in which the agent failed, whoever answered them. */
  failed: number;
  /** Of these, those that the recogniser did not hear; the others the dialogue model did not answer. */
  unheard: number;
}

const KEPT_MINUTES = 60;

const minuteSinceEpoch = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** A turn of a caller has ended. */
export async function countTurn(
  db: Db,
  {
    accountId,
    isFailed,
    isUnheard = false,
    nowMs,
  }: { accountId: string; isFailed: boolean; isUnheard?: boolean; nowMs: number },
): Promise<void> {
  const minute = minuteSinceEpoch(nowMs);
  const [counted] = await addTurn(db, { accountId, minute, failed: Number(isFailed), unheard: Number(isUnheard) });
  // The first turn of a minute removes what is too old.
  if (counted?.turns === 1) await deleteTurns(db, { upTo: minute - KEPT_MINUTES });
}

const addTurn = compiledStatement((db, turn: Omit<TurnMinuteTable, 'turns'>) =>
  db
    .insertInto('turnMinutes')
    .values({ accountId: turn.accountId, minute: turn.minute, turns: 1, failed: turn.failed, unheard: turn.unheard })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'minute']).doUpdateSet((eb) => ({
        turns: eb('turnMinutes.turns', '+', 1),
        failed: eb('turnMinutes.failed', '+', eb.ref('excluded.failed')),
        unheard: eb('turnMinutes.unheard', '+', eb.ref('excluded.unheard')),
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
    .select(({ fn }) => [
      fn.sum<number | null>('turns').as('turns'),
      fn.sum<number | null>('failed').as('failed'),
      fn.sum<number | null>('unheard').as('unheard'),
    ])
    .where('minute', '>', minute - KEPT_MINUTES)
    .where('minute', '<=', minute);
  if (accountId !== null) query = query.where('accountId', '=', accountId);
  const { turns, failed, unheard } = await query.executeTakeFirstOrThrow();
  return { turns: Number(turns ?? 0), failed: Number(failed ?? 0), unheard: Number(unheard ?? 0) };
}
