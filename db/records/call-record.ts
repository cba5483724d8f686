// Makes the record that clients read and events carry from a call's row: the shown columns (schema/call-columns.ts) and
// the appointments booked on the call.

import type { AppointmentTable } from '../schema/businesses.ts';
import {
  CALL_COLUMNS,
  type CallMembers,
  type CallTable,
  SHOWN_COLUMNS,
  type ShownColumn,
} from '../schema/call-columns.ts';
import { type AppointmentResource, appointmentResource } from './resources.ts';

export type CallResource = CallMembers & { appointments: AppointmentResource[] };

/** The columns of a call record. */
type CallRecordRow = Pick<CallTable, ShownColumn>;

/** The appointments are inserted before this last member. */
const LAST: ShownColumn = 'erasedAt';
const readerOf = (name: ShownColumn) => CALL_COLUMNS[name].shown?.read as (stored: unknown) => unknown;
const READERS = SHOWN_COLUMNS.filter((name) => name !== LAST).map((name) => [name, readerOf(name)] as const);
const readLast = readerOf(LAST);

/** A call without the path of its recording. `appointments` are the rows booked on it, in any order. */
export function callResource(row: CallRecordRow, appointments: readonly AppointmentTable[] = []): CallResource {
  const record: Record<string, unknown> = {};
  for (const [name, read] of READERS) record[name] = read(row[name]);
  record.appointments = appointments.map(appointmentResource);
  record[LAST] = readLast(row[LAST]);
  return record as CallResource;
}
