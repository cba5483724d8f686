// What happens without anybody asking: settlement every few seconds, the billing run once a day, releases whose last call
// ended with a crash. One timer, one round at a time.
import { lastJobRun, noteJobRun, unattendCharges } from '../../db/queries/charges.ts';
import { finishReleases } from '../../db/queries/phone-numbers.ts';
import type { ApiContext } from '../context.ts';
import { runBilling } from './monthly.ts';
import { settleCharges } from './settlement.ts';

/** Two rounds and the provider's time-outs stay within the 30 s in which everything is settled. */
const ROUND_EVERY_MS = 5_000;
/** A run that found the provider down is repeated after this. */
const RUN_AGAIN_MS = 3_600_000;
const BILLING_JOB = 'billing';

export interface BillingJobs {
  /** Ends after the round that is under way. */
  stop(): Promise<void>;
}

export function startBillingJobs(context: ApiContext): BillingJobs {
  const runBefore: RunBefore = { failedAtMs: null };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = unattendCharges(context.db).then(tick);

  async function tick(): Promise<void> {
    try {
      await billingRound(context, runBefore);
    } catch (error) {
      context.log.error({ err: error }, 'billing round failed');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      round = tick();
    }, ROUND_EVERY_MS);
    timer.unref();
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round.catch(() => {});
    },
  };
}

/** When a daily run last found the provider down. */
export interface RunBefore {
  failedAtMs: number | null;
}

/** One round: releases, settlement, and the daily run where the day (UTC) has had none. */
export async function billingRound(context: ApiContext, runBefore: RunBefore): Promise<void> {
  const nowMs = context.now();
  await context.db.transaction().execute((trx) => finishReleases(trx, nowMs));
  await settleCharges(context);
  const last = await lastJobRun(context.db, BILLING_JOB);
  if (last !== null && dayOf(last) === dayOf(nowMs)) return;
  if (runBefore.failedAtMs !== null && nowMs < runBefore.failedAtMs + RUN_AGAIN_MS) return;
  const { complete } = await runBilling(context, nowMs);
  runBefore.failedAtMs = complete ? null : nowMs;
  if (complete) await noteJobRun(context.db, BILLING_JOB, nowMs);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
