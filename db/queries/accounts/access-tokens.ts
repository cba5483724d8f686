// Personal access tokens: stored as SHA-256, role fixed at creation, valid only in the environment that issued them.

import type { ExpressionBuilder } from 'kysely';
import type { AccessTokenTable } from '../../schema/users.ts';
import type { Db, Schema } from '../../schema.ts';
import type { AppEnv } from '../../shared/process/app-env.ts';
import { runText } from '../../statements/compiled-statement.ts';
import { newestPage, type Page } from '../newest-page.ts';

const LISTED = ['id', 'name', 'role', 'scopes', 'lastUsedAt', 'expiresAt', 'createdAt'] as const;

interface KnownToken
  extends Pick<
    AccessTokenTable,
    'id' | 'accountId' | 'userId' | 'role' | 'lastUsedAt' | 'revokedAt' | 'scopes' | 'expiresAt'
  > {
  /** The state of the database that was read (`Dialect.state`). */
  seen: string;
}

/** The token with this hash, in any account: authentication finds the account this way. */
export async function findAccessToken(db: Db, appEnv: AppEnv, tokenHash: string): Promise<KnownToken | undefined> {
  // Every request of every integration runs this.
  const [row] = await runText<KnownToken>(
    db,
    'access-token',
    ({ state }) =>
      `select id, account_id as "accountId", user_id as "userId", role, last_used_at as "lastUsedAt", revoked_at as "revokedAt",
         scopes, expires_at as "expiresAt", ${state} as seen
       from access_tokens where token_hash = ? and app_env = ?`,
    [tokenHash, appEnv],
  );
  return row;
}

const isInTime = (nowMs: number) => (eb: ExpressionBuilder<Schema, 'accessTokens'>) =>
  eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', nowMs)]);

export async function isLiveToken(db: Db, accountId: string, id: string, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('accessTokens')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where(isInTime(nowMs))
    .executeTakeFirst();
  return row !== undefined;
}

export async function touchAccessToken(db: Db, id: string, nowMs: number): Promise<void> {
  await db.updateTable('accessTokens').set({ lastUsedAt: nowMs }).where('id', '=', id).execute();
}

export async function insertAccessToken(db: Db, token: AccessTokenTable): Promise<void> {
  await db.insertInto('accessTokens').values(token).execute();
}

interface TokenOwner {
  accountId: string;
  userId: string;
}

const unrevoked = (db: Db, { accountId, userId }: TokenOwner, appEnv: AppEnv) =>
  db
    .selectFrom('accessTokens')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('appEnv', '=', appEnv)
    .where('revokedAt', 'is', null);

/** A page of a user's tokens that are not revoked, newest first, and how many there are. */
export const listAccessTokens = (db: Db, owner: TokenOwner, appEnv: AppEnv, page: Page) =>
  newestPage(unrevoked(db, owner, appEnv).select(LISTED), page);

/** How many tokens of the user can be used. */
export async function countAccessTokens(db: Db, owner: TokenOwner, appEnv: AppEnv, nowMs: number): Promise<number> {
  const { count } = await unrevoked(db, owner, appEnv)
    .where(isInTime(nowMs))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const revoking = (db: Db, accountId: string, nowMs: number) =>
  db
    .updateTable('accessTokens')
    .set({ revokedAt: nowMs })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null);

/** Revokes all tokens of a user, in every environment. */
export async function revokeAccessTokens(db: Db, { accountId, userId }: TokenOwner, nowMs: number): Promise<void> {
  await revoking(db, accountId, nowMs).where('userId', '=', userId).execute();
}

/** Revokes one token of a user; its listed fields, or undefined if there is no such live token. */
export function revokeAccessToken(
  db: Db,
  { accountId, userId }: TokenOwner,
  appEnv: AppEnv,
  { id, nowMs }: { id: string; nowMs: number },
) {
  return revoking(db, accountId, nowMs)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('appEnv', '=', appEnv)
    .returning(LISTED)
    .executeTakeFirst();
}

/** Revokes the token of the request itself. */
export async function revokeAccessTokenById(db: Db, accountId: string, id: string, nowMs: number): Promise<void> {
  await revoking(db, accountId, nowMs).where('id', '=', id).execute();
}
