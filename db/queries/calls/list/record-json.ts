// A call record as an SQL expression of its JSON, and the trigger that keeps it beside the row. A test compares it byte
// by byte with db/records/call-record.ts.

import type { Dialect } from '../../../dialect.ts';
import { appointmentResource } from '../../../records/resources.ts';
import type { AppointmentTable } from '../../../schema/businesses.ts';
import { CALL_COLUMNS, SHOWN_COLUMNS } from '../../../schema/call-columns.ts';
import { snakeCase } from '../../../statements/column-names.ts';
import { constantJson, objectJson, type Part } from '../../../statements/json-text.ts';

const membersOf = (names: readonly (typeof SHOWN_COLUMNS)[number][]): Array<[string, readonly Part[]]> =>
  names.map((name) => [name, CALL_COLUMNS[name].shown?.json(snakeCase(name)) ?? []]);

const CALL = Object.fromEntries([
  ...membersOf(SHOWN_COLUMNS.slice(0, -1)),
  ['appointments', constantJson('[]')],
  ...membersOf(SHOWN_COLUMNS.slice(-1)),
]);

/** Of a row of `calls`, without its appointments. */
export const callJson = (dialect: Dialect): string => objectJson(dialect, CALL);

/** This member follows the transcript and the client's texts, so the last occurrence is the member itself. */
const NO_APPOINTMENTS = '"appointments":[]';

/** A record of `callJson` with these appointments. */
export function withAppointments(json: string, appointments: readonly AppointmentTable[]): string {
  const at = json.lastIndexOf(NO_APPOINTMENTS);
  const list = JSON.stringify(appointments.map(appointmentResource));
  return `${json.slice(0, at)}"appointments":${list}${json.slice(at + NO_APPOINTMENTS.length)}`;
}

/** Keeps `record_json` up to date (SQLite), so that no writer can forget it and an erasure cleans it. */
export const callRecordsTrigger = (dialect: Dialect): string => `create trigger call_records
after update of ${SHOWN_COLUMNS.map(snakeCase).join(', ')} on calls
begin
  update calls set record_json = ${callJson(dialect)} where rowid = new.rowid;
end`;
