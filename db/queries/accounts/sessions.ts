// Sessions: refresh tokens in families (one login, one family), and access tokens that were logged out.
import type { RefreshTokenTable, UserTable } from '../../schema/users.ts';
import type { Db } from '../../schema.ts';
import type { AppEnv } from '../../shared/process/app-env.ts';
import { runText } from '../../statements/compiled-statement.ts';

export type SessionRow = Pick<
  RefreshTokenTable,
  'familyId' | 'createdAt' | 'expiresAt' | 'signedInAt' | 'userAgent' | 'address' | 'provider'
>;

interface SessionUserRow extends Pick<UserTable, 'accountId' | 'role' | 'access' | 'sessionGeneration'> {
  tokenRevoked: string | null;
  familyRevoked: string | null;
  /** The state of the database that was read (`Dialect.state`). */
  seen: string;
}

/** The user of a session token, and whether the token or its family was revoked. */
export async function findSessionUser(db: Db, userId: string, jti: string, familyId: string) {
  // Every request of a session runs this.
  const [row] = await runText<SessionUserRow>(
    db,
    'session-user',
    ({ state }) =>
      `select account_id as "accountId", role, access, session_generation as "sessionGeneration", token.jti as "tokenRevoked",
         family.jti as "familyRevoked", ${state} as seen
       from users
       left join revoked_tokens as token on token.jti = ?
       left join revoked_tokens as family on family.jti = ?
       where users.id = ?`,
    [jti, familyId, userId],
  );
  if (!row) return undefined;
  const { tokenRevoked, familyRevoked, ...user } = row;
  return { ...user, revoked: tokenRevoked !== null || familyRevoked !== null };
}

/** Puts a `jti` or a family on the blacklist until `expiresAt`; false where it stands there already. */
export async function revokeToken(db: Db, jti: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('revokedTokens')
    .values({ jti, expiresAt })
    .onConflict((conflict) => conflict.column('jti').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function insertRefreshToken(db: Db, token: RefreshTokenTable): Promise<void> {
  await db.insertInto('refreshTokens').values(token).execute();
}

export function findRefreshToken(db: Db, appEnv: AppEnv, tokenHash: string): Promise<RefreshTokenTable | undefined> {
  return db
    .selectFrom('refreshTokens')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('appEnv', '=', appEnv)
    .executeTakeFirst();
}

/** Marks a live refresh token used; false when another request was first. */
export async function useRefreshToken(db: Db, tokenHash: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refreshTokens')
    .set({ usedAt: nowMs })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The newest token of each living session of a user, the last used session first. */
export function listSessions(db: Db, userId: string, appEnv: AppEnv, nowMs: number): Promise<SessionRow[]> {
  return db
    .selectFrom('refreshTokens')
    .select(['familyId', 'createdAt', 'expiresAt', 'signedInAt', 'userAgent', 'address', 'provider'])
    .where('userId', '=', userId)
    .where('appEnv', '=', appEnv)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', nowMs)
    .orderBy('createdAt', 'desc')
    .orderBy('familyId')
    .execute();
}

export async function revokeFamily(db: Db, familyId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('refreshTokens')
    .set({ revokedAt: nowMs })
    .where('familyId', '=', familyId)
    .where('revokedAt', 'is', null)
    .execute();
}

/**
 * Ends every session of a user: refresh tokens, and access tokens by a new generation; sign-ins too that wait for a
 * second factor, whose first one is that of before.
 */
export async function revokeSessions(db: Db, userId: string, nowMs: number): Promise<void> {
  await db.deleteFrom('oneTimeTokens').where('userId', '=', userId).where('kind', '=', 'pending-2fa').execute();
  await db
    .updateTable('refreshTokens')
    .set({ revokedAt: nowMs })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute();
  await db
    .updateTable('users')
    .set((eb) => ({ sessionGeneration: eb('sessionGeneration', '+', 1) }))
    .where('id', '=', userId)
    .execute();
}

/** The current generation of the user's session tokens; null for a deleted user. */
export async function sessionGeneration(db: Db, userId: string): Promise<number | null> {
  const row = await db.selectFrom('users').select('sessionGeneration').where('id', '=', userId).executeTakeFirst();
  return row?.sessionGeneration ?? null;
}

/** Binds tokens of earlier releases, which have no environment, to this environment. */
export async function adoptTokens(db: Db, appEnv: AppEnv): Promise<void> {
  await db.updateTable('refreshTokens').set({ appEnv }).where('appEnv', 'is', null).execute();
  await db.updateTable('oneTimeTokens').set({ appEnv }).where('appEnv', 'is', null).execute();
  await db.updateTable('accessTokens').set({ appEnv }).where('appEnv', 'is', null).execute();
}
