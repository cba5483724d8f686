// The secret address of a business's appointments as a calendar, and what stands in it.
import type { BusinessTable } from '../../schema/businesses.ts';
import type { CalendarFeedTable } from '../../schema/calendars.ts';
import type { Db } from '../../schema.ts';

export function getFeed(db: Db, accountId: string, businessId: string): Promise<CalendarFeedTable | undefined> {
  return db
    .selectFrom('calendarFeeds')
    .selectAll()
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
}

/** In place of the one before, whose address ends with it. */
export async function putFeed(db: Db, feed: CalendarFeedTable): Promise<void> {
  const { tokenHash, names, createdAt } = feed;
  await db
    .insertInto('calendarFeeds')
    .values(feed)
    .onConflict((conflict) => conflict.column('businessId').doUpdateSet({ tokenHash, names, createdAt }))
    .execute();
}

export async function deleteFeed(db: Db, accountId: string, businessId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('calendarFeeds')
    .where('businessId', '=', businessId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The feed and business whose address this is; a deleted business has none. */
export async function feedAt(
  db: Db,
  businessId: string,
  tokenHash: string,
): Promise<{ feed: CalendarFeedTable; business: BusinessTable } | null> {
  const feed = await db
    .selectFrom('calendarFeeds')
    .selectAll()
    .where('businessId', '=', businessId)
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst();
  if (feed === undefined) return null;
  const business = await db
    .selectFrom('businesses')
    .selectAll()
    .where('id', '=', businessId)
    .where('accountId', '=', feed.accountId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return business === undefined ? null : { feed, business };
}
