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
  /** SpendLimits; null: the defaults. */
  spendLimits: Json | null;
  /** How far its people have come in setting it up; null: not begun. */
  setup: Json | null;
  createdAt: number;
}

/** Answered seconds of a month; `month` is `YYYY-MM` in the account's timezone. */
export interface AccountUsageTable {
  accountId: string;
  month: string;
  seconds: number;
}

/** An account's activity in an hour; `accountId` '' is all accounts together. */
export interface AccountHourTable {
  accountId: string;
  /** Since the epoch. */
  hour: number;
  /** Of outbound legs that have ended, by the hour in which they were up. */
  outboundSeconds: number;
  /** Of any direction, that began in it; 0 for all accounts together. */
  calls: number;
}

/** The person's leg of a transfer under way, over a trunk. */
export interface TransferLegTable {
  callId: string;
  accountId: string;
  answeredAt: number | null;
  /** Over which it goes; null: not known. */
  trunkId: string | null;
  /** E.164, of the person. */
  number: string;
}
