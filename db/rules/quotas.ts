// How many records of a kind an account may have, by its plan. Each is small, but a script makes a million of them in
// an hour, and the disk is everybody's. Deleted records count until they are gone from the disk.
import type { AccountTable } from '../schema/accounts.ts';
import type { Db } from '../sqlite.ts';

type Plan = AccountTable['plan'];

const RECORDS = { STARTER: 1_000, PRO: 10_000, ENTERPRISE: null } as const satisfies Record<Plan, number | null>;
const CONTACTS = { STARTER: 100_000, PRO: 1_000_000, ENTERPRISE: null } as const satisfies Record<Plan, number | null>;

export type QuotaKind = 'businesses' | 'agents' | 'campaigns';

async function planOf(db: Db, accountId: string): Promise<Plan> {
  const { plan } = await db.selectFrom('accounts').select('plan').where('id', '=', accountId).executeTakeFirstOrThrow();
  return plan;
}

/**
 * What the plan allows, where one record more would exceed it; null where there is room. Call it in the transaction
 * that adds.
 */
export async function quotaExceeded(db: Db, accountId: string, kind: QuotaKind): Promise<number | null> {
  const max = RECORDS[await planOf(db, accountId)];
  if (max === null) return null;
  const { count } = await db
    .selectFrom(kind)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count) >= max ? max : null;
}

/** The same for contacts of all campaigns together, of which `more` are to be added. */
export async function contactQuotaExceeded(db: Db, accountId: string, more: number): Promise<number | null> {
  const max = CONTACTS[await planOf(db, accountId)];
  if (max === null) return null;
  const row = await db
    .selectFrom('contactCounts')
    .innerJoin('campaigns', 'campaigns.id', 'contactCounts.campaignId')
    .select(({ fn }) => fn.sum<number | null>('contactCounts.total').as('total'))
    .where('campaigns.accountId', '=', accountId)
    .executeTakeFirst();
  return Number(row?.total ?? 0) + more > max ? max : null;
}
