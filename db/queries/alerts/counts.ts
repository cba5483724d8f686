// The counts of an alert rule's window, in SQL: the rows are never read, however many there are. Each is found by the
// index of the rule's filter and the calls' beginning.
import { type SelectQueryBuilder, sql } from 'kysely';
import { dialectOf } from '../../dialect.ts';
import { type AlertCounts, type AlertMetric, EARLY_SECONDS } from '../../domain/alerts/metrics.ts';
import type { AlertRuleTable } from '../../schema/alerts.ts';
import type { Db, Schema } from '../../schema.ts';

type Watched = Pick<AlertRuleTable, 'accountId' | 'businessId' | 'campaignId' | 'agentId'>;

const NOTHING: AlertCounts = {
  ...{ calls: 0, ended: 0, answered: 0, failed: 0, transferred: 0, earlyHangups: 0, agentFailures: 0 },
  ...{ carrierRefusals: 0, outboundSeconds: 0, gapP95Ms: null, gapCalls: 0, cost: 0 },
};

/** As far as the metric needs it, of the calls that began from `fromMs` on. */
export async function alertCounts(db: Db, metric: AlertMetric, of: Watched, fromMs: number): Promise<AlertCounts> {
  if (metric === 'answer_gap_p95_ms') return { ...NOTHING, ...(await gapOf(db, of, fromMs)) };
  const calls = await callsOf(db, of, fromMs);
  return { ...NOTHING, ...calls, ...(metric === 'cost' ? { cost: await costOf(db, of, fromMs) } : {}) };
}

function filtered<Row>(rows: SelectQueryBuilder<Schema, 'calls', Row>, of: Watched, fromMs: number) {
  let query = rows.where('accountId', '=', of.accountId).where('startedAt', '>=', fromMs);
  for (const name of ['businessId', 'campaignId', 'agentId'] as const) {
    const value = of[name];
    if (value !== null) query = query.where(name, '=', value);
  }
  return query;
}

const counted = (condition: string) => sql<number>`sum(case when ${sql.raw(condition)} then 1 else 0 end)`;

async function callsOf(db: Db, of: Watched, fromMs: number): Promise<Partial<AlertCounts>> {
  const row = await filtered(db.selectFrom('calls'), of, fromMs)
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      counted('ended_at is not null').as('ended'),
      counted('ended_at is not null and answered_at is not null').as('answered'),
      counted(`status = 'FAILED'`).as('failed'),
      counted(`outcome = 'transferred'`).as('transferred'),
      counted(`answered_at is not null and end_reason = 'caller_hangup' and duration_seconds < ${EARLY_SECONDS}`).as(
        'earlyHangups',
      ),
      counted(`outcome = 'agent_failed'`).as('agentFailures'),
      counted(`direction = 'outbound' and end_reason in ('refused', 'network')`).as('carrierRefusals'),
      sql<number>`sum(case when direction = 'outbound' then duration_seconds else 0 end)`.as('outboundSeconds'),
    ])
    .executeTakeFirstOrThrow();
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value ?? 0)]));
}

/** By nearest rank, over the calls' median gaps. */
async function gapOf(db: Db, of: Watched, fromMs: number): Promise<Pick<AlertCounts, 'gapP95Ms' | 'gapCalls'>> {
  const gap = sql<number>`${sql.raw(dialectOf(db).numberIn('latency', 'p50Ms'))}`;
  const withGap = filtered(db.selectFrom('calls'), of, fromMs).where(gap, 'is not', null);
  const { total } = await withGap.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const gapCalls = Number(total);
  if (gapCalls === 0) return { gapP95Ms: null, gapCalls };
  const row = await withGap
    .select(gap.as('gap'))
    .orderBy(gap)
    .limit(1)
    .offset(Math.ceil(gapCalls * 0.95) - 1)
    .executeTakeFirst();
  return { gapP95Ms: row === undefined ? null : Number(row.gap), gapCalls };
}

async function costOf(db: Db, of: Watched, fromMs: number): Promise<number> {
  let costs = db
    .selectFrom('costs')
    .select((eb) => eb.fn.sum<number | null>('total').as('total'))
    .where('accountId', '=', of.accountId)
    .where('beganAt', '>=', fromMs);
  for (const name of ['businessId', 'campaignId', 'agentId'] as const) {
    const value = of[name];
    if (value !== null) costs = costs.where(name, '=', value);
  }
  const { total } = await costs.executeTakeFirstOrThrow();
  return Number(total ?? 0);
}
