// The accounts that see what the installation pays: those of its ADMINs, and with the setting `showCosts` everybody,
// of their own calls.
import { accountsOfAdmins } from '../../db/queries/accounts/users.ts';
import { readSetting } from '../../db/queries/settings/settings.ts';
import type { Db } from '../../db/schema.ts';

export const showsCosts = async (db: Db): Promise<boolean> => (await readSetting(db, 'showCosts')) === 'true';

/** The accounts among these that see the cost of their calls. */
export async function seeingAccounts(db: Db, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (await showsCosts(db)) return new Set(accountIds);
  return accountsOfAdmins(db, accountIds);
}
