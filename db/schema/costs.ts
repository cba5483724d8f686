// Prices, what was used, and what it cost. Amounts are millionths of the currency's unit.
import type { UseKind } from '../domain/cost/uses.ts';
import type { Flag, Json } from './columns.ts';

/** As domain/cost/prices.ts explains. */
export interface PriceTable {
  id: string;
  kind: UseKind;
  engine: string | null;
  model: string | null;
  trunkId: string | null;
  direction: 'inbound' | 'outbound' | null;
  prefix: string | null;
  rates: Json; // Rates
  firstSeconds: number;
  stepSeconds: number;
  currency: string;
  validFrom: number;
  createdAt: number;
}

/** Waits to be priced; a call has one at its end, and one for each work after it. */
export interface CallUseTable {
  id: string;
  accountId: string;
  /** A call, or a conversation in writing. */
  subjectId: string;
  uses: Json; // Use[]
  createdAt: number;
}

export interface CostTable {
  subjectId: string;
  accountId: string;
  businessId: string;
  campaignId: string;
  agentId: string;
  /** Of the call, or of the conversation's first use. */
  beganAt: number;
  lines: Json; // CostLine[]
  currency: string | null;
  llm: number | null;
  stt: number | null;
  tts: number | null;
  trunk: number | null;
  total: number | null;
  isEstimated: Flag;
  isPartial: Flag;
}

/** Sums of `costs` by UTC day; of costs without a price it counts the calls alone, with an empty currency. */
export interface CostDayTable {
  accountId: string;
  day: string;
  businessId: string;
  campaignId: string;
  agentId: string;
  currency: string;
  calls: number;
  partialCalls: number;
  llm: number;
  stt: number;
  tts: number;
  trunk: number;
  total: number;
}
