// The proxy in front of several engines reads from the database who they are, every 5 s (docs/cluster.md). It takes
// the requests of an engine that it does not know yet for a stranger's: a call placed there would be answered by
// another engine, as if it were for us. So an engine that starts places no call and registers nowhere before the
// proxy knows it.
import { listKnownAddresses } from '../../db/queries/engine/engines.ts';
import type { Db } from '../../db/schema.ts';
import { type Clock, sleep } from '../clock.ts';

/** The proxy has read the view by then: it does every 5 s. */
export const EDGE_READS_WITHIN_MS = 6_000;
/** An engine that has ended stays in the view for 20 s (db/postgres/migrations/0074-edge-knows.sql). */
export const EDGE_KEEPS_MS = 20_000;

interface EdgeOptions {
  read: Db;
  clock: Clock;
  engineId: string;
  sipUri: string;
  /** Ms that the database's clock is ahead. */
  skewMs(): number;
}

/**
 * Resolves when the proxy knows this engine, whose row has its address by now. At once where it knew the one before.
 */
export async function edgeKnows({ read, clock, engineId, sipUri, skewMs }: EdgeOptions): Promise<void> {
  const sinceMs = clock.nowMs() + skewMs() - (EDGE_KEEPS_MS - EDGE_READS_WITHIN_MS);
  const before = await listKnownAddresses(read, { sinceMs, exceptId: engineId }).catch((): string[] => []);
  if (!before.includes(sipUri)) await sleep(clock, EDGE_READS_WITHIN_MS);
}
