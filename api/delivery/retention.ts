// Removes entries of the delivery log and the outbox after 30 days. A deleted subscription's row is removed with the
// last entry of its log.
import { DAY_MS } from '../../db/domain/durations.ts';
import { removeDeletedWebhooks, removeOldDeliveries } from '../../db/queries/webhooks/deliveries.ts';
import { removeOldEvents } from '../../db/queries/webhooks/events.ts';
import type { ApiContext } from '../context.ts';

const MINUTE_MS = 60_000;
const LOG_DAYS = 30;
/** A busy installation logs millions of deliveries a day, so every minute a bounded number is deleted. */
const EVERY_MS = MINUTE_MS;

interface DeliveryRetentionJob {
  name: string;
  everyMs: number;
  run(context: ApiContext, nowMs: number, limit: number): Promise<number>;
}

export const deliveryRetentionJobs: readonly DeliveryRetentionJob[] = [
  {
    name: 'webhook-deliveries',
    everyMs: EVERY_MS,
    run: ({ db }, nowMs, limit) =>
      db.transaction().execute((tx) => removeOldDeliveries(tx, nowMs - LOG_DAYS * DAY_MS, limit)),
  },
  {
    name: 'deleted-webhooks',
    everyMs: 60 * MINUTE_MS,
    run: ({ db }, nowMs, limit) =>
      db.transaction().execute((tx) => removeDeletedWebhooks(tx, nowMs - LOG_DAYS * DAY_MS, limit)),
  },
  {
    name: 'events',
    everyMs: EVERY_MS,
    run: ({ db }, nowMs, limit) =>
      db.transaction().execute((tx) => removeOldEvents(tx, nowMs - LOG_DAYS * DAY_MS, limit)),
  },
];
