// Billing's background jobs: settlement and finished releases every few seconds, the billing run once a day. Two loops,
// so that a long run does not delay settlement; each runs one round at a time.
import { lastJobRun, noteJobRun, unattendCharges } from '../../db/queries/numbers/charges.ts';
import { finishReleases } from '../../db/queries/numbers/phone-numbers.ts';
import type { ApiContext } from '../context.ts';
import { Leader } from '../peers/leader.ts';
import { runBilling } from './monthly.ts';
import { settleCharges } from './settlement.ts';

/** Two rounds and the provider's time-outs stay within the 30 s in which everything is settled. */
const SETTLE_EVERY_MS = 5_000;
const LOOK_AT_DATE_EVERY_MS = 60_000;
/** A run that found the provider down is repeated after this time. */
const RUN_AGAIN_MS = 3_600_000;
const BILLING_JOB = 'billing';

export interface BillingJobs {
  /** Resolves when the current rounds are done. */
  stop(): Promise<void>;
}

export async function startBillingJobs(context: ApiContext): Promise<BillingJobs> {
  // A charge in flight whose process died is taken up by its successor.
  const leader = new Leader(context, 'billing', () => unattendCharges(context.db));
  await leader.start();
  const before: RunBefore = { failedAtMs: null };
  const loops = [
    loop(context, SETTLE_EVERY_MS, async () => {
      if (leader.leads) await settlementRound(context);
    }),
    loop(context, LOOK_AT_DATE_EVERY_MS, async () => {
      if (leader.leads) await dailyRound(context, before);
    }),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((one) => one.stop()));
      await leader.stop();
    },
  };
}

function loop(context: ApiContext, everyMs: number, work: () => Promise<void>): BillingJobs {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = turn();

  async function turn(): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!context.outage.explains(error)) context.log.error({ err: error }, 'billing round failed');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      round = turn();
    }, everyMs);
    timer.unref();
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

/** Finishes releases whose last call ended in a crash, and abandoned charges. */
export async function settlementRound(context: ApiContext): Promise<void> {
  await context.db.transaction().execute((trx) => finishReleases(trx, context.now()));
  await settleCharges(context);
}

/** When a daily run last found the provider down. */
export interface RunBefore {
  failedAtMs: number | null;
}

/** The daily run, unless it has run today (UTC). */
export async function dailyRound(context: ApiContext, before: RunBefore): Promise<void> {
  const nowMs = context.now();
  const last = await lastJobRun(context.db, BILLING_JOB);
  if (last !== null && dayOf(last) === dayOf(nowMs)) return;
  if (before.failedAtMs !== null && nowMs < before.failedAtMs + RUN_AGAIN_MS) return;
  const { complete } = await runBilling(context, nowMs);
  before.failedAtMs = complete ? null : nowMs;
  if (complete) await noteJobRun(context.db, BILLING_JOB, nowMs);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
