// Work that waits in the database is claimed by an engine for a while, which it prolongs as long as it works. Where the
// engine dies, another claims it when that time is over.
import type { Logger } from 'pino';
import { messageOf } from '../db/domain/unexpected.ts';
import type { Outage } from '../db/faults/outage.ts';
import { type Clock, every } from './clock.ts';

/** Longer than a database is away for a moment. */
export const CLAIMED_FOR_MS = 30_000;
const HOLD_EVERY_MS = 10_000;

interface Claimant {
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  outage: Pick<Outage, 'explains'>;
}

interface HeldClaim {
  /** Aborts once the work is another's. */
  lost: AbortSignal;
  end(): void;
}

/**
 * @param what is held, as a log names it
 * @param prolong false: it is another's
 */
export function holdClaim(
  { clock, log, outage }: Claimant,
  what: string,
  prolong: (untilMs: number) => Promise<boolean>,
): HeldClaim {
  const lost = new AbortController();
  const end = every(clock, HOLD_EVERY_MS, () => {
    prolong(clock.nowMs() + CLAIMED_FOR_MS)
      .then((isHeld) => isHeld || lost.abort())
      .catch((error: unknown) => {
        if (!outage.explains(error)) log.warn({ error: messageOf(error) }, `could not prolong the claim of ${what}`);
      });
  });
  return { lost: lost.signal, end };
}
