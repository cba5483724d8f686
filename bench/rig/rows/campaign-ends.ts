// Examines campaigns that have ended.
import type { Db } from '../../../db/schema.ts';

/** Contacts that wait or are being called; by default of all campaigns. */
export async function left(db: Db, campaignId?: string): Promise<number> {
  const { total } = await db
    .selectFrom('contacts')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$if(campaignId !== undefined, (query) => query.where('campaignId', '=', campaignId ?? ''))
    .where('status', 'in', ['PENDING', 'CALLING'])
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Calls with more than one `call.ended`. */
export async function severalEnds(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('events')
    .select('subjectId')
    .where('type', '=', 'call.ended')
    .groupBy('subjectId')
    .having((eb) => eb(eb.fn.countAll(), '>', 1))
    .execute();
  return rows.length;
}
