// Calls that are read again for what is wanted of them now.

export const RERUN_STATUSES = ['RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
export type RerunStatus = (typeof RERUN_STATUSES)[number];

export interface RerunTable {
  id: string;
  accountId: string;
  businessId: string;
  /** Null: all of the business. */
  campaignId: string | null;
  /** Inclusive bounds of the calls' startedAt. */
  fromMs: number | null;
  toMs: number | null;
  /** Only calls without results. */
  missingOnly: number;
  /** Whether `call.analysed` tells of each. */
  webhooks: number;
  status: RerunStatus;
  total: number;
  done: number;
  failed: number;
  /** Why all of it failed. */
  error: string | null;
  /** When one of its calls was last taken: accounts take turns by it. */
  touchedAt: number;
  createdAt: number;
  endedAt: number | null;
}

/** A call that waits, or failed with this error. */
export interface RerunCallTable {
  rerunId: string;
  accountId: string;
  callId: string;
  error: string | null;
}
