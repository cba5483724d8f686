// Rights of a token or a session: read, reach people, do the work of each day, change what there is. A personal access
// token that names no scopes has all that such a token may have; those of a session follow from its user's access.

export const TOKEN_SCOPES = ['read', 'call', 'change'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** `work`: contacts, texts, appointments, problems of calls. Who may change may do it too. */
export type Scope = TokenScope | 'work';

/** How much of an account a user may use; who has no limit is an admin of the account, as every user is by default. */
export const LIMITED_ACCESS = ['viewer', 'operator'] as const;
export type LimitedAccess = (typeof LIMITED_ACCESS)[number];

const OF_ACCESS: Record<LimitedAccess, readonly Scope[]> = { viewer: ['read'], operator: ['read', 'call', 'work'] };

/** Null: a user without a limit. */
export const scopesOfAccess = (access: LimitedAccess | null): readonly Scope[] =>
  access === null ? TOKEN_SCOPES : OF_ACCESS[access];

export const hasScope = (scopes: readonly Scope[], scope: Scope): boolean =>
  scopes.includes(scope) || (scope === 'work' && scopes.includes('change'));

/** The scopes of a stored token, in the order of TOKEN_SCOPES; null stands for all. */
export function scopesOf(stored: string | null): readonly TokenScope[] {
  if (stored === null) return TOKEN_SCOPES;
  const scopes = JSON.parse(stored) as string[];
  return TOKEN_SCOPES.filter((scope) => scopes.includes(scope));
}
