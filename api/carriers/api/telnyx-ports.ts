// Orders to port a number to Telnyx. An order is made with its number, its holder and both documents; facts that we do
// not ask for (the number's account at the losing carrier, the holder's address) are entered in Telnyx's portal, where
// it is confirmed too. From then on its status is followed.
import { CarrierError, type CarrierPortState } from '../carrier.ts';
import type { ApiPorts } from './carrier-api.ts';
import { type AskCarrier, done, found, idIn, listIn } from './request.ts';

const API = 'https://api.telnyx.com/v2';
const ORDERS = `${API}/porting_orders`;
/** A document of 10 MiB. */
const DOCUMENT_MS = 50_000;

interface PortingOrder {
  id: string;
  status: { value: string };
  activation_settings?: { foc_datetime_actual?: string | null };
}

export function telnyxPorts(ask: AskCarrier): ApiPorts {
  const orderOf = async (reference: string): Promise<PortingOrder | null> => {
    const listed = done(await ask({ url: ORDERS, query: { 'filter[customer_reference]': reference } }));
    return listIn<PortingOrder>(listed, 'data')[0] ?? null;
  };
  const change = async (id: string, json: object) => done(await ask({ method: 'PATCH', url: `${ORDERS}/${id}`, json }));
  return {
    async create({ reference, phoneNumber, accountHolder }, parts) {
      const order = (await orderOf(reference)) ?? (await newOrder(ask, phoneNumber, reference));
      await change(order.id, {
        end_user: { admin: { entity_name: accountHolder } },
        phone_number_configuration: { connection_id: parts.connection },
      });
    },
    async addDocument(reference, { kind, fileName, bytes }) {
      const order = await orderOf(reference);
      if (order === null) return false;
      const json = { file: bytes.toString('base64'), filename: fileName, customer_reference: reference };
      const answer = done(await ask({ method: 'POST', url: `${API}/documents`, json, timeoutMs: DOCUMENT_MS }));
      const id = idIn((answer as { data?: unknown } | null)?.data, 'id');
      await change(order.id, { documents: kind === 'loa' ? { loa: id } : { invoice: id } });
      return true;
    },
    async status(reference) {
      const order = await orderOf(reference);
      return order === null ? null : stateOf(order);
    },
    async cancel(reference) {
      const order = await orderOf(reference);
      if (order === null) return;
      // An order that was not confirmed has nobody to cancel it with.
      if (order.status.value === 'draft') found(await ask({ method: 'DELETE', url: `${ORDERS}/${order.id}` }));
      else if (!OVER.has(order.status.value))
        done(await ask({ method: 'POST', url: `${ORDERS}/${order.id}/actions/cancel`, json: {} }));
    },
  };
}

const OVER: ReadonlySet<string> = new Set(['ported', 'cancelled', 'cancel-pending']);

async function newOrder(ask: AskCarrier, phoneNumber: string, reference: string): Promise<PortingOrder> {
  const json = { phone_numbers: [phoneNumber], customer_reference: reference };
  try {
    const [order] = listIn<PortingOrder>(done(await ask({ method: 'POST', url: ORDERS, json })), 'data');
    if (order !== undefined) return order;
  } catch (error) {
    if (!(error instanceof CarrierError) || error.code !== 'CARRIER_REFUSED') throw error;
    throw new CarrierError('CARRIER_PORT_REFUSED', error.message);
  }
  throw new CarrierError('CARRIER_UNAVAILABLE', 'the answer has no porting order');
}

/** Null: an ADMIN has not confirmed it there, or nothing is new. */
function stateOf({ status, activation_settings }: PortingOrder): CarrierPortState | null {
  const day = activation_settings?.foc_datetime_actual?.slice(0, 10);
  switch (status.value) {
    case 'in-process':
    case 'submitted':
    case 'exception':
      return { status: 'IN_REVIEW' };
    case 'foc-date-confirmed':
      return { status: 'FOC_SCHEDULED', ...(day === undefined ? {} : { focDate: day }) };
    case 'ported':
      return { status: 'COMPLETED' };
    case 'cancelled':
      return { status: 'REJECTED', reason: 'Telnyx has cancelled the order' };
    default:
      return null;
  }
}
