// The facts that a message tells: read when it is sent, from the events of its calls, which redaction and erasure have
// gone over.

import type { AlertComparison, AlertMetric } from '../../db/domain/alerts/metrics.ts';
import type { NoticeKind } from '../../db/domain/notices/rules.ts';
import { alertIn, calendarIn, changeIn } from '../../db/domain/notices/subjects.ts';
import { findUserByEmail } from '../../db/queries/accounts/users.ts';
import { findFiring } from '../../db/queries/alerts/alerts.ts';
import { refusedCalendar } from '../../db/queries/calendars/calendars.ts';
import {
  callbacksOf,
  callsOf,
  eventsOfSubjects,
  languageOfBusiness,
  type Teller,
} from '../../db/queries/notices/notices.ts';
import type { CallResource } from '../../db/records/call-record.ts';
import type { AppointmentResource, CallAnalysis } from '../../db/records/resources.ts';
import type { NoticeTable } from '../../db/schema/notices.ts';
import type { Db } from '../../db/schema.ts';
import { type MailLanguage, mailLanguage } from '../mail/mail-language.ts';

/** One call, or one appointment of a call that goes on, and why the reader is told of it. */
export interface Told {
  kinds: NoticeKind[];
  callId: string | null;
  /** Null while the call goes on. */
  call: CallResource | null;
  isAnswered: boolean;
  /** It came from a web page, and has no number. */
  isFromWeb: boolean;
  /** Nothing here says who it is. */
  isUnnamed?: boolean;
  appointments: AppointmentResource[];
  /** How the appointment was changed on the telephone. */
  change?: { deed: 'moved' | 'cancelled' | 'booked'; before: string };
  /** An alert rule fires, or is over. */
  alert?: AlertTold;
  /** One that has to be opened again. */
  calendar?: { name: string; error: string };
  callback: { at: number; reason: string | null } | null;
  results: Pick<CallAnalysis, 'data' | 'criteria'> | null;
}

export interface AlertTold {
  firingId: string;
  ruleId: string;
  name: string;
  metric: AlertMetric;
  comparison: AlertComparison;
  /** Millionths, as `value`. */
  threshold: number;
  windowMinutes: number;
  /** Of `calls` calls; null: there are too few by now. */
  value: number | null;
  calls: number;
  isOver: boolean;
  at: number;
}

type Of = Pick<NoticeTable, 'kind' | 'subjectId' | 'callId'>;

/** Oldest first, each call once; calls that were erased are left out. */
export async function factsOf(db: Db, accountId: string, notices: readonly Of[]): Promise<Told[]> {
  const callIds = [...new Set(notices.flatMap(({ callId }) => callId ?? []))];
  const about = notices.map(({ subjectId }) => changeIn(subjectId)?.appointmentId ?? subjectId);
  const subjects = [...new Set([...callIds, ...about])];
  const [calls, events, callbacks] = await Promise.all([
    callsOf(db, callIds),
    eventsOfSubjects(db, accountId, subjects),
    callbacksOf(db, accountId, callIds),
  ]);
  const isErased = new Set(calls.filter(({ erasedAt }) => erasedAt !== null).map(({ id }) => id));
  const dataOf = <T>(type: string, subjectId: string): T | null => {
    const found = events.findLast((event) => event.type === type && event.subjectId === subjectId);
    return found === undefined ? null : (JSON.parse(found.data) as T);
  };
  const told = new Map<string, Told>();
  for (const { kind, subjectId, callId } of notices) {
    if (callId !== null && isErased.has(callId)) continue;
    const key = callId ?? subjectId;
    const known = told.get(key);
    if (known !== undefined) {
      if (!known.kinds.includes(kind)) known.kinds.push(kind);
      continue;
    }
    const other =
      changed(subjectId, events) ?? (await shut(db, accountId, subjectId)) ?? (await fired(db, accountId, subjectId));
    if (other !== null) told.set(key, { ...NOTHING, kinds: [kind], ...other });
    if (other !== null) continue;
    const call = callId === null ? null : dataOf<CallResource>('call.ended', callId);
    const booked = dataOf<AppointmentResource>('appointment.scheduled', subjectId);
    const appointments = call?.appointments ?? (booked === null ? [] : [booked]);
    if (call === null && appointments.length === 0) continue;
    const row = calls.find(({ id }) => id === callId);
    const promised = callbacks.find(({ inCallId }) => inCallId === callId);
    told.set(key, {
      kinds: [kind],
      callId,
      call,
      isAnswered: row?.answeredAt != null,
      isFromWeb: row?.medium === 'web',
      appointments,
      callback: promised ? { at: promised.scheduledAt, reason: promised.reason } : null,
      results: callId === null ? null : dataOf<CallAnalysis>('call.analysed', callId),
    });
  }
  return [...told.values()];
}

