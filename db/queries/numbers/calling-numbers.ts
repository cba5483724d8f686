// The numbers by which a campaign calls: it has them, nobody releases them, and none is switched off. The dialler's
// plan says the same in its own SQL (dialling/due.ts), whose index wants the values written out.
import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { Db } from '../../sqlite.ts';

/** Of a row of `phone_numbers`: whether calls may be placed by it. */
export const mayPlaceCalls = (eb: ExpressionBuilder<Schema, 'phoneNumbers'>) =>
  eb.and([eb('phoneNumbers.status', '=', 'active'), eb('phoneNumbers.isActive', '=', 1)]);

/** Whether any number of the campaign may place calls. */
export async function hasCallingNumber(db: Db, campaignId: string): Promise<boolean> {
  const row = await db
    .selectFrom('phoneNumbers')
    .select('id')
    .where('campaignId', '=', campaignId)
    .where(mayPlaceCalls)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
