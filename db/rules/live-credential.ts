// Whether what somebody signed in with is still good: asked again while a stream or a socket that it opened is open.
import { isLiveToken } from '../queries/accounts/access-tokens.ts';
import { findSessionUser } from '../queries/accounts/sessions.ts';
import type { Db } from '../schema.ts';
import { hasScope, type Scope, scopesOfAccess } from '../shared/secrets/token-scopes.ts';

export interface Credential {
  accountId: string;
  userId: string;
  kind: 'session' | 'token';
  /** The session token's `jti`, or the id of the personal access token. */
  tokenId: string;
  /** The refresh family of a session; null for a personal access token. */
  familyId: string | null;
  /** The user's session generation when it was issued; null for a personal access token. */
  generation: number | null;
  /** When the session ends however often it is renewed; absent or null: never by itself. */
  endsAt?: number | null;
  /** The right that its user must still have; absent: to read. The rights of a token are its own. */
  needs?: Scope;
}

/** Tables whose change may end one. */
export const CREDENTIAL_TABLES: readonly string[] = ['access_tokens', 'revoked_tokens', 'users', 'accounts'];

/** The expiry of a session does not count, because a renewed one continues; that of a personal access token does. */
export async function isLiveCredential(db: Db, credential: Credential, nowMs: number): Promise<boolean> {
  if (credential.kind === 'token') return isLiveToken(db, credential.accountId, credential.tokenId, nowMs);
  if (credential.endsAt != null && credential.endsAt <= nowMs) return false;
  const user = await findSessionUser(db, credential.userId, credential.tokenId, credential.familyId ?? '');
  if (user === undefined || user.revoked || user.sessionGeneration !== credential.generation) return false;
  return hasScope(scopesOfAccess(user.access), credential.needs ?? 'read');
}
