// Port orders as the carrier is told of them: which are due, and what it has. The order's row comes first and the
// carrier second, so that a process that dies in between leaves an order that is handed over again.
import { isWithCarrier, PORT_STATUSES } from '../../domain/port-order.ts';
import type { PortDocumentTable } from '../../schema/lines/phone-numbers.ts';
import type { Db } from '../../schema.ts';
import { listPortDocuments, type PortOrderRow } from './port-orders.ts';

/** Statuses in which a carrier works on an order. */
const WITH_CARRIER = PORT_STATUSES.filter(isWithCarrier);

/**
 * Orders to hand over to `carrier`, to ask it about, or to cancel there, the longest unasked first. An order that
 * another carrier has is not among them.
 */
export function portsDueAtCarrier(
  db: Db,
  {
    carrier,
    toldBefore,
    askedBefore,
    limit,
  }: { carrier: string; toldBefore: number; askedBefore: number; limit: number },
): Promise<PortOrderRow[]> {
  return db
    .selectFrom('portOrders')
    .selectAll()
    .where('carrierEndedAt', 'is', null)
    .where((eb) => eb.or([eb('carrier', 'is', null), eb('carrier', '=', carrier)]))
    .where((eb) =>
      eb.or([
        eb.and([
          eb('status', 'in', WITH_CARRIER),
          eb.or([
            eb.and([eb('carrier', 'is', null), eb('carrierAskedAt', '<', toldBefore)]),
            eb.and([eb('carrier', 'is not', null), eb('carrierAskedAt', '<', askedBefore)]),
          ]),
        ]),
        eb.and([eb('status', '=', 'CANCELLED'), eb('carrierAskedAt', '<', toldBefore)]),
      ]),
    )
    .orderBy('carrierAskedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function noteCarrierAsked(db: Db, id: string, nowMs: number): Promise<void> {
  await db.updateTable('portOrders').set({ carrierAskedAt: nowMs }).where('id', '=', id).execute();
}

/**
 * The carrier has the order with these documents; nothing is noted where another one has come meanwhile. Call it in a
 * transaction.
 */
export async function notePlacedAtCarrier(
  db: Db,
  { id, accountId }: Pick<PortOrderRow, 'id' | 'accountId'>,
  { carrier, documents }: { carrier: string; documents: ReadonlyArray<Pick<PortDocumentTable, 'id'>> },
): Promise<void> {
  const now = await listPortDocuments(db, accountId, id);
  if (now.map((each) => each.id).join() !== documents.map((each) => each.id).join()) return;
  await db.updateTable('portOrders').set({ carrier, carrierAskedAt: 0 }).where('id', '=', id).execute();
}

/** Another document has come: the carrier does not have all of the order. */
export async function noteCarrierLacks(db: Db, id: string): Promise<void> {
  await db.updateTable('portOrders').set({ carrier: null, carrierAskedAt: 0 }).where('id', '=', id).execute();
}

export async function noteCarrierEnded(db: Db, id: string, nowMs: number): Promise<void> {
  await db.updateTable('portOrders').set({ carrierEndedAt: nowMs }).where('id', '=', id).execute();
}
