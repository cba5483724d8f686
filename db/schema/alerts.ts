// Alert rules of tenants, and each time that one fired. Values are millionths.
import type { AlertComparison, AlertMetric } from '../domain/alerts/metrics.ts';
import type { Flag, Json } from './columns.ts';

export interface AlertRuleTable {
  id: string;
  accountId: string;
  name: string;
  metric: AlertMetric;
  comparison: AlertComparison;
  threshold: number;
  windowMinutes: number;
  minimumCalls: number;
  /** Of whose calls; null: of all. */
  businessId: string | null;
  campaignId: string | null;
  agentId: string | null;
  notify: Json; // NoticeRule[]
  notifySealed: string | null;
  /** Of its quiet hours. */
  timezone: string;
  isActive: Flag;
  /** When it is looked at next. */
  dueAt: number;
  /** The firing that is not over; null: it does not fire. */
  firingId: string | null;
  /** As it was last; null: of too few calls, or never looked at. */
  value: number | null;
  valueCalls: number;
  evaluatedAt: number | null;
  createdAt: number;
}

/** With the rule as it was then. */
export interface AlertFiringTable {
  id: string;
  accountId: string;
  ruleId: string;
  metric: AlertMetric;
  comparison: AlertComparison;
  threshold: number;
  windowMinutes: number;
  value: number;
  calls: number;
  endedValue: number | null;
  endedAt: number | null;
  createdAt: number;
}
