// A call that reminds of an appointment: one for each, scheduled in the transaction that notes it on the appointment,
// so that neither a restart nor a second process places another.
import { DateTime } from 'luxon';
import type { ReminderState } from '../domain/booking/reminders.ts';
import { reachedAt } from '../domain/texts/appointment-texts.ts';
import { addEvent } from '../outbox.ts';
import { getAppointment } from '../queries/businesses/appointments.ts';
import { getCampaign } from '../queries/campaigns/campaigns.ts';
import { mayPlaceCalls } from '../queries/numbers/calling-numbers.ts';
import { appointmentResource } from '../records/resources.ts';
import type { ScheduledCallTable } from '../schema/calls.ts';
import type { Db } from '../schema.ts';
import { callableAt, insertScheduled } from './scheduling.ts';

interface Reminding {
  accountId: string;
  appointmentId: string;
  /** As it was when it fell due: one that was moved meanwhile is due at another time. */
  startsAt: number;
  campaignId: string;
  timezone: string;
  nowMs: number;
}

/** False: it is not reminded of now: changed meanwhile, nobody may be called at this hour, or no number can call. */
export async function scheduleReminder(db: Db, reminding: Reminding): Promise<boolean> {
  const { accountId, appointmentId, startsAt, campaignId, timezone, nowMs } = reminding;
  const appointment = await getAppointment(db, accountId, appointmentId);
  if (appointment?.status !== 'booked' || appointment.startsAt !== startsAt) return false;
  const phone = reachedAt(appointment);
  if (phone === null || appointment.reminderCallId !== null || appointment.eraseAfter !== null) return false;
  const campaign = await getCampaign(db, accountId, campaignId);
  if (campaign === undefined || campaign.deletedAt !== null || campaign.businessId !== appointment.businessId)
    return false;
  const number = await db
    .selectFrom('phoneNumbers')
    .select(['id', 'phoneNumber'])
    .where('accountId', '=', accountId)
    .where('campaignId', '=', campaignId)
    .where(mayPlaceCalls)
    .orderBy('id')
    .executeTakeFirst();
  if (number === undefined || (await callableAt(db, campaign, phone, nowMs)) !== nowMs) return false;
  const agent = await db.selectFrom('agents').select('language').where('id', '=', campaign.agentId).executeTakeFirst();
  const { service, resource, name } = appointment;
  const variables = {
    appointmentId,
    appointment: spokenTime(startsAt, timezone, agent?.language ?? 'en-US'),
    appointmentAt: DateTime.fromMillis(startsAt, { zone: timezone }).toISO({ suppressMilliseconds: true }) ?? '',
    ...(service === null ? {} : { service }),
    ...(resource === null ? {} : { staff: resource }),
    ...(name === null ? {} : { customer: name }),
  };
  const { id } = await insertScheduled(db, {
    ...{ accountId, campaignId, businessId: campaign.businessId, agentId: campaign.agentId, toNumber: phone },
    phoneNumberId: number.id,
    fromNumber: number.phoneNumber,
    variables: JSON.stringify(variables),
    metadata: JSON.stringify({ appointmentId }),
    scheduledAt: nowMs,
    requestedBy: 'reminder',
    inCallId: null,
    reason: null,
    createdAt: nowMs,
  });
  await noteReminder(db, { accountId, appointmentId, state: 'calling', callId: id });
  return true;
}

/** "Tuesday, December 1 at 3:00 PM", as the agent says it. */
function spokenTime(startsAt: number, timeZone: string, language: string): string {
  const day = { weekday: 'long', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone } as const;
  return new Intl.DateTimeFormat(language, day).format(startsAt);
}

async function noteReminder(
  db: Db,
  {
    accountId,
    appointmentId,
    state,
    callId,
  }: { accountId: string; appointmentId: string; state: ReminderState; callId: string },
): Promise<void> {
  await db
    .updateTable('appointments')
    .set({ reminder: state, reminderCallId: callId })
    .where('id', '=', appointmentId)
    .where('accountId', '=', accountId)
    .execute();
}

/** A reminder that waits for a line is of no use any more: its time has changed, or its person erased. */
export async function isReminderMoot(
  db: Db,
  { id, accountId, variables }: Pick<ScheduledCallTable, 'id' | 'accountId' | 'variables'>,
): Promise<boolean> {
  const { appointmentId = '', appointmentAt = '' } = JSON.parse(variables ?? '{}') as Record<string, string>;
  const appointment = await getAppointment(db, accountId, appointmentId);
  return (
    appointment?.status !== 'booked' ||
    appointment.reminderCallId !== id ||
    appointment.eraseAfter !== null ||
    appointment.startsAt !== Date.parse(appointmentAt)
  );
}

/** Of a person who was erased, or of an appointment that is gone: what waits for them must leave no record. */
export async function isReminderOfErased(
  db: Db,
  { accountId, variables }: Pick<ScheduledCallTable, 'accountId' | 'variables'>,
): Promise<boolean> {
  const { appointmentId = '' } = JSON.parse(variables ?? '{}') as Record<string, string>;
  const appointment = await getAppointment(db, accountId, appointmentId);
  return appointment === undefined || appointment.eraseAfter !== null || appointment.phone === null;
}

interface Confirming {
  accountId: string;
  businessId: string;
  callId: string;
  appointmentId: string;
  nowMs: number;
}

/** They come. The call itself is the proof. False: it reminds of no such appointment. */
export async function confirmAppointment(
  db: Db,
  { accountId, businessId, callId, appointmentId, nowMs }: Confirming,
): Promise<boolean> {
  const row = await db
    .updateTable('appointments')
    .set({ reminder: 'confirmed' })
    .where('id', '=', appointmentId)
    .where('accountId', '=', accountId)
    .where('businessId', '=', businessId)
    .where('reminderCallId', '=', callId)
    .where('status', '=', 'booked')
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return false;
  await addEvent(db, {
    accountId,
    type: 'appointment.changed',
    subjectId: row.id,
    dedupe: `${row.sequence}:confirmed`,
    data: appointmentResource(row),
    nowMs,
  });
  return true;
}

/** Calls that ended without a word on it. */
export async function settleReminder(
  db: Db,
  { id, accountId, state }: { id: string; accountId: string; state: 'undecided' | 'unreached' },
): Promise<void> {
  await db
    .updateTable('appointments')
    .set({ reminder: state })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('reminder', '=', 'calling')
    .execute();
}
