// Users and their credentials. Tokens belong to the environment that issued them.
import type { AppEnv } from '../shared/process/app-env.ts';
import type { LimitedAccess } from '../shared/secrets/token-scopes.ts';

export interface UserTable {
  id: string;
  accountId: string;
  /** Lower case. */
  email: string;
  passwordHash: string | null;
  role: 'USER' | 'ADMIN';
  emailVerifiedAt: number | null;
  totpSecret: string | null;
  totpEnabledAt: number | null;
  /** Last 30 s step whose code was used: each code is accepted once. */
  totpLastStep: number | null;
  /** Session tokens of an earlier generation are revoked. */
  sessionGeneration: number;
  createdAt: number;
  /** That of mails; null: not known. */
  language: string | null;
  /** How much the user may do in the account ; null: everything. */
  access: LimitedAccess | null;
}

/** A person whom an identity provider knows, and the user who that is here. */
export interface UserIdentityTable {
  issuer: string;
  /** The provider's own id of the person: unlike a mail address it is never given to another. */
  subject: string;
  userId: string;
  createdAt: number;
  lastUsedAt: number;
}

export interface RecoveryCodeTable {
  userId: string;
  codeHash: string;
  usedAt: number | null;
}

/** Failures by key: `email:<sha256>` or `ip:<address>`. */
export interface LoginFailureTable {
  key: string;
  failures: number;
  firstAt: number;
  lockedUntil: number | null;
}

export interface RefreshTokenTable {
  tokenHash: string;
  familyId: string;
  userId: string;
  expiresAt: number;
  usedAt: number | null;
  revokedAt: number | null;
  createdAt: number;
  appEnv: AppEnv | null;
  /** The family's first token; null before a release knew it. */
  signedInAt: number | null;
  /** Of the request that got the token. */
  userAgent: string | null;
  address: string | null;
  /** The issuer by which the session was signed in; null: by a password. */
  provider: string | null;
  /** When the session ends however often it is renewed; null: never by itself. */
  endsAt: number | null;
}

/** Access tokens that were logged out: `jti`. */
export interface RevokedTokenTable {
  jti: string;
  expiresAt: number;
}

/** Single-use tokens and codes that were mailed, and pending two-factor logins. */
export interface OneTimeTokenTable {
  tokenHash: string;
  kind: 'verify-email' | 'invite' | 'reset' | 'pending-2fa';
  userId: string;
  tries: number;
  expiresAt: number;
  usedAt: number | null;
  createdAt: number;
  appEnv: AppEnv | null;
  /** Of a pending login: the issuer that was its first factor; null: a password, or no login. */
  provider: string | null;
}

export interface AccessTokenTable {
  id: string;
  accountId: string;
  userId: string;
  name: string;
  tokenHash: string;
  role: 'USER' | 'ADMIN';
  lastUsedAt: number | null;
  revokedAt: number | null;
  createdAt: number;
  appEnv: AppEnv | null;
  /** JSON, an array of scopes; null: all of them. */
  scopes: string | null;
  /** Null: valid until it is revoked. */
  expiresAt: number | null;
}
