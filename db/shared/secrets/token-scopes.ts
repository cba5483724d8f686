// Scopes of personal access tokens: read, call people, change what there is. A token that names none has all of them.

export const TOKEN_SCOPES = ['read', 'call', 'change'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The scopes of a stored token, in the order of TOKEN_SCOPES; null stands for all. */
export function scopesOf(stored: string | null): readonly TokenScope[] {
  if (stored === null) return TOKEN_SCOPES;
  const scopes = JSON.parse(stored) as string[];
  return TOKEN_SCOPES.filter((scope) => scopes.includes(scope));
}
