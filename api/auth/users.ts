// A user as clients read them: rights and how they sign in, and nothing that opens their account.
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { UserTable } from '../../db/schema/users.ts';
import type { User } from './schema.ts';

export function userRecord(user: UserTable, plan: AccountTable['plan']): User {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    access: user.access ?? 'admin',
    plan,
    accountId: user.accountId,
    emailVerified: user.emailVerifiedAt !== null,
    twoFactorEnabled: user.totpEnabledAt !== null,
    hasPassword: user.passwordHash !== null,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}
