// The billing that BILLING chooses: an own ledger without payments, or Stripe.
import type { Logger } from 'pino';
import type { ApiConfig } from '../config.ts';
import { type Billing, ledgerBilling } from './billing.ts';

/** The provider's package is large and loaded only if it is used. */
export async function createBilling(
  config: Pick<ApiConfig, 'billing' | 'stripeSecretKey' | 'stripeApiBase'>,
  log: Logger,
): Promise<Billing> {
  if (config.billing === 'none') return ledgerBilling;
  const { createStripeBilling } = await import('./stripe.ts');
  return createStripeBilling({ secretKey: config.stripeSecretKey ?? '', apiBase: config.stripeApiBase, log });
}
