// Deletes expired rows, a few at a time so that no writer waits long. All functions return the number of removed rows.
import type { Db } from '../schema.ts';

export async function deleteOldIdempotencyKeys(db: Db, createdBefore: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('idempotencyKeys')
    .select(['accountId', 'key'])
    .where('createdAt', '<', createdBefore)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  for (const { accountId, key } of rows) {
    await db
      .deleteFrom('idempotencyKeys')
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .where('createdAt', '<', createdBefore)
      .execute();
  }
  return rows.length;
}

export async function deleteExpiredRefreshTokens(db: Db, expiredBefore: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('refreshTokens')
    .where('tokenHash', 'in', (qb) =>
      qb.selectFrom('refreshTokens').select('tokenHash').where('expiresAt', '<', expiredBefore).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteExpiredRevocations(db: Db, expiredBefore: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('revokedTokens')
    .where('jti', 'in', (qb) =>
      qb.selectFrom('revokedTokens').select('jti').where('expiresAt', '<', expiredBefore).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteExpiredOneTimeTokens(db: Db, expiredBefore: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oneTimeTokens')
    .where('tokenHash', 'in', (qb) =>
      qb.selectFrom('oneTimeTokens').select('tokenHash').where('expiresAt', '<', expiredBefore).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Failure counts that began before `firstBefore` and no longer lock anyone. */
export async function deleteOldLoginFailures(
  db: Db,
  firstBefore: number,
  nowMs: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('loginFailures')
    .where('key', 'in', (qb) =>
      qb
        .selectFrom('loginFailures')
        .select('key')
        .where('firstAt', '<', firstBefore)
        .where((eb) => eb.or([eb('lockedUntil', 'is', null), eb('lockedUntil', '<', nowMs)]))
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes requests to the engine that are finished or expired. */
export async function deleteOldEngineRequests(db: Db, expiredBefore: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('engineRequests')
    .where('id', 'in', (qb) =>
      qb.selectFrom('engineRequests').select('id').where('expiresAt', '<', expiredBefore).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** When the newest run of these jobs was, ms, by a clock that is not ahead of `nowMs`; 0: there was none. */
export async function newestRun(db: Db, names: readonly string[], nowMs: number): Promise<number> {
  const { newest } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.max('lastRunAt').as('newest'))
    .where('name', 'in', names)
    .where('lastRunAt', '<=', nowMs)
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

/** Claims a job for this run; false when it ran less than `everyMs` ago, here or in another process. */
export async function claimJob(db: Db, name: string, everyMs: number, nowMs: number): Promise<boolean> {
  await db
    .insertInto('jobs')
    .values({ name, lastRunAt: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ lastRunAt: nowMs })
    .where('name', '=', name)
    .where('lastRunAt', '<=', nowMs - everyMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Deletes accounts registered before `registeredBefore` to which nobody has signed in: none of their users has proved
 * to own the address, so they have no resources.
 */
export async function deleteUnverifiedAccounts(db: Db, registeredBefore: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('createdAt', '<', registeredBefore)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('users').select('users.id').whereRef('users.accountId', '=', 'accounts.id')),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users')
            .select('users.id')
            .whereRef('users.accountId', '=', 'accounts.id')
            .where('users.emailVerifiedAt', 'is not', null),
        ),
      ),
    )
    .limit(limit)
    .execute();
  for (const { id } of rows) {
    await db.transaction().execute(async (tx) => {
      // Somebody may have followed the link meanwhile.
      const verified = await tx
        .selectFrom('users')
        .select('id')
        .where('accountId', '=', id)
        .where('emailVerifiedAt', 'is not', null)
        .executeTakeFirst();
      if (verified !== undefined) return;
      const users = await tx.deleteFrom('users').where('accountId', '=', id).returning('id').execute();
      for (const user of users) await tx.deleteFrom('oneTimeTokens').where('userId', '=', user.id).execute();
      await tx.deleteFrom('accounts').where('id', '=', id).execute();
    });
  }
  return rows.length;
}
