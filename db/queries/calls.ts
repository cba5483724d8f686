// Calls: lists, one call, the few writes that the API makes. The list is the hottest query of the product, so it is
// compiled once per shape and read without plugins, straight into the columns that a call record is made of.
import { runText } from '../compiled-statement.ts';
import type { CallRecordRow } from '../resources.ts';
import type { AppointmentTable } from '../schema/businesses.ts';
import type { CallTable } from '../schema/calls.ts';
import type { Db } from '../sqlite.ts';
import { type CallFilter, findPage, isKept, keptTotal, type ValueFilter, valueFilters } from './call-counts.ts';

const COLUMNS = `id, business_id as "businessId", campaign_id as "campaignId", agent_id as "agentId",
  phone_number_id as "phoneNumberId", direction, from_number as "fromNumber", to_number as "toNumber",
  caller_name as "callerName", variables, metadata, status, outcome, end_reason as "endReason", started_at as "startedAt",
  ended_at as "endedAt", duration_seconds as "durationSeconds", sentiment, summary, tags, transcript, latency, usage, fallbacks,
  erased_at as "erasedAt", sip_status as "sipStatus", q850_cause as "q850Cause"`;

/** Most calls book nothing, which saves a query for their appointments. */
const BOOKED = '(select count(*) from appointments where call_id = calls.id) as booked';

export type ListedCall = CallRecordRow & { /** How many appointments were booked on it. */ booked: number };

const FILTER_COLUMNS: Record<ValueFilter, string> = {
  status: 'status',
  direction: 'direction',
  outcome: 'outcome',
  sentiment: 'sentiment',
  businessId: 'business_id',
  campaignId: 'campaign_id',
  agentId: 'agent_id',
  phoneNumberId: 'phone_number_id',
};

interface Read {
  filter: CallFilter;
  /** The value filters, the one whose index is to be used first. */
  names: readonly ValueFilter[];
  fromMs: number | undefined;
  toMs: number | undefined;
}

function conditions(read: Read): string {
  let text = 'account_id = ?';
  // Only the first filter is written so that an index serves it: otherwise the planner may choose a far larger one.
  for (const [i, name] of read.names.entries()) {
    text += i === 0 ? ` and ${FILTER_COLUMNS[name]} = ?` : ` and coalesce(${FILTER_COLUMNS[name]}, '') = ?`;
  }
  if (read.fromMs !== undefined) text += ' and started_at >= ?';
  if (read.toMs !== undefined) text += ' and started_at <= ?';
  return text;
}

function values(accountId: string, read: Read): unknown[] {
  const list: unknown[] = [accountId];
  for (const name of read.names) list.push(read.filter[name]);
  if (read.fromMs !== undefined) list.push(read.fromMs);
  if (read.toMs !== undefined) list.push(read.toMs);
  return list;
}

const shapeOf = (read: Read): string =>
  `${read.names.join()}|${read.fromMs === undefined ? '' : 'f'}${read.toMs === undefined ? '' : 't'}`;

/** The filters, rarest value first by the kept totals. */
async function rarestFirst(db: Db, accountId: string, filter: CallFilter): Promise<ValueFilter[]> {
  const names = valueFilters(filter);
  if (names.length < 2) return names;
  const totals = new Map<ValueFilter, number>();
  for (const name of names) totals.set(name, await keptTotal(db, accountId, { [name]: filter[name] } as CallFilter));
  return names.sort((a, b) => (totals.get(a) ?? 0) - (totals.get(b) ?? 0));
}

/**
 * One page of calls, newest first (id breaks ties). `total` is the number of calls that match; deep pages of kept filters
 * are read from the nearest day or end.
 */
export async function listCalls(
  db: Db,
  accountId: string,
  filter: CallFilter,
  page: { limit: number; offset: number; total: number },
): Promise<ListedCall[]> {
  const start = isKept(filter)
    ? await findPage(db, accountId, filter, page.total, page.offset, page.limit)
    : { order: 'desc' as const, fromMs: filter.fromMs, toMs: filter.toMs, offset: page.offset, limit: page.limit };
  if (start === null) return [];
  const names = await rarestFirst(db, accountId, filter);
  const read: Read = { filter, names, fromMs: start.fromMs, toMs: start.toMs };
  const { order } = start;
  const rows = await runText<ListedCall>(
    db,
    `list|${order}|${shapeOf(read)}`,
    () =>
      `select ${COLUMNS}, ${BOOKED} from calls where ${conditions(read)} order by started_at ${order}, id ${order} limit ? offset ?`,
    [...values(accountId, read), start.limit, start.offset],
  );
  return order === 'asc' ? rows.reverse() : rows;
}

/** Counts the calls that match, by the index of the rarest filter: for several value filters together. */
export async function countCalls(db: Db, accountId: string, filter: CallFilter): Promise<number> {
  const names = await rarestFirst(db, accountId, filter);
  const read: Read = { filter, names, fromMs: filter.fromMs, toMs: filter.toMs };
  const [row] = await runText<{ total: number }>(
    db,
    `count|${shapeOf(read)}`,
    () => `select count(*) as total from calls where ${conditions(read)}`,
    values(accountId, read),
  );
  return Number(row?.total ?? 0);
}

/** The whole row, or undefined. */
export function getCall(db: Db, accountId: string, id: string): Promise<CallTable | undefined> {
  return db.selectFrom('calls').selectAll().where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst();
}

/** Appointments booked on the calls, oldest first. */
export function appointmentsOfCalls(
  db: Db,
  accountId: string,
  callIds: readonly string[],
): Promise<AppointmentTable[]> {
  if (callIds.length === 0) return Promise.resolve([]);
  return runText<AppointmentTable>(
    db,
    `appointments|${callIds.length}`,
    () =>
      `select id, account_id as "accountId", business_id as "businessId", call_id as "callId", service,
         starts_at as "startsAt", ends_at as "endsAt", name, phone, notes, status, erase_after as "eraseAfter", created_at as "createdAt"
       from appointments where call_id in (${callIds.map(() => '?').join()}) and account_id = ? order by id`,
    [...callIds, accountId],
  );
}

/** The account's running calls, newest first, and how many there are. */
export async function listLiveCalls(
  db: Db,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: CallTable[]; total: number }> {
  const live = db.selectFrom('calls').where('accountId', '=', accountId).where('endedAt', 'is', null);
  const rows = await live
    .selectAll()
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await live.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}
