// Which billing the configuration asks for.
import type { Logger } from 'pino';
import type { ApiConfig } from '../config.ts';
import { type Billing, ledgerBilling } from './billing.ts';
import { createStripeBilling } from './stripe.ts';

export function createBilling(
  config: Pick<ApiConfig, 'billing' | 'stripeSecretKey' | 'stripeApiBase'>,
  log: Logger,
): Billing {
  if (config.billing === 'none') return ledgerBilling;
  return createStripeBilling({ secretKey: config.stripeSecretKey ?? '', apiBase: config.stripeApiBase, log });
}
