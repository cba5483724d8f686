// Orders to port a number in from another carrier, and their documents. A change of status, its entry in the history
// and its webhook event are one transaction.

import type { Selectable } from 'kysely';
import { isOpenPort, PORT_STATUSES } from '../../domain/port-order.ts';
import { addEvent } from '../../outbox.ts';
import { portOrderResource } from '../../records/resources.ts';
import type { PortDocumentTable, PortOrderTable } from '../../schema/lines/phone-numbers.ts';
import type { Db } from '../../schema.ts';
import { newId } from '../../shared/id.ts';
import { addFileDeletions } from '../files/deletions.ts';
import { newestPage, type Page } from '../newest-page.ts';

export type PortOrderRow = Selectable<PortOrderTable>;
export type PortDocumentRow = Selectable<PortDocumentTable>;
type PortOrderStatus = PortOrderTable['status'];

/** Statuses of an open order. */
const OPEN_PORT_STATUSES = PORT_STATUSES.filter(isOpenPort);

interface NewPortOrder {
  phoneNumber: string;
  /** ISO date. */
  loaSignedAt: string;
  accountHolder: string;
  nowMs: number;
}

/**
 * Adds an order in DRAFT. `open`: the account has an open order for the number; `many`: it has `openMax` open orders,
 * and each may store documents. Call it in a transaction.
 */
