// The users of an account: all see the same resources, and each may invite and remove others.
import { findAccount } from '../../db/queries/accounts/accounts.ts';
import { deleteUser, findUser, listUsers } from '../../db/queries/accounts/users.ts';
import { isLiveCredential } from '../../db/rules/live-credential.ts';
import type { User } from '../auth/schema.ts';
import { userRecord } from '../auth/users.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { forbidden, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';

export async function accountUsers(context: ApiContext, accountId: string, query: PageQuery) {
  const page = { limit: query.limit, offset: offsetOf(query) };
  const { rows, total } = await listUsers(context.read, accountId, page);
  const account = await findAccount(context.read, accountId);
  return {
    data: rows.map((row) => userRecord(row, account?.plan ?? 'STARTER')),
    pagination: pagination(query.page, query.limit, total),
  };
}

/** @throws {ApiError} 404; 409 for oneself, so that an account keeps a user; 403 if a USER would remove an ADMIN */
export async function removeUser(context: ApiContext, auth: Auth, userId: string): Promise<User> {
  return context.db.transaction().execute(async (tx) => {
    const user = await findUser(tx, auth.accountId, userId);
    if (!user) throw notFound('User');
    // Two who remove each other at once: the first one's request is the last of the other.
    if (!(await isLiveCredential(tx, auth, context.now()))) throw refused('TOKEN_REVOKED', 'Token has been revoked');
    if (user.id === auth.userId) throw refused('SELF_REMOVAL', 'You cannot remove yourself');
    if (user.role === 'ADMIN' && auth.role !== 'ADMIN') throw forbidden();
    await deleteUser(tx, auth.accountId, userId, context.now());
    const account = await findAccount(tx, auth.accountId);
    return userRecord(user, account?.plan ?? 'STARTER');
  });
}