const NOTHING: Told = {
  ...{ kinds: [], callId: null, call: null, isAnswered: false, isFromWeb: false },
  ...{ appointments: [], callback: null, results: null },
};

/** A change of an appointment, as it was after it. */
function changed(
  subjectId: string,
  events: Awaited<ReturnType<typeof eventsOfSubjects>>,
): Pick<Told, 'appointments' | 'change'> | null {
  const of = changeIn(subjectId);
  if (of === null) return null;
  for (const { type, subjectId: id, data } of events) {
    if (type !== 'appointment.changed' || id !== of.appointmentId) continue;
    const appointment = JSON.parse(data) as AppointmentResource;
    const before = appointment.history?.at(-1);
    if (before === undefined || appointment.history.length !== of.changes) continue;
    const deed = appointment.status === 'cancelled' ? 'cancelled' : before.status === 'cancelled' ? 'booked' : 'moved';
    return { appointments: [appointment], change: { deed, before: before.startsAt } };
  }
  return null;
}

/** A calendar that is shut still. */
async function shut(db: Db, accountId: string, subjectId: string): Promise<Pick<Told, 'calendar'> | null> {
  const id = calendarIn(subjectId);
  if (id === null) return null;
  const row = await refusedCalendar(db, accountId, id);
  return row === undefined ? null : { calendar: { name: row.name, error: row.error ?? '' } };
}

/** An alert as it fired, or as it was over. */
async function fired(db: Db, accountId: string, subjectId: string): Promise<Pick<Told, 'alert'> | null> {
  const of = alertIn(subjectId);
  const row = of && (await findFiring(db, accountId, of.firingId));
  if (!row) return null;
  const { id: firingId, ruleId, name, metric, comparison, threshold, windowMinutes, calls } = row;
  const moment = of.isOver
    ? { value: row.endedValue, at: row.endedAt ?? row.createdAt }
    : { value: row.value, at: row.createdAt };
  const rule = { firingId, ruleId, name, metric, comparison, threshold, windowMinutes };
  return { alert: { ...rule, ...moment, calls, isOver: of.isOver } };
}

/** The same without what names the caller, and without their words. */
export const withoutWords = (told: Told): Told => ({
  ...told,
  isUnnamed: true,
  call: told.call && { ...told.call, fromNumber: '', toNumber: '', callerName: null, summary: null },
  appointments: told.appointments.map((each) => ({ ...each, name: null, phone: null, notes: null })),
  callback: told.callback && { ...told.callback, reason: null },
  results: null,
});

/** That of the user with this address, else of the business's agent. */
export async function languageOf(
  db: Db,
  { businessId, accountId }: Pick<Teller, 'businessId' | 'accountId'>,
  email: string | null,
): Promise<MailLanguage> {
  const user = email === null ? undefined : await findUserByEmail(db, email);
  const ofUser = user?.accountId === accountId ? user.language : null;
  return (
    mailLanguage(ofUser) ?? mailLanguage(businessId && (await languageOfBusiness(db, accountId, businessId))) ?? 'en'
  );
}
