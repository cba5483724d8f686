// Looks at the alert rules that are due, each once a minute: what fires, and what is over, is written down and told in
// one transaction with the rule, so that a process that dies tells nobody twice and forgets nobody.
import { type AlertCounts, alertFigure, isMet, isOver } from '../../db/domain/alerts/metrics.ts';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { alertSubject } from '../../db/domain/notices/subjects.ts';
import { dueAlertRules, endFiring, insertFiring, noteAlertValue } from '../../db/queries/alerts/alerts.ts';
import { alertCounts } from '../../db/queries/alerts/counts.ts';
import type { AlertRuleTable } from '../../db/schema/alerts.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import { newId } from '../../db/shared/id.ts';
import type { ApiContext } from '../context.ts';
import { seeingAccounts } from '../costs/visible.ts';
import { addNotices } from '../notices/add.ts';
import type { CountRequest } from './counts-thread.ts';

/** Rules of one run; the others are due at the next one. */
const AT_ONCE = 50;

type Count = (request: CountRequest) => Promise<AlertCounts>;

/** `count`: default: here. */
export async function evaluateAlerts(
  context: Pick<ApiContext, 'db' | 'read' | 'now'>,
  count: Count = ({ metric, fromMs, ...of }) => alertCounts(context.read, metric, of, fromMs),
): Promise<void> {
  for (const rule of await dueAlertRules(context.read, context.now(), AT_ONCE)) await evaluate(context, rule, count);
}

async function evaluate(
  { db, read, now }: Pick<ApiContext, 'db' | 'read' | 'now'>,
  rule: AlertRuleTable,
  count: Count,
): Promise<void> {
  const nowMs = now();
  const { accountId, businessId, campaignId, agentId } = rule;
  const of = { accountId, businessId, campaignId, agentId };
  const fromMs = nowMs - rule.windowMinutes * MINUTE_MS;
  const counted = await count({ ...of, metric: rule.metric, fromMs });
  // An account that is not shown costs learns nothing of them by trying limits.
  const isHidden = rule.metric === 'cost' && !(await seeingAccounts(read, [accountId])).has(accountId);
  const counts = isHidden ? { ...counted, cost: 0 } : counted;
  const { value, calls } = alertFigure(rule.metric, counts, rule.minimumCalls);
  const fires = rule.firingId === null && isWatched(rule, nowMs) && value !== null && isMet(rule, value);
  const ends = rule.firingId !== null && isOver(rule, value);
  const firingId = fires ? newId('alf') : ends ? null : rule.firingId;
  await transact(db, NOTICES, async (tx) => {
    const seen = { dueAt: nowMs + MINUTE_MS, firingId, value, valueCalls: calls, evaluatedAt: nowMs };
    if (!(await noteAlertValue(tx, rule, seen))) return;
    const told = { callId: null, atMs: nowMs, isAbout: () => true };
    if (fires && firingId !== null && value !== null) {
      const { id: ruleId, metric, comparison, threshold, windowMinutes } = rule;
      const asItIs = { accountId, ruleId, metric, comparison, threshold, windowMinutes };
      const open = { endedValue: null, endedAt: null, createdAt: nowMs };
      await insertFiring(tx, { id: firingId, ...asItIs, value, calls, ...open });
      await addNotices(tx, rule, { ...told, subjectId: alertSubject(firingId, false) });
    }
    if (ends && rule.firingId !== null) {
      await endFiring(tx, rule.firingId, { endedAt: nowMs, endedValue: value });
      await addNotices(tx, rule, { ...told, subjectId: alertSubject(rule.firingId, true) });
    }
  });
}

/** A rule that wants something to happen has waited a whole window for it. */
const isWatched = ({ comparison, windowMinutes, createdAt }: AlertRuleTable, nowMs: number): boolean =>
  comparison === 'above' || nowMs - createdAt >= windowMinutes * MINUTE_MS;
