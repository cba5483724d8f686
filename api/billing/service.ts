// An account's card and its ledger.
import { type ChargeRow, listCharges } from '../../db/queries/numbers/charges.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { PaymentError, providerDown, startBudget } from './billing.ts';
import { ensureCustomer, replaceCustomer } from './customer.ts';

/** Asks the provider each time. @throws {ApiError} 503 */
export async function billingAccount(context: ApiContext, accountId: string) {
  const { provider, payments } = context.billing;
  const card =
    payments === null
      ? null
      : await answered(async () => {
          const budget = startBudget();
          return payments.newestCard(await ensureCustomer(context, payments, accountId, budget), budget);
        });
  return { provider, hasCard: card !== null, brand: card?.brand ?? null, last4: card?.last4 ?? null };
}

/** A page on which the account adds a card. @throws {ApiError} 409 without a provider, 503 */
export async function setUpBilling(context: ApiContext, accountId: string): Promise<{ url: string }> {
  const { payments } = context.billing;
  if (payments === null) throw refused('NO_PAYMENT_PROVIDER', 'No payment provider is set up: nothing is charged');
  const returnUrl = `${context.publicUrl()}/#/billing`;
  return answered(async () => {
    const budget = startBudget();
    const customerId = await ensureCustomer(context, payments, accountId, budget);
    try {
      return { url: await payments.setupPage(customerId, returnUrl, budget) };
    } catch (error) {
      if (!(error instanceof PaymentError) || error.code !== 'PAYMENT_REFUSED') throw error;
      // The customer was deleted at the provider.
      const replacement = await replaceCustomer(context, payments, { accountId, replaced: customerId }, budget);
      return { url: await payments.setupPage(replacement, returnUrl, budget) };
    }
  });
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    throw providerDown();
  }
}

export async function accountCharges(context: ApiContext, accountId: string, page: PageQuery) {
  const { rows, total } = await listCharges(context.read, accountId, { limit: page.limit, offset: offsetOf(page) });
  return { data: rows.map(chargeRecord), pagination: pagination(page.page, page.limit, total) };
}

const chargeRecord = (row: ChargeRow) => ({
  id: row.id,
  kind: row.kind,
  phoneNumber: row.phoneNumber,
  amount: row.amount,
  currency: row.currency,
  status: row.status,
  createdAt: isoTime(row.createdAt),
});
