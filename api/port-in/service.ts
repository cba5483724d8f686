// Port-in orders: an account starts them, an ADMIN arranges the port with the carrier and advances them.
//
//   DRAFT ─(both documents)─► SUBMITTED ─► IN_REVIEW ─► FOC_SCHEDULED ─► COMPLETED (the number is there)
//     └───────────┬──────────────┴────────────┴──────────────┘
//                 └─► CANCELLED, and from SUBMITTED on REJECTED (with a reason)

import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { describeNumber } from '../../db/domain/numbers/describe-number.ts';
import { NEXT_PORT_STATUSES } from '../../db/domain/port-order.ts';
import { reserveCarrierOffers } from '../../db/queries/numbers/carrier-orders.ts';
import { findNumberInUse } from '../../db/queries/numbers/inventory.ts';
import { createPhoneNumber } from '../../db/queries/numbers/phone-numbers.ts';
import {
  addPortOrder,
  getPortOrder,
  listPortDocuments,
  listPortOrders,
  movePortOrder,
  type PortDocumentRow,
  type PortOrderRow,
} from '../../db/queries/numbers/port-orders.ts';
import { isoTime, portOrderResource } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import type { CarrierPortState } from '../carriers/carrier.ts';
import type { ApiContext } from '../context.ts';
import { invalid, notFound, refused } from '../frame/errors.ts';
import { offsetOf, type PageQuery, pagination } from '../frame/pagination.ts';
import { parseE164 } from '../frame/phone.ts';
import { dropClosedDocuments } from './closed-documents.ts';
import { postMoved } from './mails.ts';
import type { PortInBody, PortOrder, PortOrderPatch } from './schema.ts';

/** Most documents deleted together with an order; the hourly job deletes more. */
const CLOSED_AT_ONCE = 100;
/** Each order may store two documents of 10 MiB. */
const OPEN_ORDERS_MAX = 200;

export const missingOrder = () => notFound('Port order');

/** @throws {ApiError} 409, 422 */
export async function startPortIn(
  context: ApiContext,
  accountId: string,
  body: PortInBody,
  remember: (trx: Db, order: PortOrder) => Promise<void>,
): Promise<PortOrder> {
  const phoneNumber = parseE164(body.phoneNumber, 'phoneNumber');
  const nowMs = context.now();
  const signedMs = parseDay(body.loaSignedAt, 'loaSignedAt');
  // One day ahead is allowed, for letters signed in an earlier time zone.
  if (signedMs > nowMs + DAY_MS) throw invalid([{ field: 'loaSignedAt', message: 'must not lie in the future' }]);
  return context.db.transaction().execute(async (trx) => {
    const live = await findNumberInUse(trx, phoneNumber);
    if (live?.accountId === accountId) throw refused('NUMBER_OWNED', 'The number is already in this account');
    const { loaSignedAt } = body;
    const fields = { phoneNumber, loaSignedAt, accountHolder: body.accountHolder.trim(), nowMs };
    const row = await addPortOrder(trx, accountId, fields, OPEN_ORDERS_MAX);
    if (row === 'open') throw refused('PORT_ORDER_OPEN', 'A port order for this number is under way');
    if (row === 'many')
      throw refused('PORT_ORDER_LIMIT', `${OPEN_ORDERS_MAX} port orders are under way: cancel or finish some first`);
    const order = portOrderRecord(row, []);
    await remember(trx, order);
    return order;
  });
}

function parseDay(text: string, field: string): number {
  const ms = Date.parse(text);
  // 2026-02-30 does not exist; Date.parse would turn it into March.
  const isDay =
    !Number.isNaN(ms) && new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
  if (!isDay) throw invalid([{ field, message: 'must be a valid ISO-8601 date' }]);
  return ms;
}

export async function portOrders(context: ApiContext, accountId: string, page: PageQuery) {
  const { rows, total } = await listPortOrders(context.read, accountId, { limit: page.limit, offset: offsetOf(page) });
  const data = await Promise.all(rows.map((row) => withDocuments(context.read, row)));
  return { data, pagination: pagination(page.page, page.limit, total) };
}

/** All accounts' orders, for an ADMIN. */
export async function allPortOrders(context: ApiContext, page: PageQuery) {
  const { rows, total } = await listPortOrders(context.read, null, { limit: page.limit, offset: offsetOf(page) });
  const data = await Promise.all(
    rows.map(async (row) => ({ ...(await withDocuments(context.read, row)), accountId: row.accountId })),
  );
  return { data, pagination: pagination(page.page, page.limit, total) };
}

