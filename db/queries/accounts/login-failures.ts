// Failed logins, counted by key (an address, an e-mail whether or not it exists), kept across restarts.
import type { LoginFailureTable } from '../../schema/users.ts';
import type { Db } from '../../schema.ts';

export function findLoginFailures(db: Db, key: string): Promise<LoginFailureTable | undefined> {
  return db.selectFrom('loginFailures').selectAll().where('key', '=', key).executeTakeFirst();
}

export async function putLoginFailures(db: Db, row: LoginFailureTable): Promise<void> {
  const { key: _key, ...values } = row;
  await db
    .insertInto('loginFailures')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
}

export async function clearLoginFailures(db: Db, key: string): Promise<void> {
  await db.deleteFrom('loginFailures').where('key', '=', key).execute();
}
