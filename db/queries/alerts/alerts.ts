// Alert rules and their firings: kept for tenants, looked at when they are due, fired and ended once.
import type { AlertFiringTable, AlertRuleTable } from '../../schema/alerts.ts';
import type { Db } from '../../schema.ts';
import { newestPage, type Page } from '../newest-page.ts';

export const listAlertRules = (db: Db, accountId: string, page: Page) =>
  newestPage(db.selectFrom('alertRules').selectAll().where('accountId', '=', accountId), page);

export function findAlertRule(db: Db, accountId: string, id: string): Promise<AlertRuleTable | undefined> {
  return db
    .selectFrom('alertRules')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countAlertRules(db: Db, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom('alertRules')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function insertAlertRule(tx: Db, rule: AlertRuleTable): Promise<void> {
  await tx.insertInto('alertRules').values(rule).execute();
}

export async function updateAlertRule(tx: Db, id: string, changes: Partial<AlertRuleTable>): Promise<void> {
  if (Object.keys(changes).length > 0) await tx.updateTable('alertRules').set(changes).where('id', '=', id).execute();
}

/** With all that it fired. */
export async function deleteAlertRule(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom('alertFirings').where('accountId', '=', accountId).where('ruleId', '=', id).execute();
  await tx.deleteFrom('alertRules').where('accountId', '=', accountId).where('id', '=', id).execute();
}

/** The longest due first. */
export function dueAlertRules(db: Db, nowMs: number, limit: number): Promise<AlertRuleTable[]> {
  return db
    .selectFrom('alertRules')
    .selectAll()
    .where('isActive', '=', 1)
    .where('dueAt', '<=', nowMs)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** False: another process was first, or the rule has changed. */
export async function noteAlertValue(
  tx: Db,
  { id, dueAt, threshold, isActive }: AlertRuleTable,
  changes: Pick<AlertRuleTable, 'dueAt' | 'firingId' | 'value' | 'valueCalls' | 'evaluatedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alertRules')
    .set(changes)
    .where('id', '=', id)
    .where('dueAt', '=', dueAt)
    .where('threshold', '=', threshold)
    .where('isActive', '=', isActive)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertFiring(tx: Db, firing: AlertFiringTable): Promise<void> {
  await tx.insertInto('alertFirings').values(firing).execute();
}

export async function endFiring(
  tx: Db,
  id: string,
  { endedAt, endedValue }: Pick<AlertFiringTable, 'endedAt' | 'endedValue'>,
): Promise<void> {
  await tx
    .updateTable('alertFirings')
    .set({ endedAt, endedValue })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
}

export const listFirings = (db: Db, accountId: string, ruleId: string, page: Page) =>
  newestPage(
    db.selectFrom('alertFirings').selectAll().where('accountId', '=', accountId).where('ruleId', '=', ruleId),
    page,
  );

/** With the name that its rule has now. */
export function findFiring(db: Db, accountId: string, id: string) {
  return db
    .selectFrom('alertFirings')
    .innerJoin('alertRules', 'alertRules.id', 'alertFirings.ruleId')
    .selectAll('alertFirings')
    .select('alertRules.name')
    .where('alertFirings.accountId', '=', accountId)
    .where('alertFirings.id', '=', id)
    .executeTakeFirst();
}

/** Removes up to `limit` firings from before `beforeMs` that are over. */
export async function deleteOldFirings(db: Db, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('alertFirings')
    .select('id')
    .where('createdAt', '<', beforeMs)
    .where('endedAt', 'is not', null)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  for (const { id } of rows) await db.deleteFrom('alertFirings').where('id', '=', id).execute();
  return rows.length;
}