/** @throws {ApiError} 404 */
export async function portOrder(context: Pick<ApiContext, 'read'>, accountId: string, id: string): Promise<PortOrder> {
  const row = await getPortOrder(context.read, accountId, id);
  if (row === null) throw missingOrder();
  return withDocuments(context.read, row);
}

/** @throws {ApiError} 404, 409 for a finished order */
export async function cancelPortOrder(context: ApiContext, accountId: string, id: string): Promise<PortOrder> {
  await context.db.transaction().execute(async (trx) => {
    const row = await getPortOrder(trx, accountId, id);
    if (row === null) throw missingOrder();
    await move(trx, row, { status: 'CANCELLED' }, context.now());
  });
  await dropClosedDocuments(context, context.now(), CLOSED_AT_ONCE);
  return portOrder({ read: context.db }, accountId, id);
}

/** Moves an order of any account. @throws {ApiError} 404, 409 for an impossible transition, 422 */
export async function movePortOrderAsAdmin(context: ApiContext, id: string, patch: PortOrderPatch) {
  if (patch.status === 'REJECTED' && patch.reason === undefined) {
    throw invalid([{ field: 'reason', message: 'is required to reject an order' }]);
  }
  if (patch.focDate !== undefined) parseDay(patch.focDate, 'focDate');
  const answer = await context.db.transaction().execute(async (trx) => {
    const row = await getPortOrder(trx, null, id);
    if (row === null) throw missingOrder();
    const moved = await move(trx, row, patch, context.now());
    await postMoved(context, trx, moved, patch.reason);
    if (moved.status === 'COMPLETED') await bringNumber(trx, moved, context.now());
    return { ...(await withDocuments(trx, moved)), accountId: moved.accountId };
  });
  await context.mail.wake();
  return answer;
}

export async function move(trx: Db, row: PortOrderRow, patch: PortOrderPatch, nowMs: number): Promise<PortOrderRow> {
  if (!NEXT_PORT_STATUSES[row.status].includes(patch.status)) {
    throw refused('PORT_ORDER_STATUS_CONFLICT', `The order is ${row.status}: it cannot become ${patch.status}`);
  }
  if (patch.status === 'SUBMITTED' && (await listPortDocuments(trx, row.accountId, row.id)).length < 2) {
    throw refused(
      'DOCUMENTS_MISSING',
      'The order is DRAFT: it cannot become SUBMITTED before both documents are there',
    );
  }
  const moved = await movePortOrder(trx, row.accountId, row, { ...patch, nowMs });
  if (moved === null) throw refused('CHANGED_MEANWHILE', 'The order has been changed meanwhile');
  return moved;
}

/** The number has been ported: it belongs to the account, unassigned, at no cost. `at`: the carrier that has it now. */
export async function bringNumber(
  trx: Db,
  order: PortOrderRow,
  nowMs: number,
  at: CarrierPortState['at'] = undefined,
): Promise<void> {
  const { accountId, phoneNumber } = order;
  const ported = { phoneNumber, ...describeNumber(phoneNumber), capabilities: ['voice'], monthlyCost: 0 };
  if (at !== undefined) {
    const offers = [{ ...ported, carrierPrice: null }];
    await reserveCarrierOffers(trx, accountId, { ...at, offers }, { nowMs, untilMs: nowMs });
  }
  const number = await createPhoneNumber(trx, accountId, {
    ...ported,
    campaignId: null,
    trunkId: at?.trunkId ?? null,
    nowMs,
  });
  if (number === null)
    throw refused('NUMBER_TAKEN', `${order.phoneNumber} is held by an account, or reserved, in this installation`);
}

/** Submits an order with both documents. Call it in the transaction that added one. */
export async function submitWhenReady(trx: Db, row: PortOrderRow, nowMs: number): Promise<PortOrderRow> {
  if (row.status !== 'DRAFT' || (await listPortDocuments(trx, row.accountId, row.id)).length < 2) return row;
  return move(trx, row, { status: 'SUBMITTED' }, nowMs);
}

export async function withDocuments(db: Db, row: PortOrderRow): Promise<PortOrder> {
  return portOrderRecord(row, await listPortDocuments(db, row.accountId, row.id));
}

const portOrderRecord = (row: PortOrderRow, documents: readonly PortDocumentRow[]): PortOrder => ({
  ...portOrderResource(row),
  documents: documents.map(({ id, kind, fileName, contentType, bytes, createdAt }) => ({
    id,
    kind,
    fileName,
    contentType,
    bytes,
    createdAt: isoTime(createdAt),
  })),
});
