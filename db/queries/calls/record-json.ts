// A call record as SQL that gives its JSON: the fields of db/resources.ts, in their order. A test compares the two byte
// by byte.
import { appointmentResource, type CallResource } from '../../resources.ts';
import type { AppointmentTable } from '../../schema/businesses.ts';
import {
  constantJson,
  objectJson,
  rawJson,
  rawOrNullJson,
  textJson,
  timeJson,
  timeOrNullJson,
  wordJson,
} from '../../sqlite-json.ts';

const CALL: Record<keyof CallResource, ReturnType<typeof textJson>> = {
  id: wordJson('id'),
  businessId: wordJson('business_id'),
  campaignId: wordJson('campaign_id'),
  agentId: wordJson('agent_id'),
  phoneNumberId: textJson('phone_number_id'),
  direction: wordJson('direction'),
  fromNumber: textJson('from_number'),
  toNumber: textJson('to_number'),
  callerName: textJson('caller_name'),
  variables: rawJson('variables'),
  metadata: rawJson('metadata'),
  status: wordJson('status'),
  outcome: textJson('outcome'),
  endReason: textJson('end_reason'),
  startedAt: timeJson('started_at'),
  endedAt: timeOrNullJson('ended_at'),
  durationSeconds: rawJson('duration_seconds'),
  sentiment: textJson('sentiment'),
  summary: textJson('summary'),
  tags: rawJson('tags'),
  transcript: rawJson('transcript'),
  latency: rawOrNullJson('latency'),
  usage: rawOrNullJson('usage'),
  fallbacks: rawJson('fallbacks'),
  sipStatus: rawOrNullJson('sip_status'),
  q850Cause: rawOrNullJson('q850_cause'),
  appointments: constantJson('[]'),
  erasedAt: timeOrNullJson('erased_at'),
};

/** Of a row of `calls`, without its appointments. */
export const CALL_JSON = objectJson(CALL);

/** Behind the transcript and what clients write, so that the last one found is the member itself. */
const NO_APPOINTMENTS = '"appointments":[]';

/** A record of `CALL_JSON` with these appointments. */
export function withAppointments(json: string, appointments: readonly AppointmentTable[]): string {
  const at = json.lastIndexOf(NO_APPOINTMENTS);
  const list = JSON.stringify(appointments.map(appointmentResource));
  return `${json.slice(0, at)}"appointments":${list}${json.slice(at + NO_APPOINTMENTS.length)}`;
}
