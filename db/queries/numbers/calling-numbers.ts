// The calling numbers of a campaign: its numbers that are active and not being released. The dialler's plan has the
// same rule in its own SQL (dialling/due.ts), because its index needs literal values.
import type { ExpressionBuilder } from 'kysely';
import type { Db, Schema } from '../../schema.ts';

/** Whether a row of `phone_numbers` may place calls. */
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

/** Names of running campaigns with contacts to call and no number to call by; at most `limit`. */
export async function campaignsWithoutNumber(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('name')
    .where('status', '=', 'RUNNING')
    .where('deletedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('phoneNumbers')
            .select('phoneNumbers.id')
            .whereRef('phoneNumbers.campaignId', '=', 'campaigns.id')
            .where(mayPlaceCalls),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('contactCountsNow')
          .select('contactCountsNow.campaignId')
          .whereRef('contactCountsNow.campaignId', '=', 'campaigns.id')
          .where('contactCountsNow.status', '=', 'PENDING')
          .where('contactCountsNow.total', '>', 0),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
