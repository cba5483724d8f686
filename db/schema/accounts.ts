// Accounts: the tenants, and the minutes they used.
import type { Flag, Json } from './columns.ts';

export interface AccountTable {
  id: string;
  name: string;
  plan: 'STARTER' | 'PRO' | 'ENTERPRISE';
  timezone: string;
  defaultCampaignId: string | null;
  overageEnabled: Flag;
  billingCustomerId: string | null;
  /** Days after which its calls are erased; null: never. */
  retentionDays: number | null;
  /** DestinationPolicy; null: it states nothing. */
  destinations: Json | null;
  createdAt: number;
}

/** Answered seconds of a month; `month` is `YYYY-MM` in the account's timezone. */
export interface AccountUsageTable {
  accountId: string;
  month: string;
  seconds: number;
}
