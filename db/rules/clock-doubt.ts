// A clock that is far ahead for one night would have every call erased for good, and a year of the audit log. Where
// what is deleted by age has not been looked for in days, as far as the clock says, it stays for three days more. By
// then somebody sees that the clock is wrong; or it is right, and the service was off. The doubt is a row, so that no
// restart ends it.
import { DAY_MS } from '../domain/hours/durations.ts';
import type { Db } from '../schema.ts';

/** A service that runs deletes each night at least; a weekend in which it was off is no doubt. */
export const GAP_MS = 3 * DAY_MS;
const DOUBTED_FOR_MS = 3 * DAY_MS;
/** Rows among the leases: nothing is deleted until they expire. */
const ROWS = { sweep: 'sweep-clock', retention: 'retention-clock' } as const;
/** Kinds of deletion by age: of old calls each night, of old rows of other kinds each minute. */
type DeletedByAge = keyof typeof ROWS;

/**
 * @param newestRunMs of the last deletion, at most `nowMs`; 0: there was none
 * @returns until when nothing is to be deleted; null: the clock is believed
 */
export async function clockDoubt(
  db: Db,
  what: DeletedByAge,
  { newestRunMs, nowMs }: { newestRunMs: number; nowMs: number },
): Promise<number | null> {
  if (newestRunMs === 0 || nowMs - newestRunMs <= GAP_MS) {
    await db.deleteFrom('leases').where('name', '=', ROWS[what]).execute();
    return null;
  }
  const known = await heldUntil(db, [what]);
  const untilMs = nowMs + DOUBTED_FOR_MS;
  if (known !== null && known <= untilMs) return known > nowMs ? known : null;
  // The first look, or the clock was set back since.
  await holdDeletions(db, what, untilMs);
  return untilMs;
}

/** Until when nothing of one of these kinds is deleted, because the clock is doubted; null: it is believed. */
export async function heldUntil(
  db: Db,
  whats: readonly DeletedByAge[] = ['sweep', 'retention'],
): Promise<number | null> {
  const rows = await db
    .selectFrom('leases')
    .select('expiresAt')
    .where(
      'name',
      'in',
      whats.map((what) => ROWS[what]),
    )
    .execute();
  return rows.length === 0 ? null : Math.max(...rows.map(({ expiresAt }) => expiresAt));
}

export async function holdDeletions(db: Db, what: DeletedByAge, untilMs: number): Promise<void> {
  const held = { holder: '', epoch: 0, expiresAt: untilMs };
  await db
    .insertInto('leases')
    .values({ name: ROWS[what], ...held })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(held))
    .execute();
}
