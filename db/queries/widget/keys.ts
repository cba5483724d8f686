// Public keys of widgets: found by themselves by visitors, and by their ids by the account that has them.
import type { Updateable } from 'kysely';
import type { WidgetKeyTable } from '../../schema/widget.ts';
import type { Db } from '../../schema.ts';
import { compiledStatement } from '../../statements/compiled-statement.ts';
import { newestPage, type Page } from '../newest-page.ts';

// Each request of a visitor, or of somebody who has read the key, runs this.
const keyNamed = compiledStatement((db, { publicKey, nowMs }: { publicKey: string; nowMs: number }) =>
  db
    .selectFrom('widgetKeys')
    .innerJoin('campaigns', 'campaigns.id', 'widgetKeys.campaignId')
    .selectAll('widgetKeys')
    .where('campaigns.deletedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('publicKey', '=', publicKey),
        eb.and([eb('previousKey', '=', publicKey), eb('previousUntil', '>', nowMs)]),
      ]),
    ),
);

/** The key that a page names, of any account: a visitor has no other. Not one whose campaign is deleted. */
export async function findWidgetKey(db: Db, publicKey: string, nowMs: number): Promise<WidgetKeyTable | undefined> {
  const [row] = await keyNamed(db, { publicKey, nowMs });
  return row;
}

export function listWidgetKeys(db: Db, accountId: string, campaignId: string | undefined, page: Page) {
  const rows = db.selectFrom('widgetKeys').selectAll().where('accountId', '=', accountId);
  return newestPage(campaignId === undefined ? rows : rows.where('campaignId', '=', campaignId), page);
}

export async function countWidgetKeys(db: Db, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom('widgetKeys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

const own = (db: Db, accountId: string, id: string) =>
  db.selectFrom('widgetKeys').selectAll().where('id', '=', id).where('accountId', '=', accountId);

export const getWidgetKey = (db: Db, accountId: string, id: string): Promise<WidgetKeyTable | undefined> =>
  own(db, accountId, id).executeTakeFirst();

export async function insertWidgetKey(db: Db, row: WidgetKeyTable): Promise<void> {
  await db.insertInto('widgetKeys').values(row).execute();
}

export async function updateWidgetKey(
  db: Db,
  accountId: string,
  id: string,
  changes: Updateable<Omit<WidgetKeyTable, 'id' | 'accountId'>>,
): Promise<WidgetKeyTable | undefined> {
  const change = db
    .updateTable('widgetKeys')
    // At least one column must be set, so that an empty change also returns the row.
    .set({ accountId, ...changes })
    .where('id', '=', id)
    .where('accountId', '=', accountId);
  return change.returningAll().executeTakeFirst();
}

/** With all that is kept of it but the conversations. Call it in a transaction. */
export async function deleteWidgetKey(tx: Db, accountId: string, id: string): Promise<boolean> {
  for (const table of ['widgetDays', 'widgetRefusals', 'widgetCalls', 'widgetVisitors'] as const)
    await tx.deleteFrom(table).where('keyId', '=', id).where('accountId', '=', accountId).execute();
  const { numDeletedRows } = await tx
    .deleteFrom('widgetKeys')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
