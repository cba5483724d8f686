// Idempotency keys: claimed before the side effect, answered after it, and kept for 24 hours across restarts.
import type { IdempotencyKeyTable } from '../../schema/processes.ts';
import type { Db } from '../../schema.ts';

export function findIdempotencyKey(db: Db, accountId: string, key: string): Promise<IdempotencyKeyTable | undefined> {
  return db
    .selectFrom('idempotencyKeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Writes the key as running; replaces an expired or abandoned one. */
export async function claimIdempotencyKey(
  db: Db,
  claim: Omit<IdempotencyKeyTable, 'statusCode' | 'response'>,
): Promise<void> {
  const { accountId: _account, key: _key, ...values } = { ...claim, statusCode: null, response: null };
  await db
    .insertInto('idempotencyKeys')
    .values({ ...claim, statusCode: null, response: null })
    .onConflict((conflict) => conflict.columns(['accountId', 'key']).doUpdateSet(values))
    .execute();
}

/**
 * Stores the answer of the owner's run; in the side effect's transaction, both become durable together. `stored`: what
 * was stored with the effect, and is written anew as it is sent. If it is another by then, something was erased from
 * it, and stays so.
 */
export async function answerIdempotencyKey(
  db: Db,
  accountId: string,
  claim: { key: string; owner: string; stored: string | null },
  answer: { statusCode: number; response: string },
): Promise<void> {
  await db
    .updateTable('idempotencyKeys')
    .set(answer)
    .where('accountId', '=', accountId)
    .where('key', '=', claim.key)
    .where('owner', '=', claim.owner)
    .where((eb) => eb.or([eb('statusCode', 'is', null), eb('response', '=', claim.stored)]))
    .execute();
}

/** Frees a key whose request failed, so that it can be retried. */
export async function freeIdempotencyKey(
  db: Db,
  accountId: string,
  claim: { key: string; owner: string },
): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('accountId', '=', accountId)
    .where('key', '=', claim.key)
    .where('owner', '=', claim.owner)
    .where('statusCode', 'is', null)
    .execute();
}
