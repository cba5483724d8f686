// People whom an identity provider knows, by its own id of them, and the users who they are here.
import type { UserIdentityTable } from '../../schema/users.ts';
import type { Db } from '../../schema.ts';

export async function identityOf(db: Db, issuer: string, subject: string): Promise<UserIdentityTable | undefined> {
  return db
    .selectFrom('userIdentities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Whether the user is somebody at the provider already. */
export async function hasIdentity(db: Db, issuer: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('userIdentities')
    .select('userId')
    .where('issuer', '=', issuer)
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertIdentity(db: Db, identity: UserIdentityTable): Promise<void> {
  await db.insertInto('userIdentities').values(identity).execute();
}

export async function touchIdentity(db: Db, issuer: string, subject: string, nowMs: number): Promise<void> {
  await db
    .updateTable('userIdentities')
    .set({ lastUsedAt: nowMs })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}
