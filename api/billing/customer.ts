// The account's one customer at the payment provider, created at its first use, so that the provider always answers
// questions about payments and nothing is guessed while it is down.
import { billingCustomer, keepBillingCustomer } from '../../db/queries/numbers/charges.ts';
import type { ApiContext } from '../context.ts';
import type { Budget, Payments } from './billing.ts';

/** Parallel requests create one customer at the provider, by its key, and one is stored. @throws {PaymentError} */
export async function ensureCustomer(
  context: Pick<ApiContext, 'db'>,
  payments: Payments,
  accountId: string,
  budget: Budget,
): Promise<string> {
  const known = await billingCustomer(context.db, accountId);
  return known ?? (await replaceCustomer(context, payments, { accountId, replaced: null }, budget));
}

/** Replaces a customer that the provider has lost. @throws {PaymentError} */
export async function replaceCustomer(
  context: Pick<ApiContext, 'db'>,
  payments: Payments,
  account: { accountId: string; replaced: string | null },
  budget: Budget,
): Promise<string> {
  const created = await payments.addCustomer(account, budget);
  return keepBillingCustomer(context.db, account.accountId, created, account.replaced);
}