export async function addPortOrder(
  db: Db,
  accountId: string,
  order: NewPortOrder,
  openMax: number,
): Promise<PortOrderRow | 'open' | 'many'> {
  const open = await db
    .selectFrom('portOrders')
    .select('phoneNumber')
    .where('accountId', '=', accountId)
    .where('status', 'in', OPEN_PORT_STATUSES)
    .limit(openMax)
    .execute();
  if (open.some((row) => row.phoneNumber === order.phoneNumber)) return 'open';
  if (open.length >= openMax) return 'many';
  return db
    .insertInto('portOrders')
    .values({
      id: newId('port'),
      accountId,
      phoneNumber: order.phoneNumber,
      loaSignedAt: order.loaSignedAt,
      accountHolder: order.accountHolder,
      status: 'DRAFT',
      statusHistory: JSON.stringify([{ status: 'DRAFT', at: order.nowMs }]),
      focDate: null,
      createdAt: order.nowMs,
      carrier: null,
      carrierAskedAt: 0,
      carrierEndedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Orders of one account, or of all for an ADMIN (`accountId` null), newest first. */
export async function listPortOrders(
  db: Db,
  accountId: string | null,
  page: Page,
): Promise<{ rows: PortOrderRow[]; total: number }> {
  const matching = db
    .selectFrom('portOrders')
    .$if(accountId !== null, (query) => query.where('accountId', '=', accountId ?? ''));
  return newestPage(matching.selectAll(), page);
}

/** One order; `accountId` null: of any account, for an ADMIN. */
export async function getPortOrder(db: Db, accountId: string | null, id: string): Promise<PortOrderRow | null> {
  const row = await db
    .selectFrom('portOrders')
    .selectAll()
    .where('id', '=', id)
    .$if(accountId !== null, (query) => query.where('accountId', '=', accountId ?? ''))
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Moves an order from the status in `row` to another, with history and event. Call it in a transaction. Null when the
 * order has changed since.
 */
export async function movePortOrder(
  db: Db,
  accountId: string,
  row: PortOrderRow,
  change: { status: PortOrderStatus; reason?: string; focDate?: string; nowMs: number },
): Promise<PortOrderRow | null> {
  const history = JSON.parse(row.statusHistory) as unknown[];
  history.push({
    status: change.status,
    at: change.nowMs,
    ...(change.reason === undefined ? {} : { reason: change.reason }),
  });
  const moved = await db
    .updateTable('portOrders')
    .set({
      status: change.status,
      statusHistory: JSON.stringify(history),
      ...(change.focDate === undefined ? {} : { focDate: change.focDate }),
    })
    .where('id', '=', row.id)
    .where('accountId', '=', accountId)
    .where('status', '=', row.status)
    .returningAll()
    .executeTakeFirst();
  if (!moved) return null;
  await addEvent(db, {
    accountId,
    type: 'port-order.status_changed',
    subjectId: moved.id,
    dedupe: `${moved.status}:${history.length}`,
    data: portOrderResource(moved),
    nowMs: change.nowMs,
  });
  return moved;
}

/** The documents of an order, the latest of each kind, LOA first. */
export async function listPortDocuments(db: Db, accountId: string, portOrderId: string): Promise<PortDocumentRow[]> {
  const rows = await db
    .selectFrom('portDocuments')
    .selectAll()
    .where('portOrderId', '=', portOrderId)
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
  const latest = new Map(rows.map((row) => [row.kind, row]));
  return [...latest.values()].sort((a, b) => (a.kind > b.kind ? -1 : 1));
}

/**
 * Adds a document to its order in place of an earlier one of its kind, and returns the earlier row so that the caller
 * can remove its file. Call it in a transaction.
 */
export async function putPortDocument(
  db: Db,
  accountId: string,
  document: Omit<PortDocumentTable, 'accountId'>,
): Promise<PortDocumentRow[]> {
  const replaced = await db
    .deleteFrom('portDocuments')
    .where('portOrderId', '=', document.portOrderId)
    .where('accountId', '=', accountId)
    .where('kind', '=', document.kind)
    .returningAll()
    .execute();
  await db
    .insertInto('portDocuments')
    .values({ ...document, accountId })
    .execute();
  return replaced;
}

/** Documents of all accounts, by their ids: for what moves their files. */
export function documentsAfter(db: Db, afterId: string, limit: number): Promise<PortDocumentRow[]> {
  return db.selectFrom('portDocuments').selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute();
}

/** The file of a document has moved. False if the document is gone. */
export async function movePortDocument(db: Db, args: { id: string; from: string; to: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portDocuments')
    .set({ path: args.to })
    .where('id', '=', args.id)
    .where('path', '=', args.from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Bytes of the documents that an account has stored. */
export async function portDocumentBytes(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('portDocuments')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/**
 * Deletes at most `limit` documents of orders that were cancelled, rejected, or completed before `completedBefore`.
 * Returns the paths of their files: the caller must remove those on the disk. Files in the object store are noted for
 * deletion.
 */
export async function deleteClosedDocuments(
  db: Db,
  { completedBefore, nowMs, limit }: { completedBefore: number; nowMs: number; limit: number },
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const over: Awaited<ReturnType<typeof closedDocuments>> = [];
    // Documents that are not due yet count for nothing: `limit` of them would hold up all others.
    for (let afterId = ''; over.length < limit; ) {
      const page = await closedDocuments(trx, afterId, limit);
      over.push(...page.filter((row) => isDue(row, completedBefore)).slice(0, limit - over.length));
      const last = page.at(-1);
      if (last === undefined || page.length < limit) break;
      afterId = last.id;
    }
    if (over.length === 0) return [];
    const ids = over.map(({ id }) => id);
    await trx.deleteFrom('portDocuments').where('id', 'in', ids).execute();
    const paths = over.map(({ path }) => path);
    await addFileDeletions(trx, paths, { nowMs });
    return paths;
  });
}

/** Documents of orders that are over, by their ids. */
function closedDocuments(db: Db, afterId: string, limit: number) {
  return db
    .selectFrom('portDocuments')
    .innerJoin('portOrders', 'portOrders.id', 'portDocuments.portOrderId')
    .select(['portDocuments.id', 'portDocuments.path', 'portOrders.status', 'portOrders.statusHistory'])
    .where('portOrders.status', 'in', ['CANCELLED', 'REJECTED', 'COMPLETED'])
    .where('portDocuments.id', '>', afterId)
    .orderBy('portDocuments.id')
    .limit(limit)
    .execute();
}

function isDue(
  { status, statusHistory }: Pick<PortOrderTable, 'status' | 'statusHistory'>,
  completedBefore: number,
): boolean {
  if (status !== 'COMPLETED') return true;
  return ((JSON.parse(statusHistory) as Array<{ at: number }>).at(-1)?.at ?? 0) < completedBefore;
}
