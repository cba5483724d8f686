// Pages of calls as JSON text, and their totals by count: the hottest reads of the product. Statements are compiled
// once per shape. A trigger keeps the records beside their rows; SQLite builds a missing one.

import type { Dialect } from '../../../dialect.ts';
import type { Db } from '../../../schema.ts';
import { runText } from '../../../statements/compiled-statement.ts';
import { appointmentsOfCalls } from '../calls.ts';
import { type CallFilter, FILTER_COLUMNS, isKept, keptTotal, type ValueFilter, valueFilters } from './counts.ts';
import { findPage, type PagePlace, type PageStart } from './page-starts.ts';
import { callJson, withAppointments } from './record-json.ts';

const record = (dialect: Dialect): string =>
  dialect.keepsRecords ? `coalesce(record_json, ${callJson(dialect)})` : callJson(dialect);
const BOOKED = '(select call_id from appointments where call_id = calls.id limit 1)';

interface Read {
  filter: CallFilter;
  /** The value filters, the one whose index is to be used first. */
  names: readonly ValueFilter[];
  fromMs: number | undefined;
  toMs: number | undefined;
}

function conditions(read: Read): string {
  let text = 'account_id = ?';
  // Only the first filter may use an index: otherwise the planner may choose a far larger index.
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

/** The filters, the rarest value first by the kept totals. */
async function rarestFirst(db: Db, accountId: string, filter: CallFilter): Promise<ValueFilter[]> {
  const names = valueFilters(filter);
  if (names.length < 2) return names;
  const totals = new Map<ValueFilter, number>();
  for (const name of names) totals.set(name, await keptTotal(db, accountId, { [name]: filter[name] } as CallFilter));
  return names.sort((a, b) => (totals.get(a) ?? 0) - (totals.get(b) ?? 0));
}

interface PageRow {
  json: string;
  /** The call's id if an appointment was booked on it. */
  bookedId: string | null;
}

/**
 * One page of call records, newest first (id breaks ties), separated by commas. `total` is the number of calls that
 * match; deep pages of kept filters are read from the nearest day or end.
 */
export async function pageOfCalls(
  db: Db,
  accountId: string,
  filter: CallFilter,
  page: PagePlace & {
    /** The result of `findPage`, if it was used. */
    start?: PageStart;
  },
): Promise<string> {
  const start = page.start ?? (await startOf(db, accountId, filter, page));
  if (start === null) return '';
  const names = await rarestFirst(db, accountId, filter);
  const read: Read = { filter, names, fromMs: start.fromMs, toMs: start.toMs };
  const { order } = start;
  const rows = await runText<PageRow>(
    db,
    `page|${order}|${shapeOf(read)}`,
    (dialect) => {
      const [columns, inOrder] = [
        `${record(dialect)} as json, ${BOOKED} as "bookedId"`,
        `started_at ${order}, id ${order}`,
      ];
      const page = (what: string) =>
        `select ${what} from calls where ${conditions(read)} order by ${inOrder} limit ? offset ?`;
      return dialect.evaluatesSkippedRows
        ? `select ${columns} from (${page('*')}) as calls order by ${inOrder}`
        : page(columns);
    },
    [...values(accountId, read), start.limit, start.offset],
  );
  await addAppointments(db, accountId, rows);
  if (order === 'asc') rows.reverse();
  return rows.map(({ json }) => json).join();
}

/** The records of these calls of the account in their order, separated by commas; erased ones too. */
export async function recordsOf(db: Db, accountId: string, ids: readonly string[]): Promise<string> {
  if (ids.length === 0) return '';
  const rows = await runText<PageRow & { id: string }>(
    db,
    `records-of|${ids.length}`,
    (dialect) =>
      `select id, ${record(dialect)} as json, ${BOOKED} as "bookedId" from calls
       where id in (${ids.map(() => '?').join()}) and account_id = ?`,
    [...ids, accountId],
  );
  await addAppointments(db, accountId, rows);
  const byId = new Map(rows.map((row) => [row.id, row.json]));
  return ids.flatMap((id) => byId.get(id) ?? []).join();
}

async function startOf(db: Db, accountId: string, filter: CallFilter, place: PagePlace): Promise<PageStart | null> {
  if (isKept(filter)) return findPage(db, accountId, filter, place);
  return { order: 'desc', fromMs: filter.fromMs, toMs: filter.toMs, offset: place.offset, limit: place.limit };
}

async function addAppointments(db: Db, accountId: string, rows: readonly PageRow[]): Promise<void> {
  const ids = rows.flatMap(({ bookedId }) => bookedId ?? []);
  if (ids.length === 0) return;
  const byCall = Map.groupBy(await appointmentsOfCalls(db, accountId, ids), ({ callId }) => callId);
  for (const row of rows) {
    const booked = row.bookedId === null ? undefined : byCall.get(row.bookedId);
    if (booked !== undefined) row.json = withAppointments(row.json, booked);
  }
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
