// Port orders at the carrier: each that was submitted is handed over with its documents, the carrier is asked how it
// goes on, and a cancellation is told. All of it follows the order's row and is repeated until the carrier has
// answered: a process that dies in between loses no order, and the order's id as reference makes none twice.
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { NEXT_PORT_STATUSES, type PortStatus } from '../../db/domain/port-order.ts';
import {
  noteCarrierAsked,
  noteCarrierEnded,
  notePlacedAtCarrier,
  portsDueAtCarrier,
} from '../../db/queries/numbers/carrier-ports.ts';
import {
  getPortOrder,
  listPortDocuments,
  movePortOrder,
  type PortOrderRow,
} from '../../db/queries/numbers/port-orders.ts';
import type { Db } from '../../db/schema.ts';
import { CarrierError, type CarrierPortState } from '../carriers/carrier.ts';
import { inTime } from '../carriers/carrier-calls.ts';
import type { ApiContext } from '../context.ts';
import { dropClosedDocuments } from './closed-documents.ts';
import { openDocument } from './document-files.ts';
import { postMoved } from './mails.ts';
import { bringNumber, move } from './service.ts';

/** A port takes days. */
const ASKED_EVERY_MS = 5 * MINUTE_MS;
/** For news that the carrier has not taken yet. */
const TOLD_EVERY_MS = 30_000;
const AT_ONCE = 20;
/** A document has at most 10 MiB. */
const DOCUMENT_MS = 60_000;

/** One round; resolves when the carrier has been asked about each order that was due. */
export async function followPortOrders(context: ApiContext): Promise<void> {
  const { carrier, db, log, now } = context;
  const nowMs = now();
  const due = { toldBefore: nowMs - TOLD_EVERY_MS, askedBefore: nowMs - ASKED_EVERY_MS };
  const rows = await portsDueAtCarrier(context.read, { carrier: carrier.name, ...due, limit: AT_ONCE });
  for (const row of rows) {
    await noteCarrierAsked(db, row.id, now());
    await follow(context, row).catch((error: unknown) =>
      log.warn({ err: error, portOrderId: row.id, carrier: carrier.name }, 'the carrier was not told of a port order'),
    );
  }
}

async function follow(context: ApiContext, row: PortOrderRow): Promise<void> {
  const { carrier, db } = context;
  if (row.status === 'CANCELLED') {
    await inTime(carrier.ports.cancel(row.id));
    return noteCarrierEnded(db, row.id, context.now());
  }
  if (row.carrier === null) return handOver(context, row);
  const state = await inTime(carrier.ports.status(row.id));
  if (state !== null) await take(context, row.id, state);
}

async function handOver(context: ApiContext, row: PortOrderRow): Promise<void> {
  const { carrier, db } = context;
  const { id, accountId, phoneNumber, accountHolder, loaSignedAt } = row;
  try {
    await inTime(carrier.ports.create({ reference: id, accountId, phoneNumber, accountHolder, loaSignedAt }));
  } catch (error) {
    if (!(error instanceof CarrierError) || error.code !== 'CARRIER_PORT_REFUSED') throw error;
    return take(context, id, { status: 'REJECTED', reason: error.message });
  }
  const documents = await listPortDocuments(context.read, row.accountId, id);
  for (const document of documents) {
    const abort = new AbortController();
    try {
      const { body } = await openDocument(context, document, abort.signal);
      await inTime(carrier.ports.addDocument(id, { ...document, body }), DOCUMENT_MS);
    } finally {
      abort.abort();
    }
  }
  await db.transaction().execute((trx) => notePlacedAtCarrier(trx, row, { carrier: carrier.name, documents }));
}

/** Brings the order to where the carrier has it. A number that it brings is the account's in the same transaction. */
async function take(context: ApiContext, id: string, state: CarrierPortState): Promise<void> {
  const hasMoved = await context.db.transaction().execute(async (trx) => {
    const row = await getPortOrder(trx, null, id);
    if (row === null) return false;
    const moved = await advance(trx, row, state, context.now());
    if (moved === null) return false;
    await postMoved(context, trx, moved, state.reason);
    if (moved.status === 'COMPLETED') await bringNumber(trx, moved, context.now(), state.at);
    return true;
  });
  if (!hasMoved) return;
  await context.mail.wake();
  await dropClosedDocuments(context, context.now(), AT_ONCE);
}

/** Null where nothing is new. */
async function advance(
  trx: Db,
  row: PortOrderRow,
  { status, reason, focDate }: CarrierPortState,
  nowMs: number,
): Promise<PortOrderRow | null> {
  const change = { ...(reason === undefined ? {} : { reason }), ...(focDate === undefined ? {} : { focDate }) };
  if (status === row.status) {
    // The losing carrier has put the day off.
    const isPutOff = status === 'FOC_SCHEDULED' && focDate !== undefined && focDate !== row.focDate;
    return isPutOff ? movePortOrder(trx, row.accountId, row, { status, ...change, nowMs }) : null;
  }
  let moved: PortOrderRow = row;
  for (const step of stepsTo(row.status, status))
    moved = await move(trx, moved, step === status ? { status: step, ...change } : { status: step }, nowMs);
  return moved === row ? null : moved;
}

/** The moves from one status to a later one; none where there is no way. */
function stepsTo(from: PortStatus, to: PortStatus): PortStatus[] {
  if (NEXT_PORT_STATUSES[from].includes(to)) return [to];
  const [next] = NEXT_PORT_STATUSES[from];
  if (next === undefined) return [];
  const rest = stepsTo(next, to);
  return rest.length === 0 ? [] : [next, ...rest];
}
