// Follows how far the database's clock is ahead of this machine's.
import { databaseSkewMs } from '../../db/clock-skew.ts';
import type { Db } from '../../db/schema.ts';
import { type Clock, every } from '../clock.ts';

const ASK_EVERY_MS = 10_000;

export interface Skew {
  /** Ms that the database's clock is ahead. */
  readonly ms: number;
  stop(): void;
}

export async function watchSkew(read: Db, clock: Clock): Promise<Skew> {
  const ask = (): Promise<number> => databaseSkewMs(read, () => clock.nowMs());
  let ms = await ask();
  const stop = every(clock, ASK_EVERY_MS, () => {
    ask().then(
      (found) => {
        ms = found;
      },
      // The database is away: the last answer stays.
      () => undefined,
    );
  });
  return {
    get ms() {
      return ms;
    },
    stop,
  };
}
