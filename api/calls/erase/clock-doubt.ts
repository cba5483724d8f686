// A clock that is far ahead for one night would have every call erased for good. So where no sweep has run for days, as
// far as the clock says, the calls stay for three days more: somebody sees by then that the clock is wrong, or it is
// right, and the service was off. The doubt is a row, so that no restart ends it.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { holdSweep, listSweeps, releaseSweep, sweepHeldUntil } from '../../../db/queries/calls/ended/sweeps.ts';
import type { Db } from '../../../db/schema.ts';

/** A service that runs sweeps each night; a weekend in which it was off is no doubt. */
const GAP_MS = 3 * DAY_MS;
const DOUBTED_FOR_MS = 3 * DAY_MS;

/** Until when nothing is to be erased; null: the clock is believed. */
export async function clockDoubt(db: Db, nowMs: number): Promise<number | null> {
  const swept = (await listSweeps(db)).map(({ sweptAt }) => sweptAt).filter((sweptAt) => sweptAt <= nowMs);
  const newest = Math.max(0, ...swept);
  if (newest === 0 || nowMs - newest <= GAP_MS) {
    await releaseSweep(db);
    return null;
  }
  const known = await sweepHeldUntil(db);
  const untilMs = nowMs + DOUBTED_FOR_MS;
  if (known !== null && known <= untilMs) return known > nowMs ? known : null;
  // The first look, or the clock was set back since.
  await holdSweep(db, untilMs);
  return untilMs;
}
