// The API's background work. Each entry starts its work and returns a function that ends it.

import { findEngineState } from '../db/queries/engine-state.ts';
import { checkpoint } from '../db/sqlite.ts';
import { startBillingJobs } from './billing/jobs.ts';
import { expireCalls } from './calls/end.ts';
import { CallSweeps } from './calls/sweeps.ts';
import type { ApiContext } from './context.ts';
import { startDelivery } from './delivery/background.ts';
import { notReady } from './health.ts';
import { runRetention } from './retention.ts';

export interface BackgroundWork {
  stop(): Promise<void>;
  /**
   * Variables of ports that were taken, e.g. METRICS_PORT: reported to the supervisor, so that port 0 keeps its number
   * after a restart.
   */
  ports?: Record<string, string>;
}

export const background: ReadonlyArray<(context: ApiContext) => BackgroundWork | Promise<BackgroundWork>> = [
  startBillingJobs,
  startDelivery,
  startRetention,
  startCheckpoints,
  startCallExpiry,
  startCallSweeps,
  startMails,
  startStatusProbes,
];

/** Runs `work` every `everyMs`, never twice at once; `stop` waits for a run that has begun. */
export function every(
  everyMs: number,
  context: ApiContext,
  name: string,
  work: () => Promise<unknown>,
): BackgroundWork {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => context.log.error({ err: error, work: name }, 'background work failed'))
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

function startRetention(context: ApiContext): BackgroundWork {
  return every(30_000, context, 'retention', () => runRetention(context));
}

/**
 * The engine's writer checkpoints the log of the database; while it is down the API does, or the log would only grow.
 */
function startCheckpoints(context: ApiContext): BackgroundWork {
  return every(10_000, context, 'checkpoint', async () => {
    if (notReady(await findEngineState(context.read), context.now()) !== null) await checkpoint(context.db);
  });
}

/** Calls that no engine took in time end within a second of it. */
function startCallExpiry(context: ApiContext): BackgroundWork {
  return every(1_000, context, 'call-expiry', () => expireCalls(context));
}

/** Calls that are older than their account keeps them. */
function startCallSweeps(context: ApiContext): BackgroundWork {
  const sweeps = new CallSweeps(context);
  const work = every(60_000, context, 'call-sweep', () => sweeps.run());
  return {
    async stop() {
      sweeps.stop();
      await work.stop();
    },
  };
}

/** The figures of `GET /admin/status`, which must not wait for them. */
async function startStatusProbes(context: ApiContext): Promise<BackgroundWork> {
  await context.probes.sample().catch(() => undefined);
  return every(10_000, context, 'status', () => context.probes.sample());
}

/** Mails that another process left, and those that are to be tried again. */
function startMails(context: ApiContext): BackgroundWork {
  return every(1_000, context, 'mails', () => context.mail.wake());
}
