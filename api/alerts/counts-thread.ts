// Counts the calls of alert rules' windows on a thread of its own: SQLite answers in the thread that asks, and ten
// thousand calls take it some forty milliseconds, for which nobody else should wait.
import { openDatabase } from '../../db/database.ts';
import type { AlertCounts, AlertMetric } from '../../db/domain/alerts/metrics.ts';
import { alertCounts } from '../../db/queries/alerts/counts.ts';
import type { AlertRuleTable } from '../../db/schema/alerts.ts';
import { answerRequests } from '../threads/database-thread.ts';

export interface CountRequest extends Pick<AlertRuleTable, 'accountId' | 'businessId' | 'campaignId' | 'agentId'> {
  metric: AlertMetric;
  fromMs: number;
}

answerRequests<CountRequest, AlertCounts>((database) => {
  const db = openDatabase(database, { readonly: true });
  return ({ metric, fromMs, ...of }) => alertCounts(db, metric, of, fromMs);
});
