// The number of records of each kind that an account may have, by its plan. Records are small, but a script can create
// a million in an hour, and all accounts share the disk. Deleted records count until they are removed from the disk.

import type { AccountTable } from '../schema/accounts.ts';
import type { Db } from '../schema.ts';
import { compiledStatement } from '../statements/compiled-statement.ts';

type Plan = AccountTable['plan'];

const RECORDS = { STARTER: 1_000, PRO: 10_000, ENTERPRISE: null } as const satisfies Record<Plan, number | null>;
const CONTACTS = { STARTER: 100_000, PRO: 1_000_000, ENTERPRISE: null } as const satisfies Record<Plan, number | null>;

/** Of one business. */
const DOCUMENTS = { STARTER: 50, PRO: 1_000, ENTERPRISE: 10_000 } as const satisfies Record<Plan, number>;
const CHARACTERS = {
  STARTER: 2_000_000,
  PRO: 60_000_000,
  ENTERPRISE: 500_000_000,
} as const satisfies Record<Plan, number>;

export type QuotaKind = 'businesses' | 'agents' | 'campaigns';

const plans = compiledStatement((db, { accountId }: { accountId: string }) =>
  db.selectFrom('accounts').select('plan').where('id', '=', accountId),
);

async function planOf(db: Db, accountId: string): Promise<Plan> {
  const [account] = await plans(db, { accountId });
  if (account === undefined) throw new Error(`there is no account ${accountId}`);
  return account.plan;
}

/**
 * The plan's limit if one more record would exceed it; null otherwise. Call it in the transaction that adds the record.
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

export async function documentLimits(db: Db, accountId: string): Promise<{ documents: number; characters: number }> {
  const plan = await planOf(db, accountId);
  return { documents: DOCUMENTS[plan], characters: CHARACTERS[plan] };
}

const contactsOf = compiledStatement((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('contactCountsNow')
    .innerJoin('campaigns', 'campaigns.id', 'contactCountsNow.campaignId')
    .select(({ fn }) => fn.sum<number | null>('contactCountsNow.total').as('total'))
    .where('campaigns.accountId', '=', accountId),
);

/** The same for `more` contacts; the contacts of all campaigns count together. */
export async function contactQuotaExceeded(db: Db, accountId: string, more: number): Promise<number | null> {
  const max = CONTACTS[await planOf(db, accountId)];
  if (max === null) return null;
  const [row] = await contactsOf(db, { accountId });
  return Number(row?.total ?? 0) + more > max ? max : null;
}
