// A page of calls as JSON text, written by hand: this is the hottest answer, and the columns tags, transcript,
// variables, metadata, latency, usage and fallbacks are JSON already, so they are not parsed. The fields are those of db/resources.ts.
import { appointmentResource, type CallRecordRow } from '../../db/resources.ts';
import type { AppointmentTable } from '../../db/schema/businesses.ts';

/** Our own ids, numbers and enums need no escaping; they are validated on input. */
const quoted = (text: string | null): string => (text === null ? 'null' : `"${text}"`);
const escaped = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));
const time = (ms: number | null): string => (ms === null ? 'null' : `"${new Date(ms).toISOString()}"`);

export function callJson(row: CallRecordRow, appointments: readonly AppointmentTable[]): string {
  return `{"id":"${row.id}","businessId":"${row.businessId}","campaignId":"${row.campaignId}","agentId":"${row.agentId}","phoneNumberId":${quoted(row.phoneNumberId)},"direction":"${row.direction}","fromNumber":${escaped(row.fromNumber)},"toNumber":${escaped(row.toNumber)},"callerName":${escaped(row.callerName)},"variables":${row.variables},"metadata":${row.metadata},"status":"${row.status}","outcome":${escaped(row.outcome)},"endReason":${escaped(row.endReason)},"startedAt":${time(row.startedAt)},"endedAt":${time(row.endedAt)},"durationSeconds":${row.durationSeconds},"sentiment":${quoted(row.sentiment)},"summary":${escaped(row.summary)},"tags":${row.tags},"transcript":${row.transcript},"latency":${row.latency ?? 'null'},"usage":${row.usage ?? 'null'},"fallbacks":${row.fallbacks},"sipStatus":${row.sipStatus},"q850Cause":${row.q850Cause},"appointments":${
    appointments.length === 0 ? '[]' : JSON.stringify(appointments.map(appointmentResource))
  },"erasedAt":${time(row.erasedAt)}}`;
}

/** The records of a page, comma-separated; `appointments` are those of all its calls. */
export function callsJson(rows: readonly CallRecordRow[], appointments: readonly AppointmentTable[]): string {
  if (appointments.length === 0) return rows.map((row) => callJson(row, [])).join();
  const byCall = new Map<string, AppointmentTable[]>();
  for (const appointment of appointments) {
    if (appointment.callId === null) continue;
    const known = byCall.get(appointment.callId);
    if (known) known.push(appointment);
    else byCall.set(appointment.callId, [appointment]);
  }
  return rows.map((row) => callJson(row, byCall.get(row.id) ?? [])).join();
}
