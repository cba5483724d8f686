// Personal access tokens: created by their user, shown once, stored as SHA-256, with the user's role at that time.

import {
  countAccessTokens,
  insertAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '../../db/queries/accounts/access-tokens.ts';
import type { AccessTokenTable } from '../../db/schema/users.ts';
import { newId } from '../../db/shared/id.ts';
import { scopesOf } from '../../db/shared/secrets/token-scopes.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import type { CreateTokenBody, PersonalToken } from './schema.ts';
import { ACCESS_TOKEN_PREFIX, hashToken, randomToken } from './secrets.ts';

type Listed = Pick<AccessTokenTable, 'id' | 'name' | 'role' | 'scopes' | 'lastUsedAt' | 'expiresAt' | 'createdAt'>;
const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const record = (row: Listed): PersonalToken => ({
  id: row.id,
  name: row.name,
  role: row.role,
  scopes: [...scopesOf(row.scopes)],
  lastUsedAt: time(row.lastUsedAt),
  expiresAt: time(row.expiresAt),
  createdAt: new Date(row.createdAt).toISOString(),
});

const TOKENS_PER_USER_MAX = 50;

/**
 * Writes a token and returns its plaintext, which is not stored.
 * @throws {ApiError} 409 at the user's limit, 422 for an expiry that has passed
 */
export async function createPersonalToken(
  { db, config, now }: Pick<ApiContext, 'db' | 'config' | 'now'>,
  owner: Pick<Auth, 'accountId' | 'userId' | 'role'>,
  { name, scopes, expiresAt }: CreateTokenBody,
): Promise<PersonalToken & { token: string }> {
  const nowMs = now();
  const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt);
  if (expiresAtMs !== null && !(expiresAtMs > nowMs))
    throw invalid([{ field: 'expiresAt', message: 'must lie ahead' }]);
  const token = randomToken(ACCESS_TOKEN_PREFIX);
  const row: AccessTokenTable = {
    id: newId('pat'),
    accountId: owner.accountId,
    userId: owner.userId,
    name,
    tokenHash: hashToken(token),
    role: owner.role,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: nowMs,
    appEnv: config.appEnv,
    scopes: scopes === undefined ? null : JSON.stringify(scopes),
    expiresAt: expiresAtMs,
  };
  await db.transaction().execute(async (tx) => {
    if ((await countAccessTokens(tx, owner, config.appEnv, nowMs)) >= TOKENS_PER_USER_MAX)
      throw refused('TOKEN_LIMIT', `A user has at most ${TOKENS_PER_USER_MAX} tokens: revoke one that is not used`);
    await insertAccessToken(tx, row);
  });
  return { ...record(row), token };
}

export async function listPersonalTokens(context: ApiContext, auth: Auth, query: PageQuery) {
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listAccessTokens(context.read, auth, context.config.appEnv, page);
  return { data: rows.map(record), pagination: pagination(query.page, query.limit, total) };
}

export async function deletePersonalToken(context: ApiContext, auth: Auth, id: string): Promise<PersonalToken> {
  const row = await revokeAccessToken(context.db, auth, context.config.appEnv, { id, nowMs: context.now() });
  if (!row) throw notFound('Token');
  return record(row);
}
